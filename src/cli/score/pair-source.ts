import { existsSync, statSync } from 'node:fs';
import { EarwitnessError } from '../../base/errors.ts';
import { limitText } from '../../base/printable.ts';
import { readStm } from '../../base/read-stm.ts';
import { createIdRegister } from '../../corpora/shared/utterance-id.ts';
import { type CtmToken, readCtm } from '../../scoring/transcript-files/read-ctm.ts';
import type { Row } from '../../system/delimited-rows.ts';
import { pairStmWithCtm, pairsOfChannels } from './pairs-of-segments.ts';
import { pairsOfSides } from './pairs-of-sides.ts';
import { type PairSource, plainText, type ScoringPair } from './scoring-pair.ts';
import { sideOf } from './side.ts';
import {
  attributesOfRow,
  type Columns,
  channelOfRow,
  columnsOf,
  createRowValues,
  speakersIn,
  type TextColumn,
  tableRows,
  textOfRow,
  type WantedColumns,
} from './table.ts';
import { linesOf, type TextFile, type TextFormat } from './text-file.ts';

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
  /** What the column of the speakers is called. */
  readonly speakerColumn?: string;
  /** Two ctm files are cut at silences of both of so many seconds; Infinity for channels as a whole. */
  readonly silence?: number;
}

const defaultSilenceSeconds = 0.5;

/**
 * Where the pairs come from: a table with both sides, two files, or two texts. Two ctm files are put together by channel
 * and cut at silences, a ctm is cut to the segments of an stm, all others go by id or by order.
 *
 * @throws EarwitnessError `bad-usage`: one side is missing, a path that is none, formats that do not belong together
 */
export function pairSource({ places, reference, hypothesis, ...options }: Asked): PairSource {
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
  const [first, second] = [fileOf(said), fileOf(heard)];
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
  return fileSource(first, second, options);
}

type PairOptions = Omit<Asked, 'places' | TextColumn>;

const columnOptions = ['referenceColumn', 'hypothesisColumn', 'speakerColumn'] as const;
const needs = {
  silence: 'two .ctm files',
  ids: 'two files of lines',
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
function tableSource(place: string, options: PairOptions): PairSource {
  const found = fileOf(place);
  const file = found === '-' ? stdin : found;
  if (file?.format !== 'table') {
    throw new EarwitnessError(
      'bad-usage',
      `expected a reference and a hypothesis, or one .tsv, .csv or .jsonl file with both, but got ${file === null ? JSON.stringify(limitText(place, 60)) : place} alone; give what was recognized as a second argument`,
    );
  }
  refuseUnused(options, ['silence', 'ids'], 'a table');
  const { referenceColumn: reference, hypothesisColumn: hypothesis, speakerColumn: speaker } = options;
  const wanted = { reference, hypothesis, speaker };
  return pairsOfTable(file, wanted, options.alternatives === true);
}

function fileSource(first: TextFile | '-', second: TextFile | '-', options: PairOptions): PairSource {
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
  const names = { reference: reference.name, hypothesis: hypothesis.name };
  const formats = `${reference.format} ${hypothesis.format}`;
  const got = `${names.reference} and ${names.hypothesis}`;
  if (reference.format !== 'table') refuseUnused(options, ['referenceColumn', 'speakerColumn'], reference.name);
  if (hypothesis.format !== 'table') refuseUnused(options, ['hypothesisColumn'], hypothesis.name);
  if (formats === 'ctm ctm') {
    refuseUnused(options, ['ids'], got);
    const tokens = { reference: () => tokensOf(reference), hypothesis: () => tokensOf(hypothesis) };
    return pairsOfChannels({ ...tokens, names }, options.silence ?? defaultSilenceSeconds);
  }
  refuseUnused(options, ['silence'], got);
  if (formats === 'stm ctm') {
    refuseUnused(options, ['ids'], got);
    const segments = () => readStm(linesOf(reference), reference.name);
    return pairStmWithCtm({ reference: segments, hypothesis: () => tokensOf(hypothesis), names });
  }
  if (/stm|ctm/.test(formats)) {
    throw new EarwitnessError(
      'bad-usage',
      `expected a reference and a hypothesis that belong together (.stm and .ctm, .ctm and .ctm, or any two of .txt, .trn, .csv, .tsv and .jsonl), but got ${got}`,
    );
  }
  if (formats.includes('trn')) refuseUnused(options, ['ids'], got);
  const withIds = (file: TextFile): TextFile => (options.ids ? { ...file, format: 'ids' } : file);
  const alternatives = options.alternatives === true;
  return pairsOfSides(
    sideOf(withIds(reference), 'reference', {
      ...{ column: options.referenceColumn, speakerColumn: options.speakerColumn, alternatives },
    }),
    sideOf(withIds(hypothesis), 'hypothesis', { column: options.hypothesisColumn, alternatives: false }),
  );
}

const stdin: TextFile = { name: 'stdin', path: null, format: 'table' };

/** Files that are called so are meant, even where blanks stand in the name. */
const textEnding = /\.(txt|text|trn|stm|ctm|tsv|tab|csv|jsonl|ndjson|json)$/i;
const wordPath = /^\S*[/\\]\S*$|^[^\s.]\S*\.[a-z][a-z0-9]{0,4}$/i;

/**
 * The file that a value names; null for a text to be scored itself.
 *
 * @throws EarwitnessError `bad-input`: it looks like a path, and there is no such file
 */
function fileOf(value: string): TextFile | '-' | null {
  if (value === '-') return '-';
  const found = existsSync(value) ? statSync(value) : null;
  const pathLike = textEnding.test(value) || wordPath.test(value);
  if (found !== null && !found.isDirectory()) return { name: value, path: value, format: formatOf(value) };
  if (found === null && !pathLike) return null;
  throw new EarwitnessError(
    'bad-input',
    `expected a file or a text, but ${JSON.stringify(limitText(value, 200))} ${found === null ? 'looks like a path and there is no such file; check the path' : 'is a folder; name a file in it'}, or add a blank at its end to score it as a text`,
  );
}

function formatOf(path: string): TextFormat {
  const ending = /\.([^.]*)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (ending === 'trn' || ending === 'stm' || ending === 'ctm') return ending;
  return ['tsv', 'tab', 'csv', 'jsonl', 'ndjson', 'json'].includes(ending) ? 'table' : 'lines';
}

function textSource(reference: string, hypothesis: string, alternatives: boolean): PairSource {
  return { pairs: pair(), leftovers: () => null, compared: () => null, hints: () => [] };

  async function* pair(): AsyncGenerator<ScoringPair> {
    const said = { text: reference, alternatives, place: () => ({ where: 'the reference', column: 1 }) };
    yield { id: null, reference: said, hypothesis: plainText(hypothesis), values: () => [], attributes: () => ({}) };
  }
}

async function tokensOf(file: TextFile): Promise<CtmToken[]> {
  const tokens: CtmToken[] = [];
  for await (const token of readCtm(linesOf(file), file.name)) tokens.push(token);
  return tokens;
}

/** The pairs of a table with both sides in each row and, if it has one, an id. */
function pairsOfTable(file: TextFile, wanted: WantedColumns, alternatives: boolean): PairSource {
  let columns: { readonly reference: Columns; readonly hypothesis: Columns } | null = null;
  const compared = () =>
    columns &&
    `columns ${columns.reference.text} and ${columns.hypothesis.text} of ${file.name}, row by row${speakersIn(rowValues.speakerColumn())}`;
  const rowValues = createRowValues(wanted.speaker, () => ['id', columns!.reference.text, columns!.hypothesis.text]);
  return { pairs: readPairs(), leftovers: () => null, compared, hints: () => [] };

  async function* readPairs(): AsyncGenerator<ScoringPair> {
    const ids = createIdRegister();
    for await (const row of tableRows(file)) {
      columns ??= bothColumns(row, wanted);
      const { reference, hypothesis } = columns;
      const own = row.text('id') ?? null;
      const channel = channelOfRow(row, reference);
      const id = own === null || own === '' || channel === null ? own : `${own}#${channel}`;
      const before = id === null || id === '' ? null : ids.add(id, row.line);
      if (before !== null) {
        throw new EarwitnessError(
          'bad-input',
          `${row.place('id')}: expected different ids, but ${JSON.stringify(limitText(id!, 100))} stands in line ${before} too; rename one or take it out`,
        );
      }
      yield {
        id: id === '' ? null : id,
        reference: textOfRow(row, reference.text, file, alternatives),
        hypothesis: plainText(textOfRow(row, hypothesis.text, file, false).text),
        values: (attribute) => rowValues.of(row, attribute),
        attributes: () => attributesOfRow(row, ['id', reference.text, hypothesis.text]),
      };
    }
    if (columns === null) {
      throw new EarwitnessError('bad-input', `${file.name}: expected at least one pair, but the file has none`);
    }
  }
}

function bothColumns(row: Row, wanted: WantedColumns): { readonly reference: Columns; readonly hypothesis: Columns } {
  const reference = columnsOf(row, 'reference', wanted.reference, false);
  const hypothesis = columnsOf(row, 'hypothesis', wanted.hypothesis, false);
  if (reference.text !== hypothesis.text) return { reference, hypothesis };
  const other = wanted.hypothesis === undefined ? 'hypothesis' : 'reference';
  throw new EarwitnessError(
    'bad-input',
    `${row.namesPlace()}: expected the reference and the hypothesis in a column each, but both are ${JSON.stringify(limitText(reference.text, 100))}; name the ${other} with --${other}-column`,
  );
}
