"""SLURM with two nodes on this machine: the programs of Debian, unpacked and not installed."""

import getpass
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Self

import psutil

from tests.plugins.interpreters.commands import own_environment

PACKAGES = (
    *("slurmctld", "slurmd", "slurm-client", "slurm-wlm-basic-plugins"),
    *("munge", "libmunge2", "libhwloc15", "liblua5.1-0"),
)
NODES = ("one", "two")
CPUS = 4

_CONFIGURATION = """\
ClusterName=test
SlurmctldHost=localhost(127.0.0.1)
SlurmctldPort=16817
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
CredType=cred/munge
PluginDir={plugins}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
SlurmdTimeout=10
ReturnToService=2
{nodes}
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
"""No control groups, no accounting; a job that is requeued can start again after five seconds."""


class Slurm:
    """A context manager that runs the daemons in a folder with a short path, and ends them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ending = ExitStack()
        root = folder / "root"
        libraries = next(iter(root.glob("usr/lib/*-linux-gnu")), root)
        self.environment = {
            **own_environment(),
            "HOME": str(folder / "home"),
            "SLURM_CONF": str(folder / "slurm.conf"),
            "LD_LIBRARY_PATH": f"{libraries}:{libraries}/slurm-wlm",
            "PATH": f"{root}/usr/bin:{root}/usr/sbin:{os.environ['PATH']}",
        }
        self._libraries = libraries
        self._nodes: dict[str, subprocess.Popen[bytes]] = {}

    @classmethod
    def install(cls, folder: Path) -> Self:
        """Download the packages, and unpack them in a folder."""
        packages = folder / "packages"
        packages.mkdir()
        download = ["apt-get", "download", "-qq", "-o", "APT::Sandbox::User=root", *PACKAGES]
        if subprocess.run(download, cwd=packages, check=False).returncode:
            subprocess.run(["apt-get", "update", "-qq"], check=True)
            subprocess.run(download, cwd=packages, check=True)
        for package in packages.glob("*.deb"):
            subprocess.run(["dpkg-deb", "-x", package, folder / "root"], check=True)
        return cls(folder)

    def __enter__(self) -> Self:
        folder = self._folder
        for name in ("home", "state"):
            (folder / name).mkdir()
        nodes = "\n".join(
            f"NodeName={node} NodeHostName=localhost NodeAddr=127.0.0.1 Port={16818 + number}"
            f" CPUs={CPUS} State=UNKNOWN"
            for number, node in enumerate(NODES)
        )
        plugins = self._libraries / "slurm-wlm"
        (folder / "slurm.conf").write_text(
            _CONFIGURATION.format(
                user=getpass.getuser(), folder=folder, plugins=plugins, nodes=nodes
            )
        )
        key = folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        files = {"key-file": key.name, "socket": "munge.socket", "pid-file": "munged.pid"}
        files |= {"log-file": "munged.log", "seed-file": "munge.seed"}
        options = [f"--{option}={folder}/{name}" for option, name in files.items()]
        self._start("munged", "--foreground", "--force", *options)
        wait_until((folder / "munge.socket").exists)
        self._start("slurmctld-wlm", "-D")
        for node in NODES:
            self.start_node(node)
        wait_until(lambda: self.run("sinfo", "-h", "-N", "-o", "%t").split() == ["idle"] * 2)
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._processes():
            process.kill()
        self._ending.close()

    def start_node(self, node: str) -> None:
        """Start the daemon of a node."""
        step = next(self._folder.glob("root/usr/sbin/slurmstepd*"))
        self._nodes[node] = self._start("slurmd-wlm", "-D", "-N", node, "-d", str(step))

    def kill_node(self, node: str) -> int:
        """Kill everything on a node, and wipe its disk; return the number of tasks it had."""
        self._nodes[node].kill()
        tasks = [each for each in self._processes() if each.environ()["SLURMD_NODENAME"] == node]
        for task in tasks:
            step = task.parent()
            for process in filter(None, (step, task)):
                process.kill()
        shutil.rmtree(self._folder / f"spool-{node}")
        return len(tasks)

    def run(self, *words: str) -> str:
        """Run a program, in the home folder of its user; return its output."""
        done = subprocess.run(
            words,
            env=self.environment,
            cwd=self._folder / "home",
            check=True,
            capture_output=True,
            text=True,
        )
        return done.stdout.strip()

    def _processes(self) -> Iterator[psutil.Process]:
        """Yield the processes of all jobs."""
        for process in psutil.process_iter():
            try:
                environment = process.environ()
            except psutil.Error:
                continue
            ours = environment.get("SLURM_CONF") == self.environment["SLURM_CONF"]
            if ours and "SLURMD_NODENAME" in environment and "SLURM_JOB_ID" in environment:
                yield process

    def _start(self, *words: str) -> "subprocess.Popen[bytes]":
        log = self._ending.enter_context((self._folder / f"{words[0]}.log").open("ab"))
        daemon = subprocess.Popen(
            words, cwd=self._folder, env=self.environment, stdout=log, stderr=log
        )
        self._ending.callback(daemon.wait)
        self._ending.callback(daemon.terminate)
        return daemon


def wait_until(condition: Callable[[], object], seconds: float = 300) -> None:
    """Wait until something is true."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.5)
