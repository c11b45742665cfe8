// Takes into goldens/ what of ../shared/golden may live in this repository; goldens/README.md says why that and no more.
//
//   node scripts/goldens.ts
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
export const sharedGoldens = join(root, '..', 'shared', 'golden');

/** Texts that are neither made by formula nor free for everybody. */
const notOurs = new Set(['real-prompts', 'real-europarl']);

const asItIs = (text: string) => text;
const ownRows = (text: string) =>
  text
    .split('\n')
    .filter((line) => !notOurs.has(line.slice(0, line.indexOf('\t'))))
    .join('\n');
const tablesOfG711 = (text: string) => {
  const { programs, g711 } = JSON.parse(text);
  return `${JSON.stringify({ programs, g711 })}\n`;
};
/** Without what the filters make of clips. */
const coefficients = (text: string) => {
  const { programs, filters } = JSON.parse(text) as { programs: object; filters: Record<string, unknown>[] };
  const own = filters.map(({ type, order, hz, b, a }) => ({ type, order, hz, b, a }));
  return `${JSON.stringify({ programs, filters: own })}\n`;
};

const taken: Readonly<Record<string, (text: string) => string>> = {
  'acoustics/acoustics.json': coefficients,
  'statistics/data.json': asItIs,
  'statistics/python.json': asItIs,
  'statistics/r.json': asItIs,
  'scoring/pairs.tsv': asItIs,
  'scoring/cased.tsv': asItIs,
  'scoring/chars.tsv': asItIs,
  'scoring/summary.json': asItIs,
  'bleu/bleu.json': asItIs,
  'normalizer/english.tsv': ownRows,
  'normalizer/basic.tsv': ownRows,
  'codecs/codecs.json': tablesOfG711,
  'sox/coefficients.json': asItIs,
};

/** What goldens/ is to hold, by the paths of its files. */
export function ownGoldens(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(taken).map(([path, part]) => [path, part(readFileSync(join(sharedGoldens, path), 'utf8'))]),
  );
}

if (import.meta.main) {
  for (const [path, text] of ownGoldens()) {
    const file = join(root, 'goldens', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
