import { all, find } from './shared/elements.ts';

/** Sends a choice as soon as it is made. Without it the button does. */
for (const form of all('form[data-explorer]', HTMLFormElement)) {
  form.addEventListener('change', () => form.requestSubmit());
  // The page comes anew, and whoever chose by keyboard goes on from there.
  try {
    const kept = sessionStorage.getItem('chosen');
    sessionStorage.removeItem('chosen');
    const last = [...form.elements].find((control) => kept !== null && placeOf(control) === kept);
    if (last instanceof HTMLElement) {
      const folded = last.closest('details');
      if (folded) folded.open = true;
      last.focus();
      if (last instanceof HTMLInputElement && last.type === 'search')
        last.setSelectionRange(last.value.length, last.value.length);
    }
    form.addEventListener('submit', () => {
      const place = form.contains(document.activeElement) ? placeOf(document.activeElement) : null;
      if (place !== null) sessionStorage.setItem('chosen', place);
    });
  } catch {
    // Storage may be switched off.
  }
  // A browser that comes back to a page fills in what was chosen later: the address says what is shown. What somebody writes while a
  // page is still loading stays.
  addEventListener('pageshow', ({ persisted }) => {
    const [came] = performance.getEntriesByType('navigation');
    if (persisted || !(came instanceof PerformanceNavigationTiming && came.type === 'navigate')) form.reset();
  });
  // What is empty would only make the address longer.
  form.addEventListener('formdata', ({ formData }) => {
    for (const [key, value] of [...formData]) if (value === '' && !key.startsWith('is.')) formData.delete(key);
  });
}

/** By which a control is found on the page that comes; null: it has no name. */
function placeOf(control: Element | null): string | null {
  if (!(control instanceof HTMLInputElement || control instanceof HTMLSelectElement) || control.name === '')
    return null;
  const { name, type, value } = control;
  return JSON.stringify([location.pathname, name, type, type === 'checkbox' ? value : null]);
}

const opened = () => all('.facet[open]', HTMLDetailsElement);
addEventListener('keydown', ({ key }) => {
  const [folded] = opened();
  if (key !== 'Escape' || folded === undefined) return;
  folded.open = false;
  find('summary', HTMLElement, folded).focus();
});
addEventListener('click', ({ target }) => {
  for (const folded of opened()) if (!(target instanceof Node && folded.contains(target))) folded.open = false;
});
