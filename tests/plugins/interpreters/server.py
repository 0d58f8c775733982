"""The process from which others are forked: ``SERVER SOCKET FOLDER``.

A client connects, sends a pickled function with its arguments, and receives the number of the
process that calls it, and its exit status. A process whose client has gone is killed.
"""

import contextlib
import faulthandler
import multiprocessing
import os
import pickle
import shutil
import socket
import sys
from importlib import import_module
from multiprocessing.connection import Client, Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from tests.plugins.interpreters.forks import kill_group

FORKS = multiprocessing.get_context("fork")


def serve(listener: socket.socket, main: Connection) -> None:
    """Fork processes until the main process of the tests ends; kill those that then run."""
    running: dict[int, tuple[BaseProcess, Connection]] = {}
    while True:
        clients = [client for _, client in running.values()]
        ready = wait([listener, main, *running, *clients])
        for number, (process, client) in list(running.items()):
            if number in ready:
                process.join()
                with contextlib.suppress(OSError):
                    client.send(process.exitcode)
            elif client in ready or main in ready:
                kill_group(process.pid or 0)
                process.join()
            else:
                continue
            client.close()
            process.close()
            del running[number]
        if main in ready:
            return
        if listener in ready:
            client = Connection(listener.accept()[0].detach())
            with contextlib.suppress(EOFError, OSError):  # The client may have gone.
                arguments = (client.recv_bytes(), [client, *clients])
                process = FORKS.Process(target=call, args=arguments)
                process.start()
                running[process.sentinel] = (process, client)
                client.send(process.pid)


def call(request: bytes, clients: list[Connection]) -> None:
    """Call what a client sent; unpickling it here imports nothing for the other processes."""
    os.setsid()
    for client in clients:
        # Otherwise clients would wait for ever if the process that forks others failed.
        with contextlib.suppress(OSError):
            client.close()
    target, arguments = pickle.loads(request)
    target(*arguments)


if __name__ == "__main__":
    if os.fork():
        # The process that started this one need not wait for its end.
        os._exit(0)
    os.setsid()
    _, number, folder = sys.argv
    faulthandler.enable()
    with socket.socket(fileno=int(number)) as commands, Client(f"{folder}/main") as tests:
        import_module("tests.plugins.interpreters.preload").preload()
        serve(commands, tests)
    shutil.rmtree(Path(folder), ignore_errors=True)
    # Freeing what was imported would take long.
    os._exit(0)
