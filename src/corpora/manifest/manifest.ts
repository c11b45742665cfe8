import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { z } from 'zod';
import { badInput, type EarwitnessError } from '../../base/errors.ts';
import { languageTag, minNan } from '../../base/language-tag.ts';
import { list, matching, nonEmpty, oneOf } from '../../base/option-kinds.ts';
import { printable } from '../../base/printable.ts';
import { type TimeUnit, timeUnits } from '../../base/time-text.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Row } from '../../system/delimited-rows.ts';
import { readRows } from '../../system/read-rows.ts';
import type { CorpusKind, CorpusServices } from '../contract.ts';
import { usuallyMissing } from '../shared/attributes.ts';
import { soundFileCorpus } from '../shared/data-set-corpus.ts';
import { emptyReference, emptyReferencesWarning } from '../shared/empty-reference.ts';
import { type Boundary, checkLinks } from '../shared/folders.ts';
import { createIdRegister } from '../shared/utterance-id.ts';
import { channelsOfList } from './channel-column.ts';
import { createCodeWatch } from './code-not-known.ts';
import { type ColumnOfRole, checkColumns, findColumns, type Role, referenceIn, roles } from './columns.ts';
import { createFileFinder, type FileFinder, findSoundFolder } from './file-finder.ts';
import { createPieceCheck } from './pieces.ts';
import { unitInName } from './times.ts';
import { type RowContext, utteranceFromRow, withoutPrefix } from './utterance-from-row.ts';

const column = (about: string) => nonEmpty().nullable().optional().describe(about);

/** Options of `manifest`. */
const manifestOptions = z.strictObject({
  file: nonEmpty().describe('The list of utterances, a TSV, CSV or JSONL file.'),
  format: oneOf(['tsv', 'csv', 'jsonl']).optional().describe('Its format. Default: what its name or first line says.'),
  header: list(nonEmpty(), 1)
    .refine((names) => new Set(names).size === names.length, 'expected different names')
    .optional()
    .describe('Names of the columns in their order, where the first line of the list does not name them.'),
  columns: z
    .strictObject({
      id: column(
        'Unique name of the utterance. Default: the path without its extension, with its stretch if it has one.',
      ),
      path: column('Path of the audio file.'),
      channel: column(
        'Which of its channels: a number, A or B, left or right. Rows without one mean the file as a whole. The column stays an attribute too.',
      ),
      reference: column('The words that were said.'),
      speaker: column('Who speaks.'),
      language: column('BCP 47 tag, or the English name of a language: en, en-GB, English.'),
      start: column(
        'Where the utterance begins in its file, in seconds, as 0:01:02.5, or as its name says (start_ms).',
      ),
      end: column('Where it ends in its file.'),
      duration: column('How long it is; used with `start` only.'),
      tags: column('Tags, separated by comma or semicolon; in JSONL a list.'),
    })
    .optional()
    .describe('Which column holds what, where its name does not tell; null: none does.'),
  channelsFrom: z
    .union([z.literal(0), z.literal(1)])
    .optional()
    .describe(
      'The number of the first channel in the column of channels. Default: 0 where one of its rows says 0 (cuts of Lhotse), else 1 (STM, CTM).',
    ),
  timeUnit: z
    .enum(timeUnits)
    .optional()
    .describe(
      'Unit of start, end and duration; samples are those of the file. Default: what the name of each column says (start_ms, end_sample), else seconds. Times of a clock (0:01:02.5) are read in every unit.',
    ),
  attributes: z
    .array(nonEmpty())
    .optional()
    .describe('Columns that become attributes of the utterance. Default: every column that is nothing else.'),
  missing: z
    .array(z.string())
    .optional()
    .describe(
      'Texts that mean "not known" in every column but id, path and reference. Default: "", NA, N/A, NaN, nan (Min Nan where languages stand), null.',
    ),
  delimiter: z.string().length(1).optional().describe('What separates fields. Default: by the first line.'),
  language: z
    .string()
    .optional()
    .describe('Language of utterances for which the list says none. Default: und (not known).'),
  soundFolder: nonEmpty()
    .optional()
    .describe(
      'Folder from which paths of sounds are meant. Default: the folder of the list, or clips/, wavs/, wav/ or audio/ beside it where the sounds are there.',
    ),
  soundPrefix: nonEmpty()
    .optional()
    .describe(
      'What paths begin with on the machine where the list was made, with the last /: it is taken away, and what is left is meant from soundFolder. /data/speech/',
    ),
  soundEnding: matching(/^\.[A-Za-z0-9]{1,8}$/, 'expected an ending like ".wav"')
    .optional()
    .describe('Appended to the paths of a list that names its sounds without ending: .wav'),
  emptyReference,
  absentSounds: oneOf(['asked', 'left out'])
    .optional()
    .describe(
      'What becomes of rows whose sounds are not there: asked, and each is a failure; or left out, counted in a warning. Default: asked.',
    ),
  allowOutside: z
    .boolean()
    .optional()
    .describe('Whether sounds may lie outside of their folder (absolute paths, .., symbolic links). Default: false.'),
});

/** Rows looked at when the list is opened, to see where its sounds are. */
const rowsAtOpening = 20;

/**
 * A list of recordings in a TSV, CSV or JSONL file. Understands Common Voice, NeMo and Hugging Face audiofolder lists
 * as they are. Read from the disk each time it is opened, never held in memory.
 *
 * @example { type: 'manifest', file: 'cv-corpus/en/test.tsv', language: 'en' }
 */
export const manifest: CorpusKind<ManifestOptions> = {
  name: 'manifest',
  about: 'Recordings listed in a TSV, CSV or JSONL file (Common Voice, NeMo and Hugging Face lists as they are)',
  options: manifestOptions,
  async open(options, services) {
    const file = resolve(services.baseFolder, options.file);
    const rows = () =>
      readRows(file, options.file, {
        format: options.format,
        ...(options.delimiter !== undefined && { delimiter: options.delimiter }),
        ...(options.header !== undefined && { names: options.header }),
      });
    let columnsFor = columnFinder(options);

    const firstPaths: string[] = [];
    const firstRows: Row[] = [];
    for await (const row of rows()) {
      firstRows.push(row);
      const { path } = columnsFor(row).columns;
      const written = path === undefined ? undefined : withoutPrefix(row.text(path), options.soundPrefix);
      firstPaths.push(written ? `${written}${options.soundEnding ?? ''}` : '');
      if (firstPaths.length === rowsAtOpening) break;
    }
    const [first] = firstRows;
    if (first === undefined) {
      throw badInput(
        `${options.file}: expected at least one utterance, but the list is empty; add a row for each recording`,
      );
    }
    if (options.columns?.reference === undefined) {
      const byName = columnsFor(first).columns.reference;
      const reference = referenceIn(firstRows, byName);
      if (reference !== byName) columnsFor = columnFinder({ ...options, columns: { ...options.columns, reference } });
    }
    const opened = await fileVersion(file);
    const files = createFileFinder();
    const soundFolder =
      options.soundFolder === undefined
        ? findSoundFolder(file, firstPaths, files)
        : resolve(services.baseFolder, options.soundFolder);
    const boundary = {
      folder: options.soundFolder === undefined ? dirname(file) : soundFolder,
      shownName: options.soundFolder ?? `the folder of ${options.file}`,
      allowOutside: options.allowOutside ?? false,
    };
    const missing = new Set(options.missing ?? usuallyMissing);
    const shared: Omit<RowContext, keyof RowColumns | 'channels'> = {
      missing,
      languageCodes: options.missing === undefined ? [minNan] : [],
      isSilence: options.emptyReference === 'silence',
      language: options.language === undefined ? undefined : languageTag(options.language, () => 'language'),
      soundFolder,
      soundPrefix: options.soundPrefix,
      soundEnding: options.soundEnding ?? '',
      boundary,
      files,
      sampleRateOf: sampleRates(options, boundary, services),
    };

    const utteranceBy = (channels: RowContext['channels']) => (row: Row) =>
      utteranceFromRow(row, { ...shared, ...columnsFor(row), channels });
    const { sound } = await utteranceBy(null)(first);
    const found = { missing, sound, boundary, services };
    const utteranceOf = utteranceBy(await channelsOfList(rows, columnsFor(first).columns, options, found));

    let idsChecked = false;
    async function* utterances(): AsyncGenerator<Utterance> {
      if ((await fileVersion(file)) !== opened) {
        throw badInput(
          `${options.file}: expected the list to stay as it was, but it has changed since it was opened; start again`,
        );
      }
      const ids = idsChecked ? null : createIdRegister();
      const pieces = idsChecked || saysNoTimes(options) ? null : createPieceCheck(options.file);
      const codes = idsChecked || options.missing !== undefined ? null : createCodeWatch(shared.missing);
      let absent = 0;
      let empty = 0;
      let all = 0;
      const named: string[] = [];
      for await (const row of rows()) {
        const utterance = await utteranceOf(row);
        if (options.absentSounds === 'left out' && !hasSound(utterance)) {
          absent++;
          if (absent <= maxNamed) named.push(absentRow(row, utterance, soundFolder, files));
          continue;
        }
        const { columns, attributes } = columnsFor(row);
        codes?.see(row, attributes);
        pieces?.add(row, utterance, columns);
        const before = ids?.add(utterance.id, row.line) ?? null;
        if (before !== null) throw doubled(utterance.id, row, before, columns, options.file);
        all++;
        if (utterance.reference === undefined && row.text(columns.reference ?? '') !== undefined) empty++;
        yield utterance;
      }
      if (!idsChecked && empty > 0)
        services.warn(
          `${options.file}: ${emptyReferencesWarning(empty, all === 1 ? '1 row has' : `${all} rows have`)}`,
        );
      if (!idsChecked && absent > 0)
        services.warn(
          `${options.file}: left out ${absent}: rows whose sounds are not there: ${named.join('; ')}${absent > maxNamed ? ` and ${absent - maxNamed} more` : ''}`,
        );
      const notKnown = codes?.warning() ?? null;
      if (notKnown !== null) services.warn(`${options.file}: ${notKnown}`);
      const again = pieces?.again ?? 0;
      if (again > 0) {
        services.warn(
          `${options.file}: ${again === 1 ? '1 row names' : `${again} rows name`} a file that an earlier row names too, and no column says which part of it is meant, so that each stands for the whole file; for segments add columns start and end, else set columns: { start: null }`,
        );
      }
      idsChecked = true;
    }
    return soundFileCorpus(utterances, boundary, services);
  },
};

/** Rows left out that are named. */
const maxNamed = 3;

/** @example `line 7 "CLIP 7.wav" (nearest: "clip_07.wav")` */
function absentRow(row: Row, { sound }: Utterance, soundFolder: string, files: FileFinder): string {
  const { file } = sound as { readonly file: string };
  const quoted = (text: string) => JSON.stringify(printable(text, 60));
  const nearest = files.nearest(file);
  return `line ${row.line} ${quoted(relative(soundFolder, file))}${nearest === null ? '' : ` (nearest: ${quoted(nearest)})`}`;
}

function hasSound({ sound }: Utterance): boolean {
  return sound === undefined || !('file' in sound) || existsSync(sound.file);
}

/** Whether somebody wrote that no column holds times. */
function saysNoTimes({ columns }: ManifestOptions): boolean {
  return columns?.start === null || columns?.end === null;
}

function doubled(id: string, row: Row, before: number, columns: ColumnOfRole, file: string): EarwitnessError {
  const segments =
    columns.id === undefined
      ? `; if these are segments of one file, add columns start and end; if they are its channels, ${columns.channel === undefined ? 'a column channel' : 'write them in the column channel as 0 and 1, 1 and 2, A and B, or left and right'}`
      : '';
  return badInput(
    `${row.place(columns.id ?? columns.path)}: expected an id of its own for each utterance, but "${id.slice(0, 100)}" stands at ${file}:${before} too; change one, or name another column in columns.id${segments}`,
  );
}

/** Where what stands in a row. */
type RowColumns = Pick<RowContext, 'columns' | 'attributes' | 'units'>;

/** Columns by the names that are there: the same for each row of a table, while JSON objects may differ. */
function columnFinder({ columns = {}, attributes, file, header, timeUnit }: ManifestOptions): (row: Row) => RowColumns {
  let last: (RowColumns & { readonly names: readonly string[] }) | null = null;
  return (row) => {
    if (last !== null && sameNames(row.names, last.names)) return last;
    // An object has its names itself, while one line names those of a table.
    const json = header === undefined && row.namesPlace() === row.place();
    const needed: readonly Role[] = !json
      ? roles
      : last === null
        ? ['id', 'path', 'reference', 'speaker']
        : ['id', 'path'];
    const place = `${file}:${json ? row.line : 1}`;
    const found = findColumns(row.names, columns, place, needed);
    if (attributes !== undefined && !json) checkColumns(attributes, row.names, place);
    const withRole = new Set(Object.values(found));
    last = {
      names: row.names,
      columns: found,
      attributes: attributes ?? row.names.filter((name) => !withRole.has(name) || name === found.channel),
      units: new Map(
        [found.start, found.end, found.duration]
          .filter((name) => name !== undefined)
          .map((name) => [name, unitOf(name, timeUnit, place)]),
      ),
    };
    return last;
  };
}

function unitOf(name: string, wanted: TimeUnit | undefined, place: string): TimeUnit {
  const unit = wanted ?? unitInName(name) ?? 'seconds';
  if (unit !== 'frames') return unit;
  throw badInput(
    `${place}: expected times in seconds, milliseconds or samples, but "${printable(name, 60)}" says frames; set timeUnit: samples if these are samples, else write seconds`,
  );
}

/** Of a file, in Hz. */
function sampleRates(
  { absentSounds }: ManifestOptions,
  boundary: Boundary,
  { sounds }: CorpusServices,
): RowContext['sampleRateOf'] {
  const known = new Map<string, number>();
  return async (file) => {
    const before = known.get(file);
    if (before !== undefined) return before;
    // Its row is left out.
    if (absentSounds === 'left out' && !existsSync(file)) return 1;
    await checkLinks(file, boundary);
    const { sampleRate } = await sounds.read(file, { endSeconds: 0.001, channel: 'mean' });
    known.set(file, sampleRate);
    return sampleRate;
  };
}

function sameNames(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((name, index) => name === b[index]));
}

async function fileVersion(file: string): Promise<string> {
  const found = await stat(file).catch(() => null);
  return found === null ? 'gone' : `${found.size} ${found.mtimeMs}`;
}

export type ManifestOptions = z.infer<typeof manifestOptions>;
