import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { markOf, usualRole } from '../../base/columns/roles.ts';
import { badUsage, EarwitnessError, Undecided } from '../../base/errors.ts';
import { limitText, printable } from '../../base/printable.ts';
import { readStm } from '../../base/read-stm.ts';
import { type CtmToken, readCtm } from '../../scoring/transcript-files/read-ctm.ts';
import { firstOfSets } from '../../system/parquet-rows.ts';
import { alike } from './lines-beside.ts';
import { lookAt, openTable } from './open-table.ts';
import { pairStmWithCtm, pairsOfChannels } from './pairs-of-segments.ts';
import { pairsOfSides } from './pairs-of-sides.ts';
import { pairsOfTable } from './pairs-of-table.ts';
import { refuseTurned } from './refuse-turned.ts';
import { type PairSource, plainText, type ScoringPair } from './scoring-pair.ts';
import { sideOf } from './side.ts';
import { columnMeant, hasBothSides, missingColumn, type TextColumn } from './table.ts';
import { fileNamed, linesOf, stdin, stdinKept, type TextFile, type TextFormat, tableEnding } from './text-file.ts';

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
export async function pairSource({ places: named, reference, hypothesis, ...options }: Asked): Promise<PairSource> {
  const places = firstOfSets(named);
  if (places.length > 0 && (reference !== undefined || hypothesis !== undefined)) {
    throw badUsage('expected either arguments or --reference and --hypothesis, but got both; leave one out');
  }
  if (places.length > 2) {
    throw badUsage(
      `expected a reference and a hypothesis, but got ${places.length} arguments; several outputs are compared by: earwitness compare REFERENCES A B, and a text of several words stands in quotes`,
    );
  }
  if (places.length === 1) return tableSource(places[0]!, options);
  const said = places[0] ?? reference;
  const heard = places[1] ?? hypothesis;
  if (said === undefined || heard === undefined) {
    throw badUsage(
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
    throw badUsage(
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
  throw badUsage(`expected ${needs[name]} with --${name.replace('C', '-c')}, but got ${got}; leave it out`);
}

/** A file of both sides. */
async function tableSource(place: string, options: PairOptions): Promise<PairSource> {
  const found = await fileNamed(place, options.tier);
  const file = found === '-' ? { ...stdin } : found;
  if (file?.format !== 'table') {
    throw badUsage(
      `expected a reference and a hypothesis, or one .tsv, .csv or .jsonl file with both, but got ${file === null ? JSON.stringify(limitText(place, 60)) : place} alone; ${file === null ? givenSecond : await beside(file)}`,
    );
  }
  refuseUnused(options, ['silence', 'ids'], 'a table');
  const { referenceColumn: reference, hypothesisColumn: hypothesis, speakerColumn: speaker, idColumn: id } = options;
  const wanted = { reference, hypothesis, speaker, id, by: options.by };
  return pairsOfTable(file, wanted, options.alternatives === true);
}

const stemOf = (file: string) => basename(file).replace(/\.[^.]+$/, '');
const givenSecond = 'give what was recognized as a second argument';
/** Forms in which programs keep tables, and that are not read. */
const otherTables = /\.(?:md|markdown|html?|ya?ml|ods|pkl|pickle|feather|arrow|npy|npz|sqlite|db|docx?|xls|rtf|tex)$/i;
const maxTables = 40;

/** What to do where one file or folder is given that is no table: of a folder the tables with both sides, tried. */
async function beside({ name, path, format }: TextFile): Promise<string> {
  if (format !== 'folder')
    return otherTables.test(name)
      ? 'save the table in it as .csv, or give what was recognized as a second argument'
      : givenSecond;
  const all = readdirSync(path!, { recursive: true, encoding: 'utf8' })
    .map((file) => join(name, file))
    .sort();
  const tables = firstOfSets(all.filter((file) => tableEnding.test(file))).slice(0, maxTables);
  const both = (await Promise.all(tables.map(holdsBoth))).flatMap((holds, at) => (holds ? printable(tables[at]!) : []));
  const [first] = both;
  if (first !== undefined) {
    const more = both.length === 1 ? '' : `; ${both.length} in it hold both sides`;
    return `name a table in it: earwitness score ${first}${more}`;
  }
  const texts = all.filter((file) => /\.(?:txt|trn|stm|ctm|srt|vtt)$/i.test(file));
  const called = (side: 'output' | 'reference') => texts.filter((file) => markOf(stemOf(file)) === side);
  const [[reference, ...moreReferences], [output]] = [called('reference'), called('output')];
  if (reference !== undefined && output !== undefined && moreReferences.length === 0)
    return `name its references and what was recognized: earwitness score ${printable(reference)} ${printable(output)}`;
  const other = all.find((file) => otherTables.test(file));
  if (other !== undefined && texts.length + tables.length === 0)
    return `save the table in ${printable(other)} as .csv or .parquet`;
  return givenSecond;
}

async function holdsBoth(place: string): Promise<boolean> {
  try {
    return hasBothSides(await lookAt({ name: place, path: place, format: 'table' }), {});
  } catch (error) {
    // Several of its columns may be the reference, or it cannot be read: it is said where it is named.
    if (error instanceof EarwitnessError) return error instanceof Undecided;
    throw error;
  }
}

/** Formats of which each line or row is read as it comes. */
const ofLines: readonly TextFormat[] = ['table', 'lines', 'ids', 'trn', 'stm', 'ctm'];

async function fileSource(first: TextFile | '-', second: TextFile | '-', options: PairOptions): Promise<PairSource> {
  if (first === '-' && second === '-') {
    throw badUsage(
      'expected stdin (-) for the reference or the hypothesis, but got it for both; give one of them as a file',
    );
  }
  // What comes on stdin is of the other's kind, unless that is a folder, or one recording.
  const piped = async (format: TextFormat) => (ofLines.includes(format) ? { ...stdin, format } : stdinKept());
  const reference = first === '-' ? await piped((second as TextFile).format) : first;
  const hypothesis = second === '-' ? await piped(reference.format === 'stm' ? 'ctm' : reference.format) : second;
  return pairsOfFiles(reference, hypothesis, options);
}

/** The pairs of two files. */
export async function pairsOfFiles(said: TextFile, heard: TextFile, options: PairOptions): Promise<PairSource> {
  const [reference, hypothesis] = await alike(said, heard, options.tier);
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
      ...{ column: options.referenceColumn, otherColumn: options.hypothesisColumn },
      ...{ speakerColumn: options.speakerColumn, idColumn: options.idColumn },
      ...{ alternatives, tier },
      named: named(hypothesis),
    }),
    sideOf(withIds(hypothesis), 'hypothesis', {
      ...{ column: options.hypothesisColumn, otherColumn: options.referenceColumn },
      ...{ idColumn: options.idColumn, alternatives: false, tier },
      named: named(reference),
    }),
    options.idColumn,
  );
}

/** A table whose columns have names is no file of lines. */
async function refuseTable(file: TextFile): Promise<void> {
  if (file.format !== 'table') return;
  const { namesMade, columns } = await openTable(file);
  const isNamed = namesMade === null && columns.some(({ name }) => usualRole(name) !== undefined);
  if (!isNamed && !/\.(?:csv|jsonl?|ndjson|parquet)$/i.test(file.name)) return;
  throw badUsage(
    `expected ${needs.ids} with --ids, but ${file.name} is a table, which is matched by a column; leave --ids out, or name the column with --id-column`,
  );
}

/** Of two tables one may call its ids otherwise. */
async function refuseNoId(files: readonly TextFile[], wanted: string): Promise<void> {
  const names = new Set<string>();
  for (const file of files) {
    if (file.format !== 'table') continue;
    const table = await openTable(file);
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
