import { all, isAt, isPlain } from './shared/elements.ts';

/** Goes to the search of a page, which every page of a run has. */
addEventListener('keydown', (event) => {
  if (event.key !== '/' || !isPlain(event) || isAt(event, 'input:not([type=checkbox]), select, textarea')) return;
  const [field] = all('input[type=search]', HTMLInputElement);
  if (field === undefined) return;
  event.preventDefault();
  field.focus();
});
