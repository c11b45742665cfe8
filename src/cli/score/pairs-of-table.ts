import { badInput } from '../../base/errors.ts';
import { counted } from '../../base/wording.ts';
import { createIdRegister } from '../../corpora/shared/utterance-id.ts';
import { openTable, type TableHead } from './open-table.ts';
import { createLeftovers, type PairSource, plainText, type ScoringPair } from './scoring-pair.ts';
import { bothColumns, meantColumns, refuseSeveralSystems, type TextColumn, type WantedColumns } from './table.ts';
import {
  attributesOfRow,
  channelOfRow,
  createRowValues,
  hasNoText,
  isNotKnown,
  isSummary,
  speakersIn,
  textOfRow,
} from './table-row.ts';
import type { TextFile } from './text-file.ts';
import { type WordsAlone, wordsAlone } from './words-alone.ts';

/**
 * The pairs of a table with both sides in each row: each row is an utterance, and an id that comes again (a prompt that several read) names none.
 *
 * @param only the rows that have this value in a column; absent: all
 */
export function pairsOfTable(
  file: TextFile,
  named: WantedColumns,
  alternatives: boolean,
  only?: { readonly column: string; readonly value: string },
): PairSource {
  let columns: ReturnType<typeof bothColumns> | null = null;
  const { missing, unmatched, leftovers } = createLeftovers();
  let again = 0;
  const compared = () =>
    columns &&
    `${[file.name, ...titled].join(', ')}, row by row: reference in ${columns.reference.text}, hypothesis in ${columns.hypothesis.text}${speakersIn(rowValues.speakerColumn())}${leftOut()}${comeAgain()}`;
  const comeAgain = () =>
    again === 0 ? '' : `; ${counted(again, 'row')} with an id that is there before, each counted`;
  let words: Readonly<Record<TextColumn, WordsAlone>> | null = null;
  const leftOut = () =>
    [...new Set([words?.reference.told, words?.hypothesis.told])].map((told) => (told ? `; ${told}` : '')).join('');
  let wanted = named;
  let titled: readonly string[] = [];
  const rowValues = createRowValues(
    () => wanted.speaker,
    () => ['id', columns!.reference.text, columns!.hypothesis.text],
  );
  const taken = () => ({
    how: `row by row${speakersIn(rowValues.speakerColumn())}${leftOut()}${comeAgain()}`,
    reference: columns?.reference.text ?? null,
    hypothesis: columns?.hypothesis.text ?? null,
  });
  return {
    pairs: readPairs(),
    leftovers: () => (missing.count + unmatched.count === 0 ? null : leftovers()),
    compared,
    taken,
  };

  async function* readPairs(): AsyncGenerator<ScoringPair> {
    const ids = createIdRegister();
    const table = await openTable(file);
    if (table.first === null) throw badInput(`${file.name}: expected at least one pair, but the file has none`);
    if (only === undefined) refuseSeveralSystems(table, wanted.by);
    wanted = meantColumns(table, named);
    titled = table.titled;
    columns = bothColumns(table, wanted);
    const { reference, hypothesis } = columns;
    const valuesOf = ({ text }: { readonly text: string }) => table.columns.find(({ name }) => name === text)!.values;
    const [said, heard] = [valuesOf(reference), valuesOf(hypothesis)];
    words = { reference: wordsAlone(said, heard, file.name), hypothesis: wordsAlone(heard, said, file.name) };
    const isNamed = wanted.id !== undefined || table.columns.some(({ name }) => name === 'id');
    const idColumn = wanted.id ?? (isNamed ? 'id' : (namesRows(table, reference.id) ?? 'id'));
    for await (const row of table.rows()) {
      if (only !== undefined && (row.text(only.column) ?? '') !== only.value) continue;
      if (isSummary(row, row.names.includes(idColumn) ? idColumn : null, [reference.text, hypothesis.text])) continue;
      const own = row.text(idColumn) ?? null;
      const channel = channelOfRow(row, reference);
      const id = own === null || own === '' || channel === null ? own : `${own}#${channel}`;
      const before = id === null || id === '' ? null : ids.add(id, row.line);
      if (before !== null) again++;
      if (isNotKnown(row, reference.text)) {
        unmatched.add(id ?? `line ${row.line}`);
        continue;
      }
      const isMissing = hasNoText(row, hypothesis.text);
      if (isMissing) missing.add(id ?? `line ${row.line}`);
      const said = textOfRow(row, reference.text, file, alternatives);
      const { text, speaker } = words.reference.of(said.text);
      const heard = isMissing ? '' : words.hypothesis.of(textOfRow(row, hypothesis.text, file, false).text).text;
      yield {
        id: id === '' || before !== null ? null : id,
        line: row.line,
        reference: { ...said, text },
        hypothesis: plainText(heard),
        ...(isMissing && { missing: true }),
        values: (attribute) => {
          const values = rowValues.of(row, attribute);
          return attribute === 'speaker' && values.length === 0 && speaker !== undefined ? [speaker] : values;
        },
        attributes: () => attributesOfRow(row, ['id', reference.text, hypothesis.text]),
      };
    }
  }
}

/** A column that is called as the path of a sound, or as an id, where it has its own in each row that was looked at. */
function namesRows({ columns }: TableHead, id: string | null): string | null {
  const values = columns.find(({ name }) => name === id)?.values ?? [];
  return new Set(values).size === values.length && !values.includes('') ? id : null;
}
