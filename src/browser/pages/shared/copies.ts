import type { CopiedCell, CopiedTable } from '../../table-copies.ts';
import { all, find, make } from './elements.ts';

/** What stands in an element, on one line. */
export function lineOf(element: Element): string {
  const own = element.cloneNode(true);
  if (!(own instanceof HTMLElement)) return '';
  // Lines stand apart, and what is drawn says nothing.
  for (const one of all('br', HTMLElement, own)) one.replaceWith(' ');
  for (const one of all('svg', SVGElement, own)) one.remove();
  return own.textContent.trim().replace(/\s+/g, ' ');
}

/** A table as it can be copied. */
export function copiedTable(table: HTMLTableElement): CopiedTable {
  const heads = all('thead th', HTMLElement, table).map((head) => ({ name: lineOf(head), unit: head.dataset.unit }));
  const rows = [...(table.tBodies[0]?.rows ?? [])].map(({ cells }) => [...cells].map(copiedCell));
  const notes = all('.notes p, .notes li', HTMLElement, table.closest('.scroll') ?? table).map((note) => {
    const text = note.textContent.trim();
    return note instanceof HTMLLIElement ? `(${[...note.parentElement!.children].indexOf(note) + 1}) ${text}` : text;
  });
  return { heads, rows, notes };
}

function copiedCell(cell: HTMLTableCellElement): CopiedCell {
  const { order, low, high } = cell.dataset;
  const copy = make('td');
  copy.append(...cell.cloneNode(true).childNodes);
  for (const part of all('sup', HTMLElement, copy)) part.replaceWith(` (${part.lastChild?.textContent ?? ''})`);
  for (const part of all('svg, [aria-hidden]', Element, copy)) part.remove();
  return { text: lineOf(copy), order, low, high, isRight: cell.matches('.right') };
}

export function saveText(name: string, text: string, type: 'text/plain' | 'image/svg+xml'): void {
  save(name, new Blob([text], { type }));
}

function save(name: string, blob: Blob): void {
  const link = make('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export function savePng(name: string, figure: HTMLElement): void {
  const image = new Image();
  image.onload = () => {
    const canvas = make('canvas', { width: image.naturalWidth * 2, height: image.naturalHeight * 2 });
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    canvas.toBlob((blob) => blob && save(name, blob));
  };
  image.src = `data:image/svg+xml,${encodeURIComponent(svgText(figure))}`;
}

const lineHeight = 20;

/** The chart of a figure with its title and legend, as one file that needs no style. */
export function svgText(figure: HTMLElement): string {
  const svg = find('.plot svg', SVGSVGElement, figure);
  const { width, height } = svg.viewBox.baseVal;
  const { color, backgroundColor } = getComputedStyle(figure);
  const legend = all('.legend li', HTMLElement, figure);
  const heading = brokenAt(lineOf(find('h4', HTMLElement, figure)), (width - 16) / 8);
  const above = 8 + heading.length * lineHeight;
  const whole = height + above + legend.length * lineHeight + 8;
  const chart = draw('g', { transform: `translate(0 ${above})` }, ...standAlone(svg).childNodes);
  const entries = legend.map((entry, at) => {
    const pictures = all('svg', SVGSVGElement, entry).slice(0, 1);
    const parts = pictures.map((one) => draw('g', { transform: 'translate(8 0)' }, ...standAlone(one).childNodes));
    const words = draw('text', { x: 52, y: 11, fill: color, 'font-size': '12px' }, entry.textContent.trim());
    return draw('g', { transform: `translate(0 ${height + above + at * lineHeight})` }, ...parts, words);
  });
  const looks = { fill: color, 'font-size': '14px', 'font-weight': '600' };
  const title = heading.map((text, at) => draw('text', { x: 8, y: 18 + at * lineHeight, ...looks }, text));
  const sheet = draw('rect', { width, height: whole, fill: backgroundColor });
  const size = { viewBox: `0 0 ${width} ${whole}`, width, height: whole, 'font-family': 'sans-serif' };
  return new XMLSerializer().serializeToString(draw('svg', size, sheet, ...title, chart, ...entries));
}

/** Lines of at most so many signs, but for longer words. */
function brokenAt(text: string, most: number): readonly string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length > most && lines.at(-1) !== '') lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

function draw(name: string, attributes: Readonly<Record<string, string | number>>, ...children: (string | Node)[]) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

const drawnAs = [
  ...['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-opacity', 'stroke-dasharray', 'opacity'],
  ...['font-size', 'text-anchor'],
];

/** A copy that looks the same without the style of the page. */
function standAlone(from: SVGElement): Node {
  const copy = from.cloneNode(true);
  if (!(copy instanceof Element)) return copy;
  const parts = [...from.querySelectorAll('*')];
  for (const [at, part] of [...copy.querySelectorAll('*')].entries()) {
    const style = getComputedStyle(parts[at]!);
    for (const name of drawnAs) part.setAttribute(name, style.getPropertyValue(name));
    for (const name of ['class', 'id', 'data-detail']) part.removeAttribute(name);
  }
  return copy;
}
