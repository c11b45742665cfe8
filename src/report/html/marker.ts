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
import { light } from './palette.ts';

/** How a series is told from the others, by shape and dashes as well as by colour. */
export interface SeriesLook {
  readonly className: string;
  readonly dashes: string;
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

/** The look of the series at an index; colours repeat after eight, shapes after six, so 24 are told apart. */
export function seriesLook(index: number): SeriesLook {
  return {
    className: `series-${index % light.series.length}`,
    dashes: dashes[index % dashes.length] ?? 'none',
    markerPath: symbol(shapes[index % shapes.length] ?? symbolCircle, 60)() ?? '',
  };
}
