import { EarwitnessError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { limitText } from '../../base/limit-text.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { createIdRegister } from '../../corpora/shared/id-register.ts';
import { readRows, rowFormatOf } from '../../corpora/shared/read-rows.ts';
import type { Row } from '../../corpora/shared/row.ts';
import { type PairSource, plainText, type ScoringPair } from './scoring-pair.ts';

const ownColumns = new Set(['id', 'reference', 'hypothesis']);

/** The pairs of a TSV, CSV or JSONL file with the columns reference, hypothesis and, if they have one, id. */
export function pairsOfTable(file: string, alternatives: boolean): PairSource {
  if (!/\.(tsv|tab|csv|jsonl|ndjson|json)$/i.test(file)) {
    const hint = /\.(trn|stm|ctm)$/i.test(file)
      ? 'give transcript files with --reference and --hypothesis'
      : 'rename the file';
    throw new EarwitnessError('bad-input', `${file}: expected a name that ends in .tsv, .csv or .jsonl; ${hint}`);
  }
  return { pairs: readPairs(file, alternatives), leftovers: () => null };
}

async function* readPairs(file: string, alternatives: boolean): AsyncGenerator<ScoringPair> {
  const ids = createIdRegister();
  let found = false;
  for await (const row of readRows(file, file, rowFormatOf(file))) {
    found = true;
    const id = row.text('id') ?? null;
    const before = id === null || id === '' ? null : ids.add(id, row.line);
    if (before !== null) {
      throw new EarwitnessError(
        'bad-input',
        `${row.place('id')}: expected different ids, but ${JSON.stringify(limitText(id!, 100))} stands in line ${before} too; rename one or take it out`,
      );
    }
    yield {
      id: id === '' ? null : id,
      reference: { text: need(row, 'reference'), alternatives, place: () => placeOf(row, file) },
      hypothesis: plainText(need(row, 'hypothesis')),
      values: (attribute) => valuesOf(row, attribute),
      attributes: () => attributesOf(row),
    };
  }
  if (!found) throw new EarwitnessError('bad-input', `${file}: expected at least one pair, but the file has none`);
}

/** In JSON a text's column is not known, since characters may be escaped: columns then count from its beginning. */
function placeOf(row: Row, file: string): { where: string; column: number } {
  const [, where, column] = /^(.*):(\d+)$/s.exec(row.place('reference'))!;
  return rowFormatOf(file) === 'jsonl' ? { where: where!, column: 1 } : { where: where!, column: Number(column) };
}

/** What the columns are called elsewhere. */
const otherNames = {
  reference: ['ref', 'refs', 'text', 'truth', 'ground_truth', 'gold', 'target', 'label', 'sentence', 'transcript'],
  hypothesis: ['hyp', 'hyps', 'pred', 'prediction', 'predicted', 'output', 'asr', 'recognized', 'transcription'],
};

function need(row: Row, name: 'reference' | 'hypothesis'): string {
  const text = row.text(name);
  if (text !== undefined) return text;
  const meant = row.names.find((other) => otherNames[name].includes(other.toLowerCase()));
  const nearest = meant ?? nearestName(name, row.names);
  const hint =
    nearest !== null && !ownColumns.has(nearest)
      ? `rename "${limitText(nearest, 100)}"`
      : row.names.includes(name)
        ? 'write a text, empty if nothing was said'
        : `there is ${row.names
            .slice(0, 8)
            .map((other) => JSON.stringify(limitText(other, 40)))
            .join(', ')}${row.names.length > 8 ? ', …' : ''}; add it, empty if nothing was said`;
  throw new EarwitnessError('bad-input', `${row.place()}: expected a text under "${name}", but there is none; ${hint}`);
}

function valuesOf(row: Row, attribute: string): readonly string[] {
  const text = row.text(attribute);
  if (text !== undefined) return text === '' ? [] : [text];
  return row.list(attribute) ?? [];
}

function attributesOf(row: Row): { readonly [name: string]: Json } {
  const names = row.names.filter((name) => !ownColumns.has(name));
  return Object.fromEntries(names.map((name) => [name, row.text(name) ?? row.list(name) ?? null]));
}
