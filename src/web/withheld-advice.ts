import type { Finding } from '../model/finding.ts';
import type { AttributeColumn, IndexHeader, RowColumns } from './index-columns.ts';
import { findingWithoutSmallGroups, type PlainNames, type Withheld, withholdSmallGroups } from './small-groups.ts';

/** A run, and which of its findings a folder withholds. */
interface Advised {
  readonly header: Pick<IndexHeader, 'attributes' | 'utterances'>;
  readonly columns: Pick<RowColumns, 'codes'>;
  readonly minSpeakers: number;
  readonly findings: readonly Finding[];
  /** Those of them that are withheld. */
  readonly left: readonly Finding[];
  readonly names: PlainNames;
}

/** More values make no line of a config. */
const maxWritten = 300;

/** How what is withheld can be had, every way that leads there, in one sentence. */
export function withheldAdvice(given: Advised): string {
  const where = [...(selectionThatShows(given) ?? [])].map(
    ([name, values]) =>
      `${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}: [${values.map((value) => JSON.stringify(value)).join(', ')}]`,
  );
  const written = where.join(', ');
  const fewer = numberThatShows(given);
  const ways = [
    ...(written === '' || written.length > maxWritten
      ? []
      : [`run with select: { where: { ${written} } } beneath the corpus (no answer is asked for anew)`]),
    ...(fewer === null ? [] : [`write them with --min-speakers ${fewer} (groups of ${fewer} speakers are shown then)`]),
    'write them with --min-speakers 1, which withholds nothing, if everybody has the recordings or the people agree',
  ];
  return `to have what is withheld, ${ways.join('; or ')}`;
}

/**
 * Values of all attributes that stand in the way, at once: of the clips that have them every group is large enough.
 *
 * @returns null where there are none, or a comparison would lose its groups
 */
function selectionThatShows({
  header,
  columns,
  minSpeakers,
  findings,
  left,
  names,
}: Advised): ReadonlyMap<string, readonly string[]> | null {
  const where = new Map<string, readonly string[]>();
  for (let tries = 0; tries <= header.attributes.length; tries++) {
    const part = selected(header, columns, where);
    const { withheld } = withholdSmallGroups(part.header, part.columns, minSpeakers, findings);
    if (withheld.speakers < minSpeakers) return null;
    const by = new Set(left.flatMap((finding) => attributesAgainst(finding, withheld, names)));
    if (by.size === 0) return where;
    for (const name of by) {
      const { why, large } = withheld.attributes.get(name)!;
      // A study of one language is one still; of one group there is nothing to compare.
      if (why === 'together' || large.length < (name === 'language' ? 1 : 2)) return null;
      where.set(name, large.toSorted());
    }
  }
  return null;
}

function attributesAgainst(finding: Finding, withheld: Withheld, names: PlainNames): readonly string[] {
  const quiet = findingWithoutSmallGroups(finding, withheld, names);
  return 'why' in quiet ? quiet.by : [];
}

/** The utterances that have these values, with those values alone that they have. */
function selected(
  { attributes, utterances }: Advised['header'],
  { codes }: Advised['columns'],
  where: ReadonlyMap<string, readonly string[]>,
) {
  const codeOf = (place: number, utterance: number) => codes[place * utterances + utterance]!;
  const rows = Array.from({ length: utterances }, (_, utterance) => utterance).filter((utterance) =>
    attributes.every(({ name, values }, place) => {
      const wanted = where.get(name);
      return wanted === undefined || wanted.includes(values[codeOf(place, utterance) - 1] ?? '');
    }),
  );
  const columns = attributes.map(({ name, values }, place) => {
    const known = new Map<number, number>([[0, 0]]);
    const own = rows.map((utterance) => {
      const code = codeOf(place, utterance);
      if (!known.has(code)) known.set(code, known.size);
      return known.get(code)!;
    });
    const column: AttributeColumn = { name, values: [...known.keys()].slice(1).map((code) => values[code - 1]!) };
    return { column, own };
  });
  return {
    header: { attributes: columns.map(({ column }) => column), utterances: rows.length },
    columns: { codes: Uint32Array.from(columns.flatMap(({ own }) => own)) },
  };
}

/** The largest number of speakers that withholds none of these findings; null: below the given one there is none but 1. */
function numberThatShows({ header, columns, minSpeakers, findings, left, names }: Advised): number | null {
  for (let fewer = minSpeakers - 1; fewer > 1; fewer--) {
    const { withheld } = withholdSmallGroups(header, columns, fewer, findings);
    if (left.every((finding) => !('why' in findingWithoutSmallGroups(finding, withheld, names)))) return fewer;
  }
  return null;
}
