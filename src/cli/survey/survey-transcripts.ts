import { stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { EarwitnessError } from '../../base/errors.ts';
import { assumedLanguage } from '../../base/guess-language.ts';
import type { JsonObject } from '../../base/json.ts';
import { undeterminedLanguage } from '../../base/language-tag.ts';
import { commandLine, printable } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import { nameOfSystem } from '../../recognizers/recorded/systems.ts';
import { loadMember } from '../../session/members/load-member.ts';
import { openRecognizer } from '../../session/open/parse-spec.ts';
import { createServices } from '../../session/open/services.ts';
import { listed } from '../../studies/shared/wording.ts';
import { firstOfSets } from '../../system/parquet-rows.ts';
import { endingOf } from '../../system/read-rows.ts';
import { lookAt, type TableHead } from '../score/open-table.ts';
import { countUtterances, type Group } from './count-utterances.ts';
import { type SniffedTranscripts, sniffTranscripts, transcriptEndings } from './sniff-transcripts.ts';
import { readSoundTree } from './sound-tree.ts';
import type { SurveyRequest } from './survey.ts';
import { languagesText } from './survey-text.ts';

/** A table of references and transcripts that was found, and how a config reads it. */
export interface TranscriptSurvey {
  readonly corpus: { readonly type: string; readonly options: JsonObject };
  readonly recognizers: Readonly<Record<string, { readonly type: string; readonly options: JsonObject }>>;
  readonly clips: number;
  readonly speakers: number;
  readonly groups: readonly Group[];
  /** That of most utterances first. */
  readonly languages: readonly string[];
  /** Whether somebody said that it is this language, or the data. */
  readonly languageKnown: boolean;
  /** `results.csv: references in "reference"`: for people. */
  readonly what: string;
  /** What was not understood, one sentence each. */
  readonly notes: readonly string[];
  readonly passedOver: readonly string[];
  /** The command that compares one of them without a config. */
  readonly quickWay: string;
}

const maxTables = 50;

/**
 * Looks for a table of references and of what recognizers made of them, where there is no audio.
 *
 * @returns null where there is none
 * @throws EarwitnessError `bad-input`: the table cannot be read, with its place; or no config can be made of it, with the reason and what to do
 */
export async function surveyTranscripts(request: SurveyRequest): Promise<TranscriptSurvey | null> {
  const { path, baseFolder, doing } = request;
  const given = resolve(baseFolder, path);
  const isFolder = (await stat(given)).isDirectory();
  const root = isFolder ? given : dirname(given);
  const { others } = isFolder
    ? await readSoundTree(root, printable(path), doing)
    : { others: [given.slice(root.length + 1)] };
  const tables = firstOfSets(others)
    .filter((other) => !isFolder || transcriptEndings.has(endingOf(other)))
    .sort((a, b) => a.split('/').length - b.split('/').length)
    .slice(0, maxTables);
  let refused: EarwitnessError | null = null;
  const read: FoundTable[] = [];
  const notUsed: string[] = [];
  for (const table of tables) {
    const shown = relative(baseFolder, join(root, table)).replaceAll('\\', '/');
    let opened: TableHead;
    try {
      opened = await lookAt({ name: shown, path: join(root, table), format: 'table' });
    } catch (error) {
      if (!isFolder || !(error instanceof EarwitnessError)) throw error;
      notUsed.push(error.message);
      continue;
    }
    try {
      const found = sniffTranscripts(opened, shown, request.referenceColumn);
      if (found === null) notUsed.push(`${printable(shown, 80)}: no references and outputs of them were found in it`);
      else read.push({ file: shown, found });
    } catch (error) {
      if (!(error instanceof EarwitnessError)) throw error;
      notUsed.push(error.message);
      refused ??= error;
    }
  }
  const [first, ...more] = read;
  if (first !== undefined) {
    const found = withOthers(first, more, notUsed);
    return readTranscripts(
      first.file,
      { ...found, notes: [...found.notes, ...notUsed.map((one) => `Not used: ${one.replace(/[.?]$/, '')}.`)] },
      request,
    );
  }
  if (refused !== null) throw refused;
  return null;
}

interface FoundTable {
  readonly file: string;
  readonly found: SniffedTranscripts;
}

/** A table with the recognizers of others that have its references too, each file named after itself. */
function withOthers({ file, found }: FoundTable, others: readonly FoundTable[], notUsed: string[]): SniffedTranscripts {
  const same = others.filter(
    (other) => JSON.stringify(other.found.manifest.columns) === JSON.stringify(found.manifest.columns),
  );
  const quickWay = printable(commandLine(['earwitness', 'compare', file, ...others.map((other) => other.file)]));
  const apart = others.filter((other) => !same.includes(other)).map((other) => printable(other.file, 80));
  if (apart.length > 0)
    notUsed.push(
      `${listed(apart, 4)} in the config, since columns are called otherwise than those of ${printable(file, 80)}: all are compared without one`,
    );
  if (same.length === 0) return others.length === 0 ? found : { ...found, quickWay };
  const entries = [{ file, found }, ...same].flatMap(({ file: own, found: { recorded } }) => {
    const stem = nameOfSystem(basename(own).replace(/\.[^.]+(?:\.gz)?$/, '')) || 'recognizer';
    const names = Object.entries(recorded);
    return names.map(([name, options]) => [names.length === 1 ? stem : `${stem}-${name}`, { file: own, ...options }]);
  });
  return {
    ...found,
    recorded: Object.fromEntries(entries),
    quickWay,
  };
}

/** Reads all of it as a run would. */
async function readTranscripts(
  file: string,
  found: SniffedTranscripts,
  request: SurveyRequest,
): Promise<TranscriptSurvey> {
  const { baseFolder, doing } = request;
  const services = createServices({ baseFolder });
  try {
    const corpora = await loadMember('corpora', 'manifest', baseFolder);
    const options = { file, ...found.manifest };
    const corpus = await corpora.member.open(corpora.member.options.parse(options) as never, services.corpus);
    const { clips, speakers, groups, languages, someTexts } = await countUtterances(corpus, doing, {
      soundless: true,
    }).finally(() => corpus.close());
    const { member, moduleHash } = await loadMember('recognizers', 'recorded', baseFolder);
    const recognizers: Record<string, { type: string; options: JsonObject }> = {};
    for (const [name, columns] of Object.entries(found.recorded)) {
      const written = { file, ...columns };
      const spec = { type: 'recorded', name, member, moduleHash, written, options: member.options.parse(written) };
      await (await openRecognizer(spec, services.recognizer)).recognizer.close();
      recognizers[name] = { type: 'recorded', options: written };
    }
    const known = request.language ?? languages[0] ?? null;
    const chosen = known ?? assumedLanguage(someTexts).language;
    const who = found.speaker === null ? '' : `, speakers in ${JSON.stringify(printable(found.speaker, 60))}`;
    return {
      corpus: { type: 'manifest', options: { ...options, language: chosen } },
      recognizers,
      clips,
      speakers,
      groups,
      languages: languages.length === 0 ? [chosen] : languages,
      languageKnown: known !== null,
      what: `${printable(file, 80)}: references in ${JSON.stringify(printable(found.reference, 60))}${who}`,
      notes: found.notes,
      passedOver: found.passedOver,
      quickWay: found.quickWay,
    };
  } finally {
    await services.close();
  }
}

/** What was found, in a few lines for people. */
export function transcriptLines({
  recognizers,
  clips,
  speakers,
  groups,
  languages,
  languageKnown,
  what,
  notes,
  passedOver,
  quickWay,
}: TranscriptSurvey): string[] {
  const shown = groups.map(({ name, values }) => `${printable(name, 40)} (${counted(values.length, 'value')})`);
  const people = speakers === 0 ? 'speakers unknown' : counted(speakers, 'speaker');
  return [
    `No audio, but transcripts of ${counted(Object.keys(recognizers).length, 'recognizer')}: ${counted(clips, 'utterance')}, ${people}.`,
    `Read as the table ${what}.`,
    ...(shown.length === 0 ? [] : [`Groups: ${shown.join(', ')}.`]),
    `${languagesText(languages)}${languageKnown ? '' : ` (${languages[0] === undeterminedLanguage ? 'the references do not tell it' : 'by the text'}; change it with --language)`}.`,
    ...notes,
    ...(passedOver.length === 0
      ? []
      : [
          `Not taken for transcripts, as they share few words with the references: ${listed(passedOver.map((name) => printable(name, 60)))}.`,
        ]),
    `Without a config: ${quickWay}`,
  ];
}
