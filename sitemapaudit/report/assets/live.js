// Shows the progress of the audits that were started here, every two seconds while there are any.
const started = document.getElementById("started");

async function showProgress() {
  if (!started.dataset.live || document.hidden) return;
  const response = await fetch("/started");
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const fresh = page.getElementById("started");
  if (!fresh || fresh.innerHTML === started.innerHTML) return;
  const focused = document.activeElement?.id;
  started.replaceChildren(...fresh.childNodes);
  if (!fresh.dataset.live) delete started.dataset.live;
  if (focused) document.getElementById(focused)?.focus();
}

if (started) setInterval(() => showProgress().catch(() => {}), 2000);
