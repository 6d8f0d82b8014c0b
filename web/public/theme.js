// Before the first paint, so that no theme flashes. A file of its own: the page allows no inline script.
(() => {
  let chosen = 'system';
  try {
    chosen = JSON.parse(localStorage.getItem('planwright.look') || '{}').theme;
  } catch {
    // Without storage the system's theme stands.
  }
  const light = matchMedia('(prefers-color-scheme: light)').matches;
  document.documentElement.dataset.theme =
    chosen === 'dark' || chosen === 'light' ? chosen : light ? 'light' : 'dark';
})();
