import { usualRole } from '../../base/columns/roles.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { limitText } from '../../base/printable.ts';
import { readStm } from '../../base/read-stm.ts';
import { createIdRegister } from '../../corpora/shared/utterance-id.ts';
import { type CtmToken, readCtm } from '../../scoring/transcript-files/read-ctm.ts';
import { alike } from './lines-beside.ts';
import { type OpenTable, openTable } from './open-table.ts';
import { pairStmWithCtm, pairsOfChannels } from './pairs-of-segments.ts';
import { pairsOfSides } from './pairs-of-sides.ts';
import { refuseTurned } from './refuse-turned.ts';
import { createLeftovers, createTwice, type PairSource, plainText, type ScoringPair } from './scoring-pair.ts';
import { sideOf } from './side.ts';
import {
  attributesOfRow,
  bothColumns,
  channelOfRow,
  columnMeant,
  createRowValues,
  hasNoText,
  isNotKnown,
  isSummary,
  meantColumns,
  missingColumn,
  refuseSeveralSystems,
  speakersIn,
  type TextColumn,
  textOfRow,
  type WantedColumns,
} from './table.ts';
import { fileNamed, linesOf, stdin, type TextFile, type TextFormat } from './text-file.ts';
import { type WordsAlone, wordsAlone } from './words-alone.ts';

/** What was asked to be compared. */
export interface Asked {
  /** The arguments: a table, or a reference and a hypothesis. */
  readonly places: readonly string[];
  readonly reference?: string;
  readonly hypothesis?: string;
  readonly alternatives?: true;
  readonly ids?: true;
  /** What the column of the references, or of the hypotheses, is called. */
  readonly referenceColumn?: string;
  readonly hypothesisColumn?: string;
  /** What the column of the ids is called. */
  readonly idColumn?: string;
  /** What the column of the speakers is called. */
  readonly speakerColumn?: string;
  /** The column by which the rates are asked for. */
  readonly by?: string;
  /** The tier of the words, in files that have several. */
  readonly tier?: string;
  /** Two ctm files are cut at silences of both of so many seconds; Infinity for channels as a whole. */
  readonly silence?: number;
  /** Of words with times whole recordings are compared, since other outputs have none. */
  readonly whole?: true;
}

const defaultSilenceSeconds = 0.5;

/**
 * Where the pairs come from: a table with both sides, two files, or two texts. Two ctm files are put together by channel
 * and cut at silences, a ctm is cut to the segments of an stm, all others go by id or by order.
 *
 * @throws EarwitnessError `bad-usage`: one side is missing, a path that is none, formats that do not belong together
 */
export async function pairSource({ places, reference, hypothesis, ...options }: Asked): Promise<PairSource> {
  if (places.length > 0 && (reference !== undefined || hypothesis !== undefined)) {
    throw new EarwitnessError(
      'bad-usage',
      'expected either arguments or --reference and --hypothesis, but got both; leave one out',
    );
  }
  if (places.length === 1) return tableSource(places[0]!, options);
  const said = places[0] ?? reference;
  const heard = places[1] ?? hypothesis;
  if (said === undefined || heard === undefined) {
    throw new EarwitnessError(
      'bad-usage',
      'expected a reference and a hypothesis (two files, or two texts), or one table with both; for example: earwitness score ref.txt hyp.txt',
    );
  }
  const [first, second] = [await fileNamed(said, options.tier), await fileNamed(heard, options.tier)];
  if (first === null && second === null) {
    refuseUnused(options, ['silence', 'ids', ...columnOptions], 'two texts');
    return textSource(said, heard, options.alternatives === true);
  }
  if (first === null || second === null) {
    const [file, text] = first === null ? [heard, said] : [said, heard];
    throw new EarwitnessError(
      'bad-usage',
      `expected two files or two texts, but ${file === '-' ? 'stdin (-)' : file} is a file, and there is no file ${JSON.stringify(limitText(text, 60))}; check the path`,
    );
  }
  // Who names the sides means them so.
  const isAsked = places.length < 2 || options.referenceColumn !== undefined || options.hypothesisColumn !== undefined;
  if (!isAsked && first !== '-' && second !== '-') await refuseTurned([first, second], 'score');
  return fileSource(first, second, options);
}

type PairOptions = Omit<Asked, 'places' | TextColumn>;

const columnOptions = ['referenceColumn', 'hypothesisColumn', 'idColumn', 'speakerColumn'] as const;
const needs = {
  silence: 'two .ctm files',
  ids: 'two files of lines',
  idColumn: 'a table (.csv, .tsv, .jsonl)',
  referenceColumn: 'a table (.csv, .tsv, .jsonl) of references',
  hypothesisColumn: 'a table (.csv, .tsv, .jsonl) of hypotheses',
  speakerColumn: 'a table (.csv, .tsv, .jsonl) of references',
};

function refuseUnused(options: PairOptions, unused: readonly (keyof typeof needs)[], got: string): void {
  const name = unused.find((option) => options[option] !== undefined);
  if (name === undefined) return;
  throw new EarwitnessError(
    'bad-usage',
    `expected ${needs[name]} with --${name.replace('C', '-c')}, but got ${got}; leave it out`,
  );
}

/** A file of both sides. */
async function tableSource(place: string, options: PairOptions): Promise<PairSource> {
  const found = await fileNamed(place, options.tier);
  const file = found === '-' ? stdin : found;
  if (file?.format !== 'table') {
    throw new EarwitnessError(
      'bad-usage',
      `expected a reference and a hypothesis, or one .tsv, .csv or .jsonl file with both, but got ${file === null ? JSON.stringify(limitText(place, 60)) : place} alone; give what was recognized as a second argument`,
    );
  }
  refuseUnused(options, ['silence', 'ids'], 'a table');
  const { referenceColumn: reference, hypothesisColumn: hypothesis, speakerColumn: speaker, idColumn: id } = options;
  const wanted = { reference, hypothesis, speaker, id, by: options.by };
  return pairsOfTable(file, wanted, options.alternatives === true);
}

async function fileSource(first: TextFile | '-', second: TextFile | '-', options: PairOptions): Promise<PairSource> {
  if (first === '-' && second === '-') {
    throw new EarwitnessError(
      'bad-usage',
      'expected stdin (-) for the reference or the hypothesis, but got it for both; give one of them as a file',
    );
  }
  // What comes on stdin is of the other's kind.
  const reference = first === '-' ? { ...stdin, format: (second as TextFile).format } : first;
  const like = reference.format === 'stm' ? 'ctm' : reference.format;
  const hypothesis = second === '-' ? { ...stdin, format: like } : second;
  return pairsOfFiles(reference, hypothesis, options);
}

/** The pairs of two files. */
export async function pairsOfFiles(said: TextFile, heard: TextFile, options: PairOptions): Promise<PairSource> {
  const [reference, hypothesis] = await alike(said, heard, options);
  const names = { reference: reference.name, hypothesis: hypothesis.name };
  const formats = `${reference.format} ${hypothesis.format}`;
  const got = `${names.reference} and ${names.hypothesis}`;
  if (reference.format !== 'table') refuseUnused(options, ['referenceColumn', 'speakerColumn'], reference.name);
  if (hypothesis.format !== 'table') refuseUnused(options, ['hypothesisColumn'], hypothesis.name);
  if (formats === 'ctm stm') await refuseTurned([reference, hypothesis], 'score');
  if (formats === 'ctm ctm' && !options.whole) {
    refuseUnused(options, ['ids'], got);
    const tokens = { reference: () => tokensOf(reference), hypothesis: () => tokensOf(hypothesis) };
    return pairsOfChannels({ ...tokens, names }, options.silence ?? defaultSilenceSeconds);
  }
  refuseUnused(options, ['silence'], got);
  if (formats === 'stm ctm' && !options.whole) {
    refuseUnused(options, ['ids'], got);
    const segments = () => readStm(linesOf(reference), reference.name);
    return pairStmWithCtm({ reference: segments, hypothesis: () => tokensOf(hypothesis), names });
  }
  if (formats.includes('trn')) refuseUnused(options, ['ids'], got);
  if (options.ids) for (const file of [reference, hypothesis]) await refuseTable(file);
  if (!formats.includes('table')) refuseUnused(options, ['idColumn'], got);
  else if (options.idColumn !== undefined) await refuseNoId([reference, hypothesis], options.idColumn);
  const withIds = (file: TextFile): TextFile => (options.ids ? { ...file, format: 'ids' } : file);
  const alternatives = options.alternatives === true;
  const { tier } = options;
  const named = (other: TextFile) => !onePiece.includes(withIds(other).format);
  return pairsOfSides(
    sideOf(withIds(reference), 'reference', {
      ...{ column: options.referenceColumn, speakerColumn: options.speakerColumn, idColumn: options.idColumn },
      ...{ alternatives, tier },
      named: named(hypothesis),
    }),
    sideOf(withIds(hypothesis), 'hypothesis', {
      ...{ column: options.hypothesisColumn, idColumn: options.idColumn, alternatives: false, tier },
      named: named(reference),
    }),
    options.idColumn,
  );
}

/** A table whose columns have names is no file of lines. */
async function refuseTable(file: TextFile): Promise<void> {
  if (file.format !== 'table' || file.path === null) return;
  const table = await openTable(file);
  await table.close();
  const isNamed = table.namesMade === null && table.columns.some(({ name }) => usualRole(name) !== undefined);
  if (!isNamed && !/\.(?:csv|jsonl?|ndjson|parquet)$/i.test(file.name)) return;
  throw new EarwitnessError(
    'bad-usage',
    `expected ${needs.ids} with --ids, but ${file.name} is a table, which is matched by a column; leave --ids out, or name the column with --id-column`,
  );
}

/** Of two tables one may call its ids otherwise. */
async function refuseNoId(files: readonly TextFile[], wanted: string): Promise<void> {
  const names = new Set<string>();
  for (const file of files) {
    // What comes on stdin is read once.
    if (file.path === null) return;
    if (file.format !== 'table') continue;
    const table = await openTable(file);
    await table.close();
    if (columnMeant(table, wanted) !== null) return;
    for (const { name } of table.columns) names.add(name);
  }
  throw missingColumn(files.map(({ name }) => name).join(' and '), [...names], 'id', wanted);
}

/** Without names of their own for the texts in them, but for what lines may begin with. */
const onePiece: readonly TextFormat[] = ['lines', 'whole', 'recording'];

function textSource(reference: string, hypothesis: string, alternatives: boolean): PairSource {
  const taken = () => ({ how: 'as one text', reference: null, hypothesis: null });
  return { pairs: pair(), leftovers: () => null, compared: () => null, taken };

  async function* pair(): AsyncGenerator<ScoringPair> {
    const said = { text: reference, alternatives, place: () => ({ where: 'the reference', column: 1 }) };
    yield {
      id: null,
      line: 1,
      reference: said,
      hypothesis: plainText(hypothesis),
      values: () => [],
      attributes: () => ({}),
    };
  }
}

async function tokensOf(file: TextFile): Promise<CtmToken[]> {
  const tokens: CtmToken[] = [];
  for await (const token of readCtm(linesOf(file), file.name)) tokens.push(token);
  return tokens;
}

/**
 * The pairs of a table with both sides in each row and, if it has one, an id.
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
  const twice = createTwice();
  const compared = () =>
    columns &&
    `${file.name}, row by row: reference in ${columns.reference.text}, hypothesis in ${columns.hypothesis.text}${speakersIn(rowValues.speakerColumn())}${leftOut()}${twice.told()}`;
  let words: Readonly<Record<TextColumn, WordsAlone>> | null = null;
  const leftOut = () =>
    [...new Set([words?.reference.told, words?.hypothesis.told])].map((told) => (told ? `; ${told}` : '')).join('');
  let wanted = named;
  const rowValues = createRowValues(
    () => wanted.speaker,
    () => ['id', columns!.reference.text, columns!.hypothesis.text],
  );
  const taken = () => ({
    how: `row by row${speakersIn(rowValues.speakerColumn())}${leftOut()}${twice.told()}`,
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
    const whole = createIdRegister();
    const table = await openTable(file);
    try {
      if (table.first === null) {
        throw new EarwitnessError('bad-input', `${file.name}: expected at least one pair, but the file has none`);
      }
      if (only === undefined) refuseSeveralSystems(table, wanted.by);
      wanted = meantColumns(table, named);
      columns = bothColumns(table, wanted);
      const { reference, hypothesis } = columns;
      const valuesOf = ({ text }: { readonly text: string }) => table.columns.find(({ name }) => name === text)!.values;
      words = { reference: wordsAlone(valuesOf(reference)), hypothesis: wordsAlone(valuesOf(hypothesis)) };
      const isNamed = wanted.id !== undefined || table.columns.some(({ name }) => name === 'id');
      const idColumn = wanted.id ?? (isNamed ? 'id' : (namesRows(table, reference.id) ?? 'id'));
      for await (const row of table.rows()) {
        if (only !== undefined && (row.text(only.column) ?? '') !== only.value) continue;
        if (isSummary(row, row.names.includes(idColumn) ? idColumn : null, [reference.text, hypothesis.text])) continue;
        const own = row.text(idColumn) ?? null;
        const channel = channelOfRow(row, reference);
        const id = own === null || own === '' || channel === null ? own : `${own}#${channel}`;
        const before = id === null || id === '' ? null : ids.add(id, row.line);
        const texts = [id, row.text(reference.text), row.text(hypothesis.text)];
        if (isNamed && id !== null && id !== '' && whole.add(JSON.stringify(texts), row.line) !== null) {
          twice.add(file.name);
          continue;
        }
        if (before !== null && isNamed) {
          throw new EarwitnessError(
            'bad-input',
            `${row.place(idColumn)}: expected different ids, but ${JSON.stringify(limitText(id!, 100))} stands in line ${before} too; rename one or take it out`,
          );
        }
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
    } finally {
      await table.close();
    }
  }
}

/** A column that is called as the path of a sound, or as an id, where it has its own in each row that was looked at. */
function namesRows({ columns }: OpenTable, id: string | null): string | null {
  const values = columns.find(({ name }) => name === id)?.values ?? [];
  return new Set(values).size === values.length && !values.includes('') ? id : null;
}
