import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { describeChannels, howToChoose } from '../../audio/channels.ts';
import { badInput, EarwitnessError, Undecided } from '../../base/errors.ts';
import { assumedLanguage, guessLanguage } from '../../base/guess-language.ts';
import type { JsonObject } from '../../base/json.ts';
import { undeterminedLanguage } from '../../base/language-tag.ts';
import { printable } from '../../base/printable.ts';
import { counted as nounOf } from '../../base/wording.ts';
import { type CorpusChannels, withChannels } from '../../corpora/shared/with-channels.ts';
import { loadMember } from '../../session/members/load-member.ts';
import { createServices } from '../../session/open/services.ts';
import { listed, percent } from '../../studies/shared/wording.ts';
import type { Doing } from '../progress/lines.ts';
import { askOfWords, writtenOptions } from './ask-of-words.ts';
import { type Candidate, candidates, lists, type NamedWords } from './candidates.ts';
import { countUtterances, type Group } from './count-utterances.ts';
import { filesUnused, otherForms, type SeenFiles } from './files-seen.ts';
import { orPartial, unknownLanguage } from './open-questions.ts';
import { sidesIn } from './sides-in.ts';
import { readSoundTree, type SoundTree } from './sound-tree.ts';

/** Recordings that were found, and how a config reads them. */
export interface Survey {
  readonly corpus: { readonly type: string; readonly options: JsonObject; readonly channels?: CorpusChannels };
  /** `the list calls.csv: sounds in "file"`: for people. */
  readonly what: string;
  readonly clips: number;
  /** Of these, with words that were said. */
  readonly texts: number;
  /** How many recordings these were, and of them with words, before they were cut into pieces; null: they are whole. */
  readonly whole: { readonly clips: number; readonly texts: number } | null;
  readonly speakers: number;
  /** How a config says who speaks, where nobody does; null: somebody does, or it cannot. */
  readonly whoSpeaks: string | null;
  readonly minutes: number;
  /** Whether minutes were measured of some clips and reckoned from them. */
  readonly minutesEstimated: boolean;
  readonly longestSeconds: number;
  readonly groups: readonly Group[];
  /** Of most utterances. */
  readonly language: string;
  /** All of them, that of most utterances first. */
  readonly languages: readonly string[];
  /** The column of the list that says them; null: none does. */
  readonly languageColumn: string | null;
  /** Who says that it is this language. */
  readonly languageFrom: 'the option' | 'the data' | 'its script' | 'its words' | 'a guess';
  /** BCP 47: where it is guessed from a script, others that are written in it too. */
  readonly languageOthers: readonly string[];
  /** Some of them, that can be read: absolute paths. */
  readonly sounds: readonly string[];
  readonly notes: readonly string[];
}

/** What was asked about. */
export interface SurveyRequest extends NamedWords {
  /** A folder or a list, as the user wrote it. */
  readonly path: string;
  /** Paths in the config are meant from here. */
  readonly baseFolder: string;
  /** BCP 47; null: to be found out. */
  readonly language: string | null;
  /** What is heard of files with several channels; absent: nobody has chosen. */
  readonly channels?: CorpusChannels;
  readonly doing: Doing;
}

/**
 * Looks what recordings there are, by reading them as a run would.
 *
 * @returns null where there is no sound at all
 * @throws EarwitnessError `bad-input`: no such folder, or recordings that cannot be read, with the reason of the most telling way
 * @example await survey({ path: 'recordings', baseFolder: process.cwd(), language: null, doing: () => {} })
 */
export async function survey(request: SurveyRequest): Promise<Survey | null> {
  const { path, baseFolder, doing } = request;
  const given = resolve(baseFolder, path);
  const found = await stat(given).catch(() => null);
  if (found === null) {
    throw badInput(
      `${printable(path)}: expected a folder of recordings or a manifest, but there is none; check the path`,
    );
  }
  const root = found.isDirectory() ? given : dirname(given);
  const tree = await readSoundTree(root, printable(path), doing);
  if (tree.cut) {
    throw badInput(
      `${printable(path)}: expected a folder of recordings, but it holds more than half a million files, or folders nested more than 16 deep; name the subfolder that holds the recordings`,
    );
  }
  if (!found.isDirectory() && tree.sounds.includes(basename(given))) {
    throw badInput(
      `${printable(path)}: expected a folder of recordings or a manifest, but this is one audio file; name its folder`,
    );
  }
  const ways = found.isDirectory() ? candidates(tree, doing, request) : lists(tree, doing, request, basename(given));
  let refused: Refused | null = null;
  for await (const candidate of ways) {
    try {
      const there = await readCandidate(candidate, tree, request);
      if (there !== null) {
        const { read } = there;
        if (candidate.mayBeOutput === true) await askOfWords(candidate, tree, request);
        // What is read after all, with another option, was not passed over.
        const other = refused === null || refused.what === candidate.what ? null : refused;
        const shown = found.isDirectory() ? path : dirname(path);
        const { outputs, unused, others } = await besides(there, candidate, tree, shown);
        const missing = missingOf(read, other, unused);
        // What lacks references names these files itself.
        const lines = [...(read.texts === 0 && unused.mayHoldWords ? [] : unused.lines), ...others];
        const notUsed = lines.length === 0 ? [] : [`Not used:\n${lines.join('\n')}`];
        if (missing === null) return { ...read, notes: [...read.notes, ...outputs, ...notUsed] };
        if (request.partial !== true) throw missing;
        const note = other === null ? missing.question.asks : passedOver(other);
        return { ...read, notes: [...read.notes, note, ...notUsed] };
      }
    } catch (error) {
      if (!(error instanceof EarwitnessError) || error instanceof Undecided) throw error;
      refused ??= { what: candidate.what, error };
    }
  }
  if (refused !== null) throw refused.error;
  return null;
}

/** A way of reading that was tried and failed. */
interface Refused {
  readonly what: string;
  readonly error: EarwitnessError;
}

/** What lies beside recordings and is not read with them: in a published data set that is much, and known. */
async function besides(
  { read: { texts }, files }: ReadCandidate,
  { type, options }: Candidate,
  tree: SoundTree,
  path: string,
): Promise<{ readonly outputs: readonly string[]; readonly unused: SeenFiles; readonly others: readonly string[] }> {
  const read = [options.file, options.texts, options.attributes].filter((one) => typeof one === 'string');
  if (!['folder', 'manifest'].includes(type))
    return { outputs: [], unused: { lines: [], mayHoldWords: false }, others: [] };
  const others = await otherForms(tree, options, new Set(files));
  if (texts === 0) return { outputs: [], unused: await filesUnused(tree, path, read), others };
  const [reference = String(options.folder)] = read;
  const sides = reference === '.' ? null : await sidesIn(tree, path, reference);
  const named = sides?.outputs.map((name) => printable(name, 60)) ?? [];
  const own =
    type === 'folder' && options.texts === undefined
      ? [...read, ...tree.sounds.map((sound) => sound.replace(/\.[^./]+$/, ''))]
      : read;
  return {
    outputs: sides === null ? [] : [`Transcripts of recognizers are here too, in ${listed(named)}: ${sides.command}`],
    unused: await filesUnused(tree, path, [...own, ...(sides?.outputs ?? [])]),
    others,
  };
}

/** What recordings lack, though there are files that may hold it: nobody should learn from a report that these were passed over. */
function missingOf({ clips, texts, what }: Survey, other: Refused | null, unused: SeenFiles): Undecided | null {
  const short = (way: string) => way.replace(/:.*/s, '');
  if (other !== null) return orPartial(other.error.message, `what is read without ${short(other.what)}`);
  if (texts === 0 && unused.mayHoldWords) {
    const files = `Expected references for the recordings, but none of these files gives them:\n${unused.lines.join('\n')}\n`;
    return orPartial(`${files}${whatIsRead}`, 'the recordings without references');
  }
  if (texts === 0 || texts >= clips / 2) return null;
  return orPartial(
    `${short(what)}: expected references for most recordings, but ${clips - texts} of ${clips} have none (an empty one counts as not transcribed); write them`,
    `the recordings with ${nounOf(texts, 'reference')} among ${clips}`,
  );
}

const whatIsRead =
  'What is read: manifests (.csv, .tsv, .jsonl) with a column of existing audio files and one of text, and a text file or subtitles beside each recording (a.txt, a.srt or a.vtt for a.wav); write one of these';

function passedOver({ what, error }: Refused): string {
  return `Not read as ${what.replace(/:.*/s, '')}: ${printable(error.message, 400)}.`;
}

/** So many sounds are measured; what is longer than all of them together is reckoned. */
const maxMeasured = 200;
/** Times are rounded, and compressed files lose or gain a frame or two: seconds. */
const lengthTolerance = 0.5;

interface ReadCandidate {
  readonly read: Survey;
  /** Absolute paths of all its recordings that are there. */
  readonly files: readonly string[];
}

async function readCandidate(
  candidate: Candidate,
  tree: SoundTree,
  { baseFolder, language, channels, doing }: SurveyRequest,
): Promise<ReadCandidate | null> {
  const notes = [...candidate.notes];
  await using services = closing(
    createServices({ baseFolder, warn: (message) => notes.push(`${printable(message, 300)}.`) }),
  );
  const { member } = await loadMember('corpora', candidate.type, baseFolder);
  const options = writtenOptions(candidate, tree, baseFolder);
  const opened = await member.open(member.options.parse(options) as never, services.corpus);
  const corpus = channels === undefined ? opened : withChannels(opened, channels, services.sounds);
  const tooLong = candidate.tooLong ?? null;
  const counted = await countUtterances(corpus, doing, { segmentEnds: tooLong !== null }).finally(() => corpus.close());
  if (counted.clips === 0 || counted.files.length === 0) return null;
  if (candidate.onlyWithWords === true && counted.texts === 0) return null;
  const { start, end } = (options.columns ?? {}) as JsonObject;
  // The rows by which times were found no times of segments were the first of the list alone.
  if ((start === null || end === null) && counted.clips > counted.sounds) {
    throw badInput(
      `${printable(String(options.file))}: expected times from the beginning of each file, as several rows name one, but they cannot be read as such; write start and end in seconds`,
    );
  }

  const step = Math.max(1, Math.ceil(counted.files.length / maxMeasured));
  const measured = counted.files.filter((_, index) => index % step === 0);
  const readable: string[] = [];
  const unreadable: EarwitnessError[] = [];
  const unlike: string[] = [];
  let seconds = 0;
  let ends = 0;
  let endsAfter = 0;
  let longest = counted.longestStretch;
  for (const [index, file] of measured.entries()) {
    doing('measuring durations', () => `${index} of ${measured.length}`);
    try {
      const duration = await services.sounds.durationSeconds(file);
      seconds += duration;
      for (const end of counted.endsOf.get(file) ?? []) {
        ends++;
        if (end > duration + lengthTolerance) endsAfter++;
      }
      readable.push(file);
      const facts = counted.isChosen ? null : await services.sounds.channels(file);
      if (facts?.relation === 'unlike') unlike.push(`${printable(basename(file), 100)} (${describeChannels(facts)})`);
      if (counted.longestStretch === 0) longest = Math.max(longest, duration);
    } catch (error) {
      if (!(error instanceof EarwitnessError)) throw error;
      unreadable.push(error);
    }
  }
  if (readable.length === 0) throw unreadable[0]!;
  if (endsAfter > ends / 2) {
    if (tooLong?.refusal == null) return null;
    throw badInput(`${printable(String(options.file))}: ${tooLong.refusal}`);
  }
  if (unreadable.length > 0) {
    notes.push(
      `${unreadable.length} of ${measured.length} files cannot be read, such as ${printable(unreadable[0]!.message, 300)}.`,
    );
  }
  if (unlike.length > 0) {
    notes.push(
      `${unlike.length} of ${measured.length} files have channels that are unlike, such as ${unlike[0]}: ${howToChoose('1, 2, …')}.`,
    );
  }
  const wholeSeconds = (seconds / readable.length) * counted.sounds;
  const minutes = (counted.stretchSeconds > 0 ? counted.stretchSeconds : wholeSeconds) / 60;

  const [most = null] = counted.languages;
  const guessed = language === null && most === null ? guessLanguage(counted.someTexts) : null;
  const takesLanguage = ['folder', 'manifest', 'kaldi'].includes(candidate.type);
  const chosen = language ?? most ?? assumedLanguage(counted.someTexts, guessed ?? undefined).language;
  if (chosen === undeterminedLanguage && counted.texts > 0 && takesLanguage)
    throw unknownLanguage(candidate.what.replace(/:.*/s, ''));
  if (guessed !== null && guessed.scripts.length > 1) {
    const shares = guessed.scripts.map(({ script, share }) => `${percent(share, 1)} ${script}`);
    notes.push(`The references mix scripts: of their letters, ${listed(shares)}.`);
  }
  const read: Survey = {
    corpus: {
      type: candidate.type,
      options: takesLanguage ? { ...options, language: chosen } : options,
      ...(channels !== undefined && { channels }),
    },
    what:
      candidate.type === 'folder' && counted.texts > 0
        ? `${candidate.what}, words in files ${'texts' in options ? `of the same names in ${printable(String(options.texts), 80)}` : 'beside them'}${candidate.onlyWithWords === true && 'attributes' in options ? `, each described in ${printable(String(options.attributes), 80)}` : ''}`
        : candidate.what,
    clips: counted.clips,
    texts: counted.texts,
    whole: null,
    speakers: counted.speakers,
    whoSpeaks: counted.speakers === 0 ? candidate.whoSpeaks : null,
    minutes,
    minutesEstimated: step > 1 && counted.stretchSeconds === 0,
    longestSeconds: longest,
    groups: counted.groups,
    language: chosen,
    languages: most === null ? [chosen] : counted.languages,
    languageColumn: candidate.languageColumn ?? null,
    languageFrom:
      language !== null && takesLanguage
        ? 'the option'
        : most !== null
          ? 'the data'
          : guessed !== null && guessed.language !== null
            ? guessed.from
            : 'a guess',
    languageOthers: guessed?.others ?? [],
    sounds: readable,
    // How many have words is said anyway, and which files of one name are used.
    notes: notes.filter(
      (note) => !/have no text (?:beside them|of their name)|the same name has another ending/.test(note),
    ),
  };
  return { read, files: counted.files };
}

function closing<T extends { close(): Promise<void> }>(services: T): T & AsyncDisposable {
  return Object.assign(services, { [Symbol.asyncDispose]: () => services.close() });
}
