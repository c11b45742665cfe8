import { compareOrders, copyForms } from '../table-copies.ts';
import { copiedTable, lineOf, savePng, saveText, svgText } from './shared/copies.ts';
import { showDetails } from './shared/details.ts';
import { all, find, make } from './shared/elements.ts';

/*
 * The whole script of a report. It only adds comfort: sorting, what a number rests on by pointer, finger and keyboard, copies of tables and
 * charts, one sound at a time, opened details on paper. It reads the page and fetches nothing; without it every number can still be read.
 */

// Contents: folded out where there is room beside the page.
const beside = matchMedia('(min-width: 72rem)');
const unfold = () => {
  for (const contents of all('.toc details', HTMLDetailsElement)) contents.open = beside.matches;
};
beside.addEventListener('change', unfold);
unfold();

// A link leads into what is folded.
const unfoldNamed = () => {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const around = named?.closest('details:not(.toc *)');
  const own = named === null ? [] : all(':scope > .part', HTMLDetailsElement, named);
  for (const details of [...own, around]) if (details instanceof HTMLDetailsElement) details.open = true;
};
addEventListener('hashchange', unfoldNamed);
unfoldNamed();

// Tables that are too wide for their place stand closer; where that is not enough, and on phones, each row is a card.
const phone = matchMedia('screen and (max-width: 48rem)');
const scrollOf = (table: HTMLTableElement) => table.closest('.scroll')!;
const asCards = (table: HTMLTableElement) => {
  const heads = all('thead th', HTMLElement, table).map(lineOf);
  for (const row of table.tBodies[0]!.rows)
    for (const [at, cell] of [...row.cells].entries()) cell.dataset.label = heads[at] ?? '';
  table.classList.add('cards');
};
const isWide = (table: HTMLTableElement) => table.offsetWidth > scrollOf(table).clientWidth + 1;
const fit = (tables: readonly HTMLTableElement[]) => {
  for (const table of tables) table.classList.remove('tight', 'cards');
  // The window may be as narrow as paper when it is printed.
  if (phone.matches && !document.body.matches('.paper')) return tables.forEach(asCards);
  const wide = tables.filter(isWide);
  for (const table of wide) table.classList.add('tight');
  wide.filter(isWide).forEach(asCards);
};
const tables = all('.scroll table', HTMLTableElement);
// As they come near: laying out all tables of a long page takes seconds.
const near = new IntersectionObserver(
  (entries) => {
    const come = entries.filter(({ isIntersecting }) => isIntersecting).map(({ target }) => target);
    fit(tables.filter((table) => come.includes(table)));
  },
  { rootMargin: '100%' },
);
const watch = () => {
  near.disconnect();
  if (phone.matches) fit(tables);
  else for (const table of tables) near.observe(table);
};
let width = innerWidth;
addEventListener('resize', () => {
  if (innerWidth !== width) watch();
  width = innerWidth;
});

// Sorting.
for (const table of all('table.sortable', HTMLTableElement)) {
  const heads = all('thead th', HTMLElement, table);
  for (const [column, head] of heads.entries()) {
    const button = make('button', { type: 'button' }, ...head.childNodes);
    head.append(button);
    button.addEventListener('click', () => {
      const isDown = head.ariaSort === 'ascending';
      for (const other of heads) other.ariaSort = null;
      head.ariaSort = isDown ? 'descending' : 'ascending';
      const body = table.tBodies[0]!;
      const key = (row: HTMLTableRowElement) => row.cells[column]?.dataset.order;
      const inOrder = (a: HTMLTableRowElement, b: HTMLTableRowElement) => {
        const [x, y] = [key(a), key(b)];
        if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined);
        return isDown ? compareOrders(y, x) : compareOrders(x, y);
      };
      body.append(...[...body.rows].sort(inOrder));
    });
  }
}

showDetails();

// Copies of tables and charts.
const tools = (what: string, entries: readonly (readonly [name: string, act: () => unknown])[]) => {
  const list = make('span', { className: 'buttons' });
  const told = make('span', { className: 'unseen', role: 'status' });
  for (const [name, act] of entries) {
    const button = make('button', { type: 'button' }, name);
    button.addEventListener('click', async () => {
      told.textContent = '';
      told.textContent = String((await act()) ?? 'Saved.');
    });
    list.append(button);
  }
  const summary = make('summary', {}, 'Copy or save', make('span', { className: 'unseen' }, ` ${what}`));
  return make('details', { className: 'tools' }, summary, list, told);
};
const nameOf = (id: string) => (id || 'part').replace(/\./g, '-');
for (const table of tables) {
  const entries = Object.entries(copyForms).flatMap(([form, { ending, write }]) => {
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(write(copiedTable(table)));
        return 'Copied.';
      } catch {
        return 'The browser does not let this page copy: save it instead.';
      }
    };
    const save = () => saveText(`${nameOf(table.id)}.${ending}`, write(copiedTable(table)), 'text/plain');
    return [[`Copy ${form}`, copy] as const, [`Save ${form}`, save] as const];
  });
  scrollOf(table).after(tools(table.caption?.textContent?.trim() ?? '', entries));
}
for (const figure of all('figure.chart:has(.plot svg)', HTMLElement)) {
  const title = find('h4', HTMLElement, figure);
  const name = nameOf(title.id.replace(/\.heading$/, ''));
  find('.plot', HTMLElement, figure).after(
    tools(title.textContent, [
      ['Save SVG', () => saveText(`${name}.svg`, svgText(figure), 'image/svg+xml')],
      ['Save PNG', () => savePng(`${name}.png`, figure)],
    ]),
  );
}

// A clip that several examples are of stands with one of them.
document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('.again a') : null;
  if (!(link instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  const copy = document.getElementById(link.hash.slice(1))!.cloneNode(true);
  if (!(copy instanceof HTMLElement)) return;
  copy.removeAttribute('id');
  link.parentElement?.replaceWith(copy);
  void find('figure:last-child audio', HTMLAudioElement, copy).play();
});

// One sound at a time.
document.addEventListener(
  'play',
  ({ target }) => {
    for (const other of all('audio', HTMLAudioElement)) if (other !== target) other.pause();
  },
  true,
);

// Everything on paper.
let opened: HTMLDetailsElement[] = [];
let buttons: { button: Element; head: ParentNode | null; nodes: ChildNode[] }[] = [];
addEventListener('beforeprint', () => {
  opened = all('main details:not([open], .tools)', HTMLDetailsElement);
  for (const details of opened) details.open = true;
  // Heads are repeated on every page, but buttons are not.
  buttons = all('thead button', HTMLElement).map((button) => ({
    ...{ button, head: button.parentElement, nodes: [...button.childNodes] },
  }));
  for (const { button, nodes } of buttons) button.replaceWith(...nodes);
  document.body.classList.add('paper');
  fit(tables);
});
addEventListener('afterprint', () => {
  for (const details of opened) details.open = false;
  for (const { button, head, nodes } of buttons) {
    button.append(...nodes);
    head?.append(button);
  }
  buttons = [];
  document.body.classList.remove('paper');
  watch();
});
watch();
