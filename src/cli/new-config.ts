import { isUtf8 } from 'node:buffer';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { sideOfPath } from '../base/columns/roles.ts';
import { badInput, messageOf } from '../base/errors.ts';
import { assumedLanguage, textsLookedAt } from '../base/guess-language.ts';
import { statedLanguage } from '../base/language-tag.ts';
import { timeLeft } from '../base/number-format.ts';
import { printable } from '../base/printable.ts';
import { counted } from '../base/wording.ts';
import type { CorpusChannels } from '../corpora/shared/with-channels.ts';

import { loadMember, memberNames } from '../session/members/load-member.ts';
import { createServices } from '../session/open/services.ts';
import { listed } from '../studies/shared/wording.ts';
import { notUtf8 } from '../system/text-lines.ts';
import { configTemplate, type TemplateFormat } from './config-template.ts';
import type { Doing } from './progress/lines.ts';
import { fileNamed } from './score/text-file.ts';
import {
  type ChosenRecognizers,
  groupsOf,
  type Material,
  sampleTexts,
  studyFor,
  suggestSynthesizer,
  suggestTemplate,
  type TextSource,
  usualConditions,
} from './suggest-config.ts';
import { type MeasuredSpeed, measureSpeeds, otherLanguageLines } from './suggest-recognizers.ts';
import type { NamedWords } from './survey/candidates.ts';
import type { Group } from './survey/count-utterances.ts';
import { askable, isLongRecording } from './survey/cut-recordings.ts';
import { filesSeen, whyNotUsed } from './survey/files-seen.ts';
import { sidesIn } from './survey/sides-in.ts';
import { packedSounds, readSoundTree } from './survey/sound-tree.ts';
import { survey } from './survey/survey.ts';
import { minutesText, surveyText } from './survey/survey-text.ts';
import { surveyTranscripts, transcriptLines } from './survey/survey-transcripts.ts';

/** Recordings, or a table of transcripts where there are none, or texts. */
export interface FoundMaterial {
  readonly material: Material;
  /** What was found, for people. */
  readonly lines: readonly string[];
}

/** What the user said of what is to be found. */
interface NamedOfMaterial extends NamedWords {
  /** As it was written; absent: to be found out. */
  readonly language?: string;
  /** What is heard of files with several channels. */
  readonly channels?: CorpusChannels;
  /** Where nothing else is found, example texts are spoken. */
  readonly example?: true;
}

/**
 * Looks what a config could be about.
 *
 * @param path a folder or a list, as the user wrote it
 * @param baseFolder where the config is to be: paths are meant from there
 * @param doing is told what is looked at
 * @throws EarwitnessError `bad-input`: no such folder, nothing that a config could be about, or recordings that cannot be read; no language of this
 *   name
 * @throws Undecided what nothing there says and an option can
 */
export async function findMaterial(
  path: string,
  { language: named, channels, example, ...words }: NamedOfMaterial,
  baseFolder: string,
  doing: Doing,
): Promise<FoundMaterial> {
  const language = statedLanguage(named, () => '--language');
  const request = { path, baseFolder, language, ...(channels !== undefined && { channels }), ...words, doing };
  const found = await survey(request);
  if (found !== null) {
    const asked = isLongRecording(found) ? await askable(found, baseFolder, doing) : found;
    return { material: { kind: 'recordings', survey: asked }, lines: surveyText(asked, path) };
  }
  const transcripts = await surveyTranscripts(request);
  if (transcripts !== null)
    return { material: { kind: 'transcripts', survey: transcripts }, lines: transcriptLines(transcripts) };
  if ((await stat(resolve(baseFolder, path))).isFile()) {
    const file = resolve(baseFolder, path);
    const known = await fileNamed(file);
    if (known !== null && known !== '-' && known.format !== 'table') {
      const why = await whyNotUsed(file, printable(path), await readSoundTree(dirname(file), printable(path)));
      throw badInput(
        `${printable(path)}: expected a manifest of audio files, or a table of references and transcripts, but found ${why}`,
      );
    }
    throw badInput(
      `${printable(path)}: expected a manifest with the path of an audio file on each line, or a table of references and transcripts, but no column names an existing file, and none shares its words with a column of references; correct the paths, or name the folder of the audio files`,
    );
  }
  const nothing = `No recordings found ${path === '.' ? 'here' : `in ${printable(path)}`} (wav, flac, mp3, ogg, …).`;
  const refused = (why: string) => badInput(`${nothing}${why}`);
  if (example) {
    const synthesizer = await readySynthesizer(baseFolder);
    if (synthesizer === null) throw refused(' No synthesizer is ready to speak example texts: earwitness doctor');
    return {
      material: { kind: 'texts', synthesizer, texts: { texts: sampleTexts }, language: 'en' },
      lines: [`${synthesizer} speaks example texts: edit them in the config.`],
    };
  }
  const tree = await readSoundTree(resolve(baseFolder, path), printable(path));
  const sides = await sidesIn(tree, path, null);
  if (sides !== null) {
    const said = `${printable(sides.reference, 60)} and what recognizers made of it, in ${listed(sides.outputs.map((name) => printable(name, 60)))}`;
    throw refused(` Without audio no config is needed for ${said}: ${sides.command}`);
  }
  const own = await ownTexts(path, baseFolder);
  const packed = own === null ? packedSounds(tree, path, 'init') : null;
  if (packed?.parquet === true) throw refused(` ${packed.advice}`);
  if (own === null) {
    const { lines: seen } = await filesSeen(tree, path);
    const advice =
      packed?.advice ??
      'Name the folder of the recordings: earwitness init FOLDER; or have example texts spoken: earwitness init --example';
    throw refused(`${seen.length === 0 ? ' ' : ` Not used:\n${seen.join('\n')}\n`}${advice}`);
  }
  const synthesizer = await readySynthesizer(baseFolder);
  if (synthesizer === null) throw refused(` No synthesizer is ready to speak ${own.about}: earwitness doctor`);
  const { texts, about, assumed } = own;
  return {
    material: { kind: 'texts', synthesizer, texts, language: language ?? assumed },
    lines: [`${nothing} Texts: ${about}, one utterance per line, spoken by ${synthesizer}.`],
  };
}

/** Files of which nobody wants to hear the text. */
const aboutTheFolder = /^(?:readme|licen[cs]e|copying|notice|changelog)\b/i;

/** Files of texts in a folder without recordings; null where there are none, or others that cannot be told from them. */
async function ownTexts(
  path: string,
  baseFolder: string,
): Promise<{ readonly texts: TextSource; readonly about: string; readonly assumed: string } | null> {
  const folder = resolve(baseFolder, path);
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^[^.].*\.(?:txt|jsonl|ndjson)$/i.test(name));
  const files = names.filter((name) => /\.txt$/i.test(name) && !aboutTheFolder.test(name)).sort();
  if (files.length === 0 || (files.length > 1 && files.length < names.length)) return null;
  // What a recognizer wrote is compared, and not spoken.
  if (files.some((name) => sideOfPath(name) === 'output')) return null;
  const lines: string[] = [];
  for (const name of files) {
    const bytes = await readFile(join(folder, name)).catch(() => Buffer.alloc(0));
    if (!isUtf8(bytes)) throw notUtf8(bytes, printable(join(path, name)), 1);
    const own = bytes.toString('utf8').split(/\r\n?|\n/);
    lines.push(...own.filter((line) => /\p{L}/u.test(line)));
  }
  if (lines.length === 0) return null;
  const [only] = files.length === 1 ? files : [];
  const source = only === undefined ? { folder: path } : { file: join(path, only) };
  const where = only === undefined ? counted(files.length, 'file') : printable(only, 60);
  return {
    texts: source,
    about: `${where} with ${counted(lines.length, 'line')}`,
    assumed: assumedLanguage(lines.filter((_, place) => place % Math.ceil(lines.length / textsLookedAt) === 0))
      .language,
  };
}

async function readySynthesizer(baseFolder: string): Promise<string | null> {
  const services = createServices({ baseFolder });
  const ready: string[] = [];
  for (const name of memberNames('synthesizers')) {
    const { member } = await loadMember('synthesizers', name, baseFolder);
    const state = await member.readiness(services.synthesizer).catch(() => ({ ready: false }));
    if (state.ready) ready.push(name);
  }
  return suggestSynthesizer(ready);
}

/** A condition that a command line can name by a word of its own. */
export type UsualCondition = keyof typeof usualConditions;

/** What a new config is to be. */
export interface NewConfig {
  readonly material: Material;
  readonly recognizers: ChosenRecognizers;
  readonly conditions: readonly UsualCondition[];
  readonly format: TemplateFormat;
  /** In which it stands. */
  readonly folder: string;
}

/** Where npm puts it. Whoever has Earwitness from elsewhere has none beside the config. */
const schemaBeside = './node_modules/earwitness/schema/earwitness.schema.json';

/** The text of a new config. Without references what is disturbed is compared with what is clean: without conditions, noise is. */
export async function newConfigText(config: NewConfig): Promise<string> {
  const scenarios = conditionsOf(config).flatMap((name) => usualConditions[name].scenarios);
  const template = await suggestTemplate(config.material, config.recognizers, scenarios);
  const schema = existsSync(join(config.folder, schemaBeside)) ? schemaBeside : null;
  return configTemplate(template, config.format, schema);
}

function conditionsOf({ conditions, material }: Pick<NewConfig, 'conditions' | 'material'>): readonly UsualCondition[] {
  // Nothing can be done to audio that is not there.
  if (material.kind === 'transcripts') return [];
  return conditions.length === 0 && studyFor(material) === 'metamorphic' ? ['noise'] : conditions;
}

/** What a new config asks and what it says without references, for people. */
export function newConfigLines(config: NewConfig): string[] {
  const { material, recognizers } = config;
  const conditions = conditionsOf(config);
  const disturbed = conditions.map((name) => usualConditions[name].about).join(' and ');
  const who = Object.keys(recognizers).join(', ');
  const unsuited = otherLanguageLines(recognizers, languagesOf(material));
  const asked =
    material.kind === 'transcripts'
      ? `${who}: their transcripts in the table.`
      : `${who}: clean audio${disturbed === '' ? '' : ` and ${disturbed}`}.`;
  if (studyFor(material) === 'metamorphic') {
    return [
      `Without references, the study metamorphic measures how transcripts change when the audio is perturbed; word error rates need references.`,
      `Recognizers: ${asked}`,
      ...unsuited,
    ];
  }
  const { pairs, crowded } = groupsOf(material);
  const namesOf = (groups: readonly Group[]) => listed(groups.map(({ name }) => printable(name, 40)));
  const compared = [
    ...(pairs.length === 0 ? [] : [`by ${namesOf(pairs)}`]),
    ...(crowded.length === 0 ? [] : [`by ${namesOf(crowded)} in the study disparity, each group with everybody`]),
  ];
  return [`Recognizers: ${asked}${compared.length === 0 ? '' : ` Compared ${compared.join(', and ')}.`}`, ...unsuited];
}

function languagesOf(material: Material): readonly string[] {
  return material.kind === 'texts' ? [material.language] : material.survey.languages;
}

/**
 * How long a new config will take on this machine, by how long one short clip takes; nothing where that says nothing.
 */
export async function timeLines(config: NewConfig, baseFolder: string, doing: Doing): Promise<string[]> {
  const { material, recognizers } = config;
  if (material.kind !== 'recordings') return [];
  const speeds = await measureSpeeds(recognizers, material.survey, baseFolder, doing);
  const problems = speeds.filter(({ problem }) => problem !== null);
  const lines = problems.map(({ name, problem }) => `${name} does not work yet: ${printable(problem!, 300)}.`);
  const measured = speeds.filter(
    (speed): speed is MeasuredSpeed & { processorSecondsPerSecond: number } => speed.problem === null,
  );
  if (measured.length === 0) return lines;
  const { clips, minutes } = material.survey;
  const disturbed = conditionsOf(config).reduce((sum, name) => sum + usualConditions[name].scenarios.length, 0);
  // The study `metamorphic` asks about some clean clips again.
  const again = studyFor(material) === 'metamorphic' ? (2 * Math.min(20, clips)) / clips : 0;
  const renderings = 1 + disturbed + again;
  const seconds = measured.reduce((sum, each) => sum + each.processorSecondsPerSecond, 0) * minutes * 60 * renderings;
  // As a run has them that is told no other number.
  const workers = availableParallelism();
  const others = Object.keys(recognizers).length - measured.length;
  const whole = `${counted(Math.round(clips * renderings * measured.length), 'recognition')} of ${minutesText(minutes * renderings * measured.length)} of audio`;
  const speed = measured.map((each) => `${each.name} ${each.processorSecondsPerSecond.toFixed(2)}`).join(', ');
  return [
    ...lines,
    `The full run takes about ${timeLeft(seconds / workers)} on ${workers === 1 ? 'the one core' : `the ${workers} cores`} of this machine where nothing else runs: ${whole} (processor seconds per second of audio, measured on one clip: ${speed})${others > 0 ? `; --preview measures ${others === 1 ? 'the other recognizer' : 'the others'}` : ''}.`,
  ];
}

/**
 * Writes a config where none is yet.
 *
 * @throws EarwitnessError `bad-input`: it is there already, or cannot be written
 */
export async function writeNewConfig(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    throw badInput(`${printable(file)}: the config cannot be written (${messageOf(error)})`, {
      cause: error,
    });
  }
}
