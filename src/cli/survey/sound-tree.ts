import { isUtf8 } from 'node:buffer';
import { open, realpath } from 'node:fs/promises';
import { join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { commandLine, printable } from '../../base/printable.ts';
import { soundEndings } from '../../base/sound-endings.ts';
import { counted } from '../../base/wording.ts';
import { listFolder } from '../../corpora/shared/folders.ts';

import { loadMember, memberNames } from '../../session/members/load-member.ts';
import { utf16Of } from '../../system/text-lines.ts';
import type { Doing } from '../progress/lines.ts';

/** What lies in a folder and all folders in it. Paths are relative to it, with `/`, sorted. */
export interface SoundTree {
  /** Absolute. */
  readonly root: string;
  readonly sounds: readonly string[];
  /** Everything else. */
  readonly others: readonly string[];
  /** Endings of sounds, in lower case and without the dot, the most frequent first. */
  readonly endings: readonly string[];
  /** Whether there was more than is looked at. */
  readonly cut: boolean;
}

/** Endings of sound files that are known without a look inside. */
const knownEndings = new Set([...soundEndings, 'wv1', 'wv2']);
/** Endings of files that are never sound: nothing is read to find that out. */
const otherEndings = new Set(
  'txt tsv csv tab jsonl ndjson json yaml yml md pdf html htm xml py js ts mts mjs sh png jpg jpeg gif svg zip gz tgz tar lab trn trans ctm stm rttm srt vtt textgrid eaf docx xlsx db sqlite lock log'.split(
    ' ',
  ),
);
/** Folders that are not the user's recordings. */
export const passedOver: ReadonlySet<string> = new Set([
  'node_modules',
  'earwitness-report',
  '__pycache__',
  '__MACOSX',
]);

const maxFiles = 500_000;
const deepest = 16;
const headBytes = 64;
/** Files of an unknown ending that are looked into. */
const looks = 3;

/**
 * Looks through a folder. A sound is told by the ending of its name, or, where that is unknown, by its first bytes.
 *
 * @param doing is told how many files were seen
 * @throws EarwitnessError `bad-input`: a folder cannot be read
 */
export async function readSoundTree(root: string, shownName: string, doing: Doing = () => {}): Promise<SoundTree> {
  const files: string[] = [];
  const realRoot = await realpath(root);
  let cut = false;
  const walk = async (path: string, depth: number): Promise<void> => {
    const found = await listFolder(join(root, path), realRoot, path === '' ? shownName : `${shownName}/${path}`, false);
    for (const name of found.files) files.push(path === '' ? name : `${path}/${name}`);
    doing('looking for recordings', () => counted(files.length, 'file'));
    cut ||= files.length > maxFiles || (depth >= deepest && found.folders.length > 0);
    if (cut) return;
    for (const name of found.folders) {
      if (!passedOver.has(name)) await walk(path === '' ? name : `${path}/${name}`, depth + 1);
    }
  };
  await walk('', 0);

  const byEnding = Map.groupBy(files, endingOf);
  const counts: [ending: string, count: number][] = [];
  for (const [ending, some] of byEnding) {
    if (ending !== '' && (knownEndings.has(ending) || (!otherEndings.has(ending) && (await areSounds(root, some))))) {
      counts.push([ending, some.length]);
    }
  }
  const endings = counts.sort((a, b) => b[1] - a[1]).map(([ending]) => ending);
  const isSound = (path: string) => endings.includes(endingOf(path));
  return { root, sounds: files.filter(isSound), others: files.filter((path) => !isSound(path)), endings, cut };
}

/** @example endingOf('a/b.WAV') // 'wav' */
export function endingOf(path: string): string {
  return /[^/]\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

const beginningBytes = 1 << 20;

/** The whole lines in the first megabyte of a file; null where it cannot be read, or is no text in UTF-8 or UTF-16. */
export async function beginningOf(file: string): Promise<string | null> {
  const bytes = await beginningBytesOf(file);
  const utf16 = bytes === null ? null : utf16Of(bytes);
  if (utf16 !== null) return new TextDecoder(utf16).decode(bytes!).replace(/[^\n]*$/, '');
  return bytes === null || !isUtf8(bytes) ? null : new TextDecoder().decode(bytes);
}

async function beginningBytesOf(file: string): Promise<Buffer | null> {
  const opened = await open(file).catch(() => null);
  if (opened === null) return null;
  try {
    const bytes = Buffer.alloc(beginningBytes);
    const { bytesRead } = await opened.read(bytes, 0, beginningBytes, 0);
    return bytes.subarray(0, bytesRead < beginningBytes ? bytesRead : bytes.lastIndexOf(0x0a) + 1);
  } catch {
    return null;
  } finally {
    await opened.close();
  }
}

async function areSounds(root: string, paths: readonly string[]): Promise<boolean> {
  const decoders = await Promise.all(
    memberNames('decoders')
      // It would have to be started to say.
      .filter((name) => name !== 'ffmpeg')
      .map(async (name) => (await loadMember('decoders', name, '.')).member),
  );
  for (const path of paths.slice(0, looks)) {
    const head = new Uint8Array(headBytes);
    const file = await open(join(root, path)).catch(() => null);
    if (file === null) return false;
    try {
      const { bytesRead } = await file.read(head, 0, headBytes, 0);
      if (!decoders.some((decoder) => decoder.recognizes(head.subarray(0, bytesRead)))) return false;
    } finally {
      await file.close();
    }
  }
  return true;
}

/** Files in a folder without sounds in which sounds may be packed. */
interface PackedSounds {
  /** Whether they are Parquet files, which are nothing that lies about. */
  readonly parquet: boolean;
  /** How to get the sounds out of them: one or two sentences. */
  readonly advice: string;
}

export const archive = /\.(?:zip|7z|rar|tar|tgz|tbz2|txz|tar\.(?:gz|bz2|xz|zst))$/i;

/**
 * @param path of the folder, as the user wrote it
 * @param then what comes after: `init`
 * @returns null where there is no such file
 */
export function packedSounds({ others }: SoundTree, path: string, then: string): PackedSounds | null {
  const parquets = others.filter((other) => endingOf(other) === 'parquet');
  if (parquets.length > 0) {
    const program = fileURLToPath(new URL('../../../examples/parquet/unpack.mjs', import.meta.url));
    const near = relative(process.cwd(), program);
    const to = 'recordings';
    const command = printable(commandLine(['node', near.startsWith('..') ? program : near, path, to]));
    return {
      parquet: true,
      advice: `Hugging Face packs audio and text into Parquet files, and here ${named(parquets, 'such file')}. Unpack with: ${command}; then: earwitness ${then} ${to}`,
    };
  }
  const archives = others.filter((other) => archive.test(other) && !posix.basename(other).startsWith('earwitness-'));
  if (archives.length === 0) return null;
  return {
    parquet: false,
    advice: `Archives are not read, and here ${named(archives, 'archive')}: unpack those that hold recordings.`,
  };
}

/** @example named(['a.zip'], 'archive') // 'is 1 archive (a.zip)' */
function named(paths: readonly string[], noun: string): string {
  const more = paths.length > 1 ? ', …' : '';
  return `${paths.length === 1 ? 'is' : 'are'} ${counted(paths.length, noun)} (${printable(paths[0]!, 80)}${more})`;
}
