/** Reloads a page that says so, every two seconds: not while nobody sees it, and not under the hands of whoever has reached something on it by keyboard. */
setInterval(() => {
  const { activeElement, body, visibilityState } = document;
  if (visibilityState === 'visible' && (activeElement === null || activeElement === body)) location.reload();
}, 2000);
