import { z } from 'zod';
import { EarwitnessError } from '../../../base/errors.ts';
import { limitText } from '../../../base/limit-text.ts';

/** The option of a gate by listeners' ratings; each study adds `per`: what is judged as a whole. */
export const ratingsOption = z.strictObject({
  ratings: z
    .string()
    .min(1)
    .max(4096)
    .describe('Table of listeners’ ratings (TSV or CSV): rating, and utterance, condition, relation, corpus as known'),
  atLeast: z.number().default(4).describe('A mean rating of this much passes'),
});

/** One rating by one listener (or a mean that somebody made of several). Null: the table does not say. */
interface RatingRow {
  readonly rating: number;
  readonly utterance: string | null;
  readonly condition: string | null;
  readonly relation: string | null;
  readonly corpus: string | null;
}

const names = ['utterance', 'condition', 'relation', 'corpus'] as const;

/**
 * Reads a table of ratings: a header with `rating` and any of `utterance`, `condition`, `relation` and `corpus`, and a row
 * for each rating; other columns (`listener`) are not looked at. Fields are parted by tabs where the header has one, else
 * by commas, and may be enclosed in double quotes where commas part them.
 *
 * @param file its name, for messages
 * @throws EarwitnessError `bad-input` with file, line and column
 * @example readRatings('r.tsv', 'condition\trating\nnoise\t4.5\n')[0].rating // 4.5
 */
export function readRatings(file: string, text: string): RatingRow[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const header = lines[0] ?? '';
  const tabs = header.includes('\t');
  const columns = fieldsOf(header, tabs).map((field) => field.trim().toLowerCase());
  const place = new Map(columns.map((column, index) => [column, index]));
  const refuse = (line: number, column: number, problem: string): EarwitnessError =>
    new EarwitnessError('bad-input', `${limitText(file, 300)}:${line}:${column}: ${problem}`);
  const ratingPlace = place.get('rating');
  if (ratingPlace === undefined || !names.some((name) => place.has(name))) {
    throw refuse(
      1,
      1,
      `expected a header with rating and one of ${names.join(', ')}, but got ${JSON.stringify(limitText(header, 100))}; name the columns so`,
    );
  }
  const rows: RatingRow[] = [];
  for (let index = 1; index < lines.length; index++) {
    if (lines[index]!.trim() === '') continue;
    const fields = fieldsOf(lines[index]!, tabs);
    const written = (fields[ratingPlace] ?? '').trim();
    const rating = Number(written);
    if (written === '' || !Number.isFinite(rating)) {
      const problem = `expected a number as rating, but got ${JSON.stringify(limitText(written, 40))}; correct or remove it`;
      throw refuse(index + 1, fields.slice(0, ratingPlace).join('\t').length + Math.min(2, ratingPlace + 1), problem);
    }
    const of = (name: (typeof names)[number]) => {
      const at = place.get(name);
      const field = at === undefined ? '' : (fields[at] ?? '').trim();
      return field === '' ? null : field;
    };
    rows.push({
      rating,
      utterance: of('utterance'),
      condition: of('condition'),
      relation: of('relation'),
      corpus: of('corpus'),
    });
  }
  return rows;
}

function fieldsOf(line: string, tabs: boolean): string[] {
  if (tabs) return line.split('\t');
  const fields: string[] = [];
  let field = '';
  let quoted = false;
  for (let place = 0; place < line.length; place++) {
    const sign = line[place]!;
    if (quoted && sign === '"' && line[place + 1] === '"') {
      field += sign;
      place++;
    } else if (sign === '"' && (quoted || field === '')) quoted = !quoted;
    else if (sign === ',' && !quoted) {
      fields.push(field);
      field = '';
    } else field += sign;
  }
  fields.push(field);
  return fields;
}
