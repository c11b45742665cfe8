import {
  type SymbolType,
  symbol,
  symbolCircle,
  symbolCross,
  symbolDiamond,
  symbolSquare,
  symbolStar,
  symbolTriangle,
} from 'd3-shape';

/**
 * The colours of the page, light and dark. A test computes their contrast (WCAG 2.2): text at least 4.5 to 1 on every
 * ground it stands on, lines and borders that carry meaning at least 3 to 1.
 */
export interface Palette {
  readonly ground: string;
  readonly card: string;
  readonly sunken: string;
  readonly border: string;
  readonly text: string;
  readonly quiet: string;
  readonly accent: string;
  readonly good: string;
  readonly goodGround: string;
  readonly bad: string;
  readonly badGround: string;
  readonly caution: string;
  readonly cautionGround: string;
  /** One for each series of a chart, all of one hue: red, amber and green say what is better. Names, dashes and shapes tell series apart. */
  readonly series: readonly string[];
}

export const light: Palette = {
  ground: '#f7f7f4',
  card: '#ffffff',
  sunken: '#f1f1ec',
  border: '#deded6',
  text: '#1d2023',
  quiet: '#5a6067',
  accent: '#0b5c8f',
  good: '#0d6b4b',
  goodGround: '#e3f3ec',
  bad: '#a3341a',
  badGround: '#fbeae5',
  caution: '#7a5200',
  cautionGround: '#fdf3dc',
  series: ['#0b5c8f', '#6790ad', '#04304d', '#2e86c1', '#4d6a80', '#1472b3', '#80919f', '#264f6d'],
};

export const dark: Palette = {
  ground: '#15171a',
  card: '#1d2024',
  sunken: '#24282d',
  border: '#363b42',
  text: '#e9eaec',
  quiet: '#a7aeb6',
  accent: '#7cc0ee',
  good: '#6fd3a8',
  goodGround: '#15322a',
  bad: '#ff9d85',
  badGround: '#3b1f19',
  caution: '#ecc15c',
  cautionGround: '#352a10',
  series: ['#7cc0ee', '#5688a8', '#d3e9f7', '#3f9bdc', '#a3b9c9', '#5ab0ea', '#7d95a6', '#b9d8ec'],
};

/** The palette as CSS variables. */
export function paletteVariables({ series, ...named }: Palette): string {
  const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const variables = Object.entries(named).map(([name, color]) => `--${kebab(name)}:${color}`);
  return [...variables, ...series.map((color, index) => `--series-${index}:${color}`)].join(';');
}

/** How a series is told from the others, by shape and dashes as well as by colour. */
interface SeriesLook {
  readonly className: string;
  readonly dashes: string;
  /** Whether its bars are drawn as outlines: every other one, and the other ones where colours repeat. */
  readonly hollow: boolean;
  readonly markerPath: string;
}

const shapes: readonly SymbolType[] = [
  symbolCircle,
  symbolSquare,
  symbolTriangle,
  symbolDiamond,
  symbolCross,
  symbolStar,
];
const dashes: readonly string[] = ['none', '7 4', '2 4', '10 4 2 4', '12 3', '5 2 1 2 1 2'];

/** The look of the series at an index; colours repeat after eight, shapes after six, so 24 are told apart, and 16 as bars. */
export function seriesLook(index: number): SeriesLook {
  return {
    className: `series-${index % light.series.length}`,
    hollow: (index + Math.floor(index / light.series.length)) % 2 === 1,
    dashes: dashes[index % dashes.length] ?? 'none',
    markerPath: symbol(shapes[index % shapes.length] ?? symbolCircle, 60)() ?? '',
  };
}
