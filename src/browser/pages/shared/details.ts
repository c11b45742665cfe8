import { all, find, isAt, make } from './elements.ts';

const marks = ['g[data-detail]', ':is(rect, path, circle, line, polyline):has(> title)', '[data-detail]'];
const cells = ['td[title]', 'th[title]', 'td[data-detail]', 'th[data-detail]'];
const withDetail = [...cells, ...marks.map((mark) => `.plot ${mark}`)].join(', ');

/** An element of a table or a chart. */
type Spot = HTMLElement | SVGElement;
const isSpot = (one: unknown): one is Spot => one instanceof HTMLElement || one instanceof SVGElement;

/** What a number or a mark rests on: by pointer, finger, or Tab and the arrow keys. */
export function showDetails(): void {
  const box = make('div', { id: 'detail', className: 'detail', role: 'status', hidden: true });
  find('main', HTMLElement).append(box);
  let shown: Spot | null = null;
  const hide = () => {
    shown?.classList.remove('here');
    shown?.removeAttribute('aria-describedby');
    shown = null;
    box.hidden = true;
  };
  const show = (element: Spot) => {
    hide();
    shown = element;
    box.replaceChildren(
      ...detailOf(element)
        .split('\n')
        .map((line) => make('div', {}, line)),
    );
    box.hidden = false;
    element.classList.add('here');
    if (!element.closest('svg')) element.setAttribute('aria-describedby', 'detail');
    const place = element.getBoundingClientRect();
    const left = Math.max(8, Math.min(place.left, document.documentElement.clientWidth - box.offsetWidth - 8));
    const below = place.bottom + 6;
    const top = below + box.offsetHeight < innerHeight ? below : Math.max(8, place.top - box.offsetHeight - 6);
    box.style.left = `${left}px`;
    box.style.top = `${top}px`;
  };
  document.addEventListener('pointerover', (event) => {
    const element = spotOf(event);
    if (element && element !== shown) show(element);
  });
  document.addEventListener('pointerout', ({ pointerType, relatedTarget: to }) => {
    if (pointerType !== 'mouse' || !shown || to === box) return;
    if (!(to instanceof Node && shown.contains(to))) hide();
  });
  document.addEventListener('click', (event) => {
    const element = spotOf(event);
    if (element) show(element);
    else if (event.target !== box) hide();
  });
  const hideLeft = () => {
    if (shown && !shown.matches(':hover, :focus')) hide();
  };
  document.addEventListener('scroll', hideLeft, true);
  for (const owner of [...all('.scroll table', HTMLElement), ...all('.plot svg', SVGElement)])
    reach(owner, { show, hide });
}

/** The text, which a browser would show by itself as well where it stayed a title. */
function detailOf(element: Spot): string {
  const title = element.querySelector(':scope > title');
  const text = element.getAttribute('title') ?? title?.textContent;
  if (text != null) {
    element.dataset.detail = text;
    element.removeAttribute('title');
    title?.remove();
  }
  return element.dataset.detail ?? '';
}

function spotOf({ target }: Event): Spot | null {
  const found = target instanceof Element ? target.closest(withDetail) : null;
  return isSpot(found) ? found : null;
}

/** By keyboard: a chart as a whole, or one cell of a table, and from there on by arrows. */
function reach(owner: Spot, { show, hide }: { show(spot: Spot): void; hide(): void }): void {
  const isChart = owner instanceof SVGElement;
  const spotsOf = () => [...owner.querySelectorAll(withDetail)].filter(isSpot);
  const [first] = spotsOf();
  if (first === undefined) return;
  (isChart ? owner : first).setAttribute('tabindex', '0');
  let here = isChart ? null : first;
  owner.addEventListener('focusin', (event) => {
    if (!isAt(event, ':focus-visible')) return;
    here = (isChart ? here : (spotOf(event) ?? here)) ?? first;
    show(here);
  });
  owner.addEventListener('focusout', hide);
  owner.addEventListener('keydown', (event: Event) => {
    if (!(event instanceof KeyboardEvent)) return;
    if (event.key === 'Escape') hide();
    const spots = spotsOf();
    const at = here === null ? -1 : spots.indexOf(here);
    const to = {
      ArrowRight: () => spots[at + 1],
      ArrowLeft: () => spots[at - 1],
      ArrowDown: () => (isChart ? spots[at + 1] : inColumn(here, 'nextElementSibling')),
      ArrowUp: () => (isChart ? spots[at - 1] : inColumn(here, 'previousElementSibling')),
      Home: () => spots[0],
      End: () => spots.at(-1),
    }[event.key];
    if (!to || event.target instanceof HTMLButtonElement) return;
    event.preventDefault();
    const next = to() ?? here;
    if (next === null) return;
    if (!isChart && next !== here) {
      here?.removeAttribute('tabindex');
      next.setAttribute('tabindex', '0');
      next.focus();
    }
    here = next;
    show(next);
  });
}

/** The nearest cell of the same column, up or down, on which something rests. */
function inColumn(cell: Spot | null, way: 'nextElementSibling' | 'previousElementSibling'): Spot | undefined {
  if (!(cell instanceof HTMLTableCellElement)) return undefined;
  for (let row = cell.parentElement?.[way]; row instanceof HTMLTableRowElement; row = row[way]) {
    const other = row.cells[cell.cellIndex];
    if (other?.matches(withDetail)) return other;
  }
  return undefined;
}
