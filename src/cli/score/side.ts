import { hypothesisColumn } from '../../base/columns/roles.ts';
import { badInput, EarwitnessError } from '../../base/errors.ts';
import { type Json, parseJson } from '../../base/json.ts';
import { readStm } from '../../base/read-stm.ts';
import { ctmText, readCtm } from '../../scoring/transcript-files/read-ctm.ts';
import { foldCase, readTrn } from '../../scoring/transcript-files/read-trn.ts';
import { jsonRow } from '../../system/json-rows.ts';
import { readText } from '../../system/text-lines.ts';
import { readTranscript } from '../../system/transcripts/read-transcript.ts';
import { type OpenTable, openTable } from './open-table.ts';
import { plainText } from './scoring-pair.ts';
import type { SideText } from './side-text.ts';
import { type Columns, columnMeant, columnsOfSide, type TextColumn } from './table.ts';
import {
  attributesOfRow,
  channelOfRow,
  createRowValues,
  hasNoText,
  isNotKnown,
  isSummary,
  type RowValues,
  textOfRow,
} from './table-row.ts';
import { idLine, linesOf, type TextFile, textsById, textsInFolder } from './text-file.ts';
import { wordsAlone } from './words-alone.ts';

/** A file that holds references, or hypotheses. */
export interface Side {
  readonly name: string;
  /** What is counted in it. */
  readonly unit: 'lines' | 'rows' | 'utterances' | 'recordings';
  texts(): AsyncGenerator<SideText>;
  /** What was taken for the texts and the speakers, where that was to be found out: known once texts were asked. */
  told(): string | null;
  /** Of a table the columns that were taken: known once its texts were asked. */
  columns(): Pick<Columns, 'id' | 'text'> | null;
  /** Of a table the column that says who spoke. */
  speakerColumn(): string | null;
  /** Ids that are the same to people. */
  key(id: string): string;
}

/** What the options say of a file. */
interface SideOptions {
  /** The columns of the texts and of the speakers, where they name any. */
  readonly column?: string | undefined;
  readonly speakerColumn?: string | undefined;
  readonly idColumn?: string | undefined;
  /** The column of the other side, which a table may hold beside this one. */
  readonly otherColumn?: string | undefined;
  readonly alternatives: boolean;
  readonly tier?: string | undefined;
  /** Whether the other side names its texts, so that the name of a file means one of them. */
  readonly named?: boolean;
}

/** A trn file, a table, lines of ids and texts, lines of text, the words of a recording, or a folder of those. */
export function sideOf(file: TextFile, side: TextColumn, options: SideOptions): Side {
  const { column, speakerColumn, idColumn, otherColumn, alternatives, tier, named = false } = options;
  const { name, format } = file;
  const others = { name, told: () => null, columns: () => null, speakerColumn: () => null, key: (id: string) => id };
  switch (format) {
    case 'table': {
      let taken: Columns | null = null;
      let titled: readonly string[] = [];
      let speaker = speakerColumn;
      const values = createRowValues(
        () => speaker,
        () => [taken?.text ?? null],
      );
      async function* texts(): AsyncGenerator<SideText> {
        const table = await openTable(file);
        if (table.first === null) return;
        const columns = columnsOfSide(table, side, column, { id: idColumn, other: otherColumn });
        taken = columns;
        titled = table.titled;
        if (speaker !== undefined) speaker = columnMeant(table, speaker) ?? speaker;
        yield* tableTexts(table, columns, values, { side, alternatives });
      }
      const taking = () => (taken === null || taken.text === side ? [] : [`${side} in ${taken.text}`]);
      const told = () => [...titled, ...taking()].join(', ') || null;
      return { ...others, unit: 'rows', texts, told, columns: () => taken, speakerColumn: values.speakerColumn };
    }
    case 'lines':
      return { ...others, unit: 'lines', texts: () => lineTexts(file, alternatives) };
    case 'ids':
      return { ...others, unit: 'utterances', texts: () => idTexts(file, alternatives) };
    case 'counted':
      return { ...others, unit: 'utterances', texts: () => countedTexts(file, alternatives) };
    case 'texts':
      return { ...others, unit: 'utterances', texts: () => memberTexts(file) };
    case 'recording':
    case 'whole': {
      const told = () => (file.transcript === undefined ? null : file.transcript.form);
      const id = named ? name : null;
      return { ...others, unit: 'recordings', texts: () => wholeText(file, id, tier), told };
    }
    case 'folder':
      return { ...others, unit: 'recordings', texts: () => folderTexts(file, tier) };
    case 'stm':
    case 'ctm':
      return {
        ...others,
        unit: 'recordings',
        texts: () => timedTexts(file, named),
        told: () => 'all words of a recording',
      };
    default:
      // Without regard to letter case, as NIST's sclite does.
      return { ...others, unit: 'utterances', texts: () => trnTexts(file), key: foldCase };
  }
}

const nothing = { values: () => [], attributes: () => ({}) };

async function* trnTexts(file: TextFile): AsyncGenerator<SideText> {
  for await (const { id, speaker, text, line, column } of readTrn(linesOf(file), file.name)) {
    yield {
      id,
      text: { text, alternatives: true, place: () => ({ where: `${file.name}:${line}`, column }) },
      line,
      values: (attribute) => (attribute === 'speaker' && speaker !== null ? [speaker] : []),
      attributes: () => (speaker === null ? {} : { speaker }),
    };
  }
}

/** Of each recording its words in their order, whoever said them. */
async function* timedTexts(file: TextFile, named: boolean): AsyncGenerator<SideText> {
  const parts: { readonly file: string; readonly beginSeconds: number; readonly text: string }[] = [];
  if (file.format === 'stm') {
    const { segments } = await readStm(linesOf(file), file.name);
    if (segments.some(({ ignored }) => ignored)) {
      throw badInput(
        `${file.name}: expected words with times (.ctm) beside it, since it leaves stretches out of the scoring; write what was recognized as .ctm`,
      );
    }
    parts.push(...segments);
  } else {
    for await (const token of readCtm(linesOf(file), file.name)) parts.push({ ...token, text: ctmText([token]) });
  }
  const recordings = Map.groupBy(parts, (part) => part.file);
  for (const [id, said] of recordings) {
    const texts = said.sort((a, b) => a.beginSeconds - b.beginSeconds).map(({ text }) => text.trim());
    yield {
      id: named || recordings.size > 1 ? id : null,
      text: {
        text: texts.filter((text) => text !== '').join(' '),
        alternatives: true,
        place: () => ({ where: file.name, column: 1 }),
      },
      line: 1,
      ...nothing,
    };
  }
}

async function* lineTexts(file: TextFile, alternatives: boolean): AsyncGenerator<SideText> {
  for await (const { number, text } of linesOf(file)) {
    const lineEnd = text.indexOf('\r');
    if (lineEnd !== -1) {
      throw badInput(
        `${file.name}:${number}:${lineEnd + 1}: expected lines that end with a line feed, but they end with a carriage return alone; save the file with Unix or Windows line ends`,
      );
    }
    const place = () => ({ where: `${file.name}:${number}`, column: 1 });
    yield { id: null, text: { text, alternatives, place }, line: number, ...nothing };
  }
}

async function* idTexts(file: TextFile, alternatives: boolean): AsyncGenerator<SideText> {
  for await (const { number, text: line } of linesOf(file)) {
    const entry = idLine(line);
    if (entry === null) continue;
    const column = line.length - entry.text.length + 1;
    const place = () => ({ where: `${file.name}:${number}`, column });
    yield { id: entry.id, text: { text: entry.text, alternatives, place }, line: number, ...nothing };
  }
}

async function* countedTexts(file: TextFile, alternatives: boolean): AsyncGenerator<SideText> {
  let id: string | null = null;
  for await (const { number, text } of linesOf(file)) {
    if (id === null) {
      id = text.trim();
      continue;
    }
    const place = () => ({ where: `${file.name}:${number}`, column: 1 });
    yield { id, text: { text, alternatives, place }, line: number, ...nothing };
    id = null;
  }
}

async function* memberTexts(file: TextFile): AsyncGenerator<SideText> {
  for (const [id, text] of (await textsById(file.path!)) ?? []) {
    yield {
      id,
      text: { text, alternatives: false, place: () => ({ where: file.name, column: 1 }) },
      line: 1,
      ...nothing,
    };
  }
}

/** All words of one file, whatever lines it has. */
async function* wholeText(file: TextFile, id: string | null, tier?: string): AsyncGenerator<SideText> {
  const transcript = file.transcript ?? (file.path === null ? null : await readTranscript(file.path, file.name, tier));
  const lines: string[] = [];
  if (transcript === null && /\.(?:json|jsonl|tsv)$/i.test(file.name)) lines.push(await textOfMember(file));
  else if (transcript === null) for await (const line of linesOf(file)) lines.push(line.text.trim());
  const words = wordsAlone(lines, [], null);
  const text =
    transcript?.text ??
    lines
      .filter((line) => line !== '')
      .map((line) => words.of(line).text)
      .join(' ');
  const speakers = new Set(transcript?.segments.map(({ speaker }) => speaker));
  const [speaker] = speakers.size === 1 ? speakers : [];
  yield {
    id,
    text: { text, alternatives: false, place: () => ({ where: file.name, column: 1 }) },
    line: 1,
    values: (attribute) => (attribute === 'speaker' && speaker !== undefined ? [speaker] : []),
    attributes: (): { readonly [name: string]: Json } => (speaker === undefined ? {} : { speaker }),
  };
}

/** The text of a file that is one JSON object, by the name of its member. */
async function textOfMember({ name, path }: TextFile): Promise<string> {
  let value: unknown = null;
  try {
    value = parseJson(await readText(path!, Number.POSITIVE_INFINITY));
  } catch {
    // No object, which is said below, or no text at all, which its lines tell.
    for await (const _ of linesOf({ name, path, format: 'lines' }));
  }
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  const row = object === null ? null : jsonRow(object, { number: 1, text: '' }, name);
  const text = row?.text(hypothesisColumn(row.names) ?? '');
  if (text !== undefined) return text;
  throw badInput(
    `${name}: expected the transcript of one recording, but this is no result of a recognizer that is known, and no object with a text; take it out of the folder, or write its text as .txt`,
  );
}

async function* wholeOrProblem(file: TextFile, id: string, tier?: string): AsyncGenerator<SideText> {
  try {
    yield* wholeText(file, id, tier);
  } catch (error) {
    if (!(error instanceof EarwitnessError)) throw error;
    yield { id, text: plainText(''), line: 1, problem: error, ...nothing };
  }
}

async function* folderTexts(folder: TextFile, tier?: string): AsyncGenerator<SideText> {
  for (const { id, file } of textsInFolder(folder)) {
    if (/\.trans\.txt$/i.test(file.name)) yield* idTexts(file, false);
    else if (/\.json$/i.test(file.name)) yield* wholeOrProblem(file, id, tier);
    else yield* wholeText(file, id, tier);
  }
}

async function* tableTexts(
  { file, rows }: OpenTable,
  columns: ReturnType<typeof columnsOfSide>,
  rowValues: RowValues,
  { side, alternatives }: { readonly side: TextColumn; readonly alternatives: boolean },
): AsyncGenerator<SideText> {
  const { id: idColumn, path: pathColumn, text, ownReference } = columns;
  for await (const row of rows()) {
    if (idColumn !== null && isSummary(row, idColumn, [text])) continue;
    const isNull = side === 'hypothesis' && hasNoText(row, text);
    if (isNull && idColumn !== null) continue;
    const channel = channelOfRow(row, columns);
    const id = idColumn === null ? null : (row.text(idColumn)?.trim() ?? '');
    if (id === '') {
      throw badInput(
        `${row.place(idColumn!)}: expected an id, by which the two files are put together, but there is none; fill it in, or take the column ${idColumn} out`,
      );
    }
    yield {
      id,
      ...(pathColumn !== null && row.text(pathColumn)?.trim() && { path: row.text(pathColumn)!.trim() }),
      ...(channel !== null && { channel }),
      text: isNull ? plainText('') : textOfRow(row, text, file, side === 'reference' && alternatives),
      ...(side === 'reference' && isNotKnown(row, text) && { isUnknown: true }),
      line: row.line,
      row,
      ...(ownReference !== null && { ownReference: row.text(ownReference) ?? '' }),
      values: (attribute) => rowValues.of(row, attribute),
      attributes: () => attributesOfRow(row, [idColumn, text]),
    };
  }
}
