import { realpath, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { badInput, type EarwitnessError } from '../../base/errors.ts';
import { languageTag, undeterminedLanguage } from '../../base/language-tag.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { TextSegment } from '../../system/transcripts/captions.ts';
import type { CorpusKind } from '../contract.ts';
import { soundFileCorpus } from '../shared/data-set-corpus.ts';
import { emptyReferencesWarning } from '../shared/empty-reference.ts';
import { isInside, listFolder, type PassedOver, walkFolder } from '../shared/folders.ts';
import { checkId, createIdRegister } from '../shared/utterance-id.ts';
import { outputForms, readFolderTexts, readSideText, type SidePlace, sideFilesOf } from './folder-texts.ts';
import { type FolderOptions, folderOptions, type PathGroups, pathMatcher } from './options.ts';
import { readTold, rowOfSound, type Told } from './told.ts';

const usualExtensions = ['wav', 'flac', 'mp3', 'ogg', 'oga', 'opus', 'sph', 'nist', 'aif', 'aiff', 'au', 'm4a', 'webm'];

/**
 * Sound files in a folder, with their words in files beside them or in a folder like it: of the same name (`.txt`, `.lab`,
 * `.trn`), LibriSpeech's `*.trans.txt`, or CMU Sphinx' `transcription` and `fileids`. The id is the path inside of the folder without extension.
 * An Audacity label track (`.txt`), a TextGrid, annotations of ELAN (`.eaf`), subtitles (`.srt`, `.vtt`) or a `.json` of the same name make each
 * of their parts an utterance, with its times in the id; a recognizer's result is no reference.
 *
 * @example { type: 'folder', folder: '/usr/share/pocketsphinx/test/data/librivox', language: 'en' }
 */
export const folder: CorpusKind<FolderOptions> = {
  name: 'folder',
  about: 'Audio files in a folder with texts beside them (same name, LibriSpeech or CMU Sphinx transcripts)',
  options: folderOptions,
  async open(options, services) {
    const root = resolve(services.baseFolder, options.folder);
    await checkFolder(root, options.folder, 'audio files');
    const texts = options.texts === undefined ? null : resolve(services.baseFolder, options.texts);
    if (texts !== null) await checkFolder(texts, options.texts!, 'texts');
    const { attributes } = options;
    const reading: FolderReading = {
      root,
      textRoot: texts === null ? null : await realpath(texts),
      options,
      extensions: (options.extensions ?? usualExtensions).map((name) => name.replace('.', '').toLowerCase()),
      language: options.language === undefined ? undeterminedLanguage : languageTag(options.language, () => 'language'),
      match: options.pattern === undefined ? null : pathMatcher(options.pattern),
      told: attributes === undefined ? null : await readTold(resolve(services.baseFolder, attributes), attributes),
    };
    const outputs = await outputForms(sidePlaces(reading), options.tier);
    let warned = false;
    async function* utterances(): AsyncGenerator<Utterance> {
      const counts = noCounts();
      yield* readFolder(reading, outputs, counts);
      if (!warned) for (const warning of warningsOf(counts, options)) services.warn(`${options.folder}: ${warning}`);
      warned = true;
    }
    const atOpening = noCounts();
    for await (const _ of readFolder(reading, outputs, atOpening)) break;
    if (atOpening.sounds === 0) throw noSounds(options.folder, reading, atOpening);
    const boundary = { folder: root, shownName: options.folder, allowOutside: options.allowOutside ?? false };
    return soundFileCorpus(utterances, boundary, services);
  },
};

/** What is the same for each pass over a folder. */
interface FolderReading {
  readonly root: string;
  /** Where the words are, after links are followed; null: beside the sounds. */
  readonly textRoot: string | null;
  readonly options: FolderOptions;
  /** In lower case, without dots. */
  readonly extensions: readonly string[];
  readonly language: string;
  readonly match: ((paths: readonly string[]) => readonly PathGroups[]) | null;
  readonly told: Told | null;
}

/** What one pass over a folder saw. */
interface FolderCounts extends PassedOver {
  sounds: number;
  withoutText: number;
  emptyText: number;
  unmatched: number;
  unlisted: number;
  unknownSpeaker: number;
  unknownSound: number;
  otherForms: number;
  automatic: number;
  outputs: number;
}

const noCounts = (): FolderCounts => ({
  sounds: 0,
  withoutText: 0,
  emptyText: 0,
  unmatched: 0,
  unlisted: 0,
  unknownSpeaker: 0,
  unknownSound: 0,
  otherForms: 0,
  automatic: 0,
  outputs: 0,
  links: 0,
});

/** The sounds of one folder, and the files with their words. */
interface SoundsOfFolder extends Omit<SidePlace, 'stem'> {
  /** Inside of the root. */
  readonly path: string;
  readonly all: readonly string[];
  readonly sounds: readonly string[];
}

async function* soundFolders(reading: FolderReading, passed: PassedOver): AsyncGenerator<SoundsOfFolder> {
  const { root, textRoot, options } = reading;
  for await (const { path, files } of walkFolder(root, options.folder, options.allowOutside ?? false, passed)) {
    const sounds = files.filter((name) => rankOf(name, reading) !== -1);
    if (sounds.length === 0) continue;
    const folder = join(textRoot ?? root, path);
    const shownFolder = textRoot === null ? shownPath(options.folder, path) : join(options.texts!, path);
    const texts = textRoot === null ? files : await textsIn(folder, textRoot, shownFolder, options);
    yield { path, all: files, sounds, folder, shownFolder, files: sideFilesOf(texts) };
  }
}

async function* sidePlaces(reading: FolderReading): AsyncGenerator<SidePlace> {
  for await (const { sounds, ...place } of soundFolders(reading, noCounts()))
    for (const name of sounds) yield { ...place, stem: stemOf(name) };
}

const rankOf = (name: string, { extensions }: FolderReading) =>
  extensions.indexOf(/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '');

const shownPath = (folder: string, path: string) => (path === '' ? folder : `${folder}/${path}`);

async function* readFolder(
  reading: FolderReading,
  outputs: ReadonlySet<string>,
  counts: FolderCounts,
): AsyncGenerator<Utterance> {
  const { root, options, extensions, match, told } = reading;
  const side = {
    tier: options.tier,
    outputs,
    onMachine: (wrote: 'captions' | 'output') => counts[wrote === 'output' ? 'outputs' : 'automatic']++,
  };
  // Ids that are paths can only meet inside of one folder; those that a pattern makes can meet anywhere.
  const madeIds = match === null ? null : createIdRegister();
  for await (const { path, all, sounds, ...texts } of soundFolders(reading, counts)) {
    const here = join(root, path);
    const shownFolder = shownPath(options.folder, path);
    const { texts: together, listed, libriSpeech } = await readFolderTexts(here, all, shownFolder);
    const relativePaths = sounds.map((name) => (path === '' ? name : `${path}/${name}`));
    const groups = match?.(relativePaths);
    const stems = new Map<string, string>();
    // Whoever named no order has not said which of two is meant.
    const firstOf = new Map<string, number>();
    for (const name of options.extensions === undefined ? [] : sounds) {
      firstOf.set(stemOf(name), Math.min(rankOf(name, reading), firstOf.get(stemOf(name)) ?? extensions.length));
    }
    for (const [index, name] of sounds.entries()) {
      const stem = stemOf(name);
      const relativePath = relativePaths[index]!;
      const place = `${shownFolder}/${name}`;
      if (listed !== null && !listed.has(stem)) {
        counts.unlisted++;
        continue;
      }
      const other = stems.get(stem);
      const named = groups?.[index] ?? null;
      if (named?.id === undefined && rankOf(name, reading) > (firstOf.get(stem) ?? extensions.length)) {
        counts.otherForms++;
        continue;
      }
      if (other !== undefined && named?.id === undefined) {
        throw badInput(
          `${place}: expected an id of its own for each sound, but ${other} has the same name; rename one, or set extensions: the one whose ending stands first there is used`,
        );
      }
      stems.set(stem, name);
      if (match !== null && named === null) counts.unmatched++;
      const id = checkId(named?.id ?? (path === '' ? stem : `${path}/${stem}`), 'id', () => place);
      if (madeIds !== null && madeIds.add(id, 0) !== null) {
        throw badInput(
          `${place}: expected an id of its own for each sound, but the pattern gives "${id.slice(0, 100)}" to another one too; let it take in more of the path`,
        );
      }
      const text = together.get(stem) ?? (await readSideText({ ...texts, stem }, side))?.text ?? null;
      const reference = text === '' && options.emptyReference !== 'silence' ? null : text;
      const ofSound = told?.of === 'sounds' ? rowOfSound(told.rows, stemOf(relativePath)) : undefined;
      const speaker = named?.speaker ?? ofSound?.speaker ?? speakerOf(relativePath, stem, options.speaker, libriSpeech);
      const { id: _id, speaker: _speaker, language, ...attributes } = named ?? {};
      const row = told?.of === 'speakers' && speaker !== undefined ? told.rows.get(speaker) : ofSound;
      if (told !== null && row == null) counts[told.of === 'sounds' ? 'unknownSound' : 'unknownSpeaker']++;
      if (text === null) counts.withoutText++;
      else if (reference === null) counts.emptyText++;
      counts.sounds++;
      const file = join(here, name);
      const whole = {
        id,
        sound: { file },
        language: language === undefined ? reading.language : languageTag(language, () => place),
        ...(speaker !== undefined && { speaker: checkId(speaker, 'speaker', () => place) }),
        attributes: { ...row?.attributes, ...attributes },
        tags: [],
      };
      if (typeof reference === 'object' && reference !== null) yield* segments(whole, file, reference, place);
      else yield { ...whole, ...(reference !== null && { reference }) };
    }
  }
}

function stemOf(name: string): string {
  return name.replace(/\.[^.]+$/, '');
}

function* segments(whole: Utterance, file: string, parts: readonly TextSegment[], place: string): Generator<Utterance> {
  const ids = new Set<string>();
  for (const { startSeconds, endSeconds, text, speaker } of parts) {
    const id = `${whole.id}@${startSeconds}-${endSeconds}`;
    if (ids.has(id)) {
      throw badInput(
        `${place}: expected each part of it to have times of its own, but two are at ${startSeconds} to ${endSeconds} s; make them one`,
      );
    }
    ids.add(id);
    yield {
      ...whole,
      id,
      sound: { file, startSeconds, endSeconds },
      reference: text,
      ...(speaker !== undefined && { speaker: checkId(speaker, 'speaker', () => place) }),
    };
  }
}

function speakerOf(
  path: string,
  stem: string,
  from: FolderOptions['speaker'],
  libriSpeech: boolean,
): string | undefined {
  const folders = path.split('/').slice(0, -1);
  if (from === 'parent') return folders.at(-1);
  if (from === 'top') return folders[0];
  // LibriSpeech's ids are speaker-chapter-number, all digits.
  return from === undefined && libriSpeech ? /^(\d+)-\d+-\d+$/.exec(stem)?.[1] : undefined;
}

/** None where a folder of sounds has no folder of texts. Links lead no farther than those to sounds do. */
async function textsIn(
  folder: string,
  textRoot: string,
  shownName: string,
  { allowOutside = false }: FolderOptions,
): Promise<readonly string[]> {
  const real = await realpath(folder).catch(() => null);
  if (real === null || !(allowOutside || real === textRoot || isInside(textRoot, real))) return [];
  return (await listFolder(real, textRoot, shownName, allowOutside)).files;
}

async function checkFolder(root: string, shownName: string, what: string): Promise<void> {
  const found = await stat(root).catch(() => null);
  if (found?.isDirectory()) return;
  const problem = found === null ? 'there is none' : 'it is a file';
  throw badInput(`${shownName}: expected a folder with ${what}, but ${problem}; check the path`);
}

function noSounds(
  shownName: string,
  { extensions }: FolderReading,
  { unlisted, links }: FolderCounts,
): EarwitnessError {
  const passed =
    unlisted > 0
      ? `, only ${unlisted} that its fileids do not list`
      : links > 0
        ? `, only ${links} symbolic links that lead out of it (allowOutside: true follows them)`
        : '';
  return badInput(
    `${shownName}: expected audio files (${[...extensions].map((name) => `.${name}`).join(' ')}) in it, but found none${passed}; check the path or set extensions`,
  );
}

function warningsOf(
  {
    sounds,
    withoutText,
    emptyText,
    unmatched,
    unlisted,
    unknownSpeaker,
    unknownSound,
    otherForms,
    automatic,
    outputs,
    links,
  }: FolderCounts,
  { texts }: FolderOptions,
): string[] {
  return [
    withoutText > 0 &&
      `${withoutText} of ${sounds} sounds have no text ${texts === undefined ? 'beside them' : `of their name in ${texts}`}`,
    emptyText > 0 && emptyReferencesWarning(emptyText, sounds === 1 ? '1 sound has' : `${sounds} sounds have`),
    unmatched > 0 && `${unmatched} of ${sounds} sounds do not match the pattern, so nothing is known from their names`,
    unknownSpeaker > 0 &&
      `${unknownSpeaker} of ${sounds} sounds have a speaker who is not in the file of attributes, or none`,
    unknownSound > 0 && `${unknownSound} of ${sounds} sounds are not in the file of attributes`,
    unlisted > 0 && `${unlisted} sounds are left out because the fileids beside them do not list them`,
    otherForms > 0 &&
      `${otherForms === 1 ? '1 file is' : `${otherForms} files are`} left out because the same name has another ending that stands before in extensions`,
    outputs > 0 &&
      `${outputs === 1 ? '1 file' : `${outputs} files`} beside the sounds not used, since a recognizer wrote what is in them: no references`,
    automatic > 0 &&
      `the captions of ${automatic === 1 ? '1 sound' : `${automatic} sounds`} have times of words: a machine wrote them, and what differs from them need not be wrong`,
    links > 0 && `${links} symbolic links are left out (to folders, to nothing, or out of the folder)`,
  ].filter((warning) => warning !== false);
}
