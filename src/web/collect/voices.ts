import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { z } from 'zod';
import { checkRecording } from '../../audio/levels.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import { personal, putInPlace, syncFolder } from '../../base/on-disk.ts';
import { printable } from '../../base/printable.ts';
import { wav } from '../../decoders/wav/wav.ts';
import { writePersonal } from '../../session/export/write-whole.ts';
import { writtenInTurn } from '../people/planned-session.ts';
import type { Announced } from './announced.ts';
import type { CollectionItem, CollectionPlan } from './collection-plan.ts';
import {
  type About,
  aboutShape,
  cardText,
  clipFile,
  listText,
  type Recording,
  recordingShape,
  type Voice,
} from './recording.ts';

/** What became of a piece of a clip, or of the word that one comes. */
export type Taken =
  /** How many of its bytes are there. */
  | { readonly have: number }
  /** Nothing is known of it: what it is has to be said once more. */
  | { readonly unknown: true }
  /** It is no clip, and gone. */
  | { readonly refused: string }
  | Recording;

/** The folder of a collection: what people said and told, by codes instead of names. What is done for one of them is done in turn. */
export interface Voices {
  /** Damaged or missing files, one sentence each. */
  readonly problems: readonly string[];
  about(speaker: string): About | null;
  tell(speaker: string, about: About): Promise<void>;
  recordings(speaker: string): ReadonlyMap<string, Recording>;
  /** What the bytes that come belong to. */
  begin(speaker: string, item: string, take: string, what: Announced): Promise<Taken>;
  /**
   * Takes the next piece of a clip; the last one makes it a recording, in place of an earlier one of the same item.
   *
   * @throws EarwitnessError `store` where the disk has no room: what was sent before stays
   */
  piece(
    speaker: string,
    take: string,
    piece: {
      readonly from: number;
      readonly bytes: Uint8Array;
      readonly item: CollectionItem;
      readonly pair: string | null;
    },
  ): Promise<Taken>;
  /** What a person wrote down of what they said freely. */
  write(speaker: string, item: string, text: string): Promise<void>;
  audio(speaker: string, item: string): Promise<Uint8Array | null>;
  /** Removes everything of somebody. @returns how many clips */
  withdraw(speaker: string): Promise<number>;
  /** All that there is, for counts. */
  everything(): readonly Voice[];
  /** Writes the list that a corpus reads, and its card. */
  writeLists(): Promise<void>;
}

/** Bytes that stay free on the disk. */
const reserveBytes = 200 * 1024 * 1024;
/** Clips of one person that may be on their way at once: one of each browser that they use. */
const maxUnfinished = 4;
const code = /^[0-9a-f]{12}$/;

interface Known {
  about: About;
  readonly recordings: Map<string, Recording>;
}

/**
 * Opens the folder of a collection.
 *
 * A clip is written to its end and to the disk before the file beside it names it, and that file is what counts: whatever a kill leaves, there is
 * the clip before, the one after, or one that is sent again.
 */
export async function openVoices(folder: string, plan: CollectionPlan): Promise<Voices> {
  const problems: string[] = [];
  const agreedTo = join(folder, 'consent', `${plan.consentSha256.slice(0, 12)}.txt`);
  if ((await stat(agreedTo).catch(() => null)) === null) await writeDurably(agreedTo, `${plan.consent}\n`);
  const speakerFile = (speaker: string) => join(folder, 'speakers', `${speaker}.json`);
  const clips = (speaker: string) => join(folder, 'clips', speaker);
  const parts = join(folder, 'parts');
  const part = (speaker: string, take: string) => join(parts, `${speaker}-${take}`);
  // As an older version made them.
  for (const place of [join(folder, 'speakers'), join(folder, 'clips'), parts])
    await chmod(place, personal.folder).catch(() => {});
  const known = new Map<string, Known>();
  for (const name of await filesIn(join(folder, 'speakers'))) {
    const speaker = name.replace(/\.json$/, '');
    const about = code.test(speaker) ? await readAs(aboutShape, speakerFile(speaker), problems) : null;
    if (about !== null) known.set(speaker, { about, recordings: await recordingsIn(clips(speaker), problems) });
  }

  const turns = new Map<string, Promise<unknown>>();
  const inTurn = <Result>(speaker: string, work: () => Promise<Result>): Promise<Result> => {
    const turn = (turns.get(speaker) ?? Promise.resolve()).then(work, work);
    turns.set(speaker, turn);
    return turn;
  };
  const coming = new Map<string, Announced>();
  const sizeOf = async (path: string) => (await stat(path).catch(() => null))?.size ?? 0;
  const drop = async (speaker: string, take: string) => {
    coming.delete(part(speaker, take));
    await rm(part(speaker, take), { force: true });
  };

  /** One who begins clips and ends none fills no disk: of too many, those that began first are gone, and are sent anew. */
  const makeWay = async (speaker: string) => {
    const own = [...coming.keys()].filter((path) => path.startsWith(join(parts, `${speaker}-`)));
    const onDisk = (await filesIn(parts)).map((name) => join(parts, name));
    const before = onDisk.filter((path) => path.startsWith(join(parts, `${speaker}-`)) && !own.includes(path));
    for (const path of [...before, ...own].slice(0, -maxUnfinished + 1)) {
      coming.delete(path);
      await rm(path, { force: true });
    }
  };

  const finish = async (speaker: string, take: string, what: Announced, item: CollectionItem, pair: string | null) => {
    const whole = await readFile(part(speaker, take));
    const read = isOwnWav(whole) ? await wav.decode(whole, 'clip').catch(() => null) : null;
    const check = read && checkRecording(read);
    const refused =
      read === null || check === null
        ? 'This is no WAV file of one channel and 16 bits.'
        : check.durationSeconds > plan.maxSeconds + 1
          ? `A clip lasts at most ${plan.maxSeconds} s.`
          : null;
    if (sha256(whole) !== what.sha256 || refused !== null) {
      await drop(speaker, take);
      // Changed on its way: it is sent from its beginning.
      return sha256(whole) === what.sha256 ? { refused: refused! } : { have: 0 };
    }
    const own = known.get(speaker)!;
    const before = own.recordings.get(item.id);
    const recording: Recording = {
      ...what,
      ...{ item: item.id, take, script: item.script, type: item.type, role: item.role, pair },
      text: item.type === 'free' ? null : item.text,
      ...{ consentSha256: own.about.consent.sha256, sampleRate: read!.sampleRate, check: check! },
    };
    await mkdir(clips(speaker), { recursive: true, mode: personal.folder });
    await rename(part(speaker, take), join(clips(speaker), clipFile(recording)));
    syncFolder(clips(speaker));
    await writeDurably(join(clips(speaker), `${item.id}.json`), jsonText(recording));
    own.recordings.set(item.id, recording);
    coming.delete(part(speaker, take));
    if (before !== undefined && clipFile(before) !== clipFile(recording))
      await rm(join(clips(speaker), clipFile(before)), { force: true });
    return recording;
  };

  const everything = () =>
    [...known]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([speaker, { about, recordings }]) => ({
        ...{ speaker, about },
        recordings: [...recordings.values()].sort((a, b) => (a.item < b.item ? -1 : 1)),
      }));

  return {
    problems,
    about: (speaker) => known.get(speaker)?.about ?? null,
    tell: (speaker, about) =>
      inTurn(speaker, async () => {
        await writeDurably(speakerFile(speaker), jsonText(about));
        known.set(speaker, { about, recordings: known.get(speaker)?.recordings ?? new Map() });
      }),
    recordings: (speaker) => known.get(speaker)?.recordings ?? new Map(),
    begin: (speaker, item, take, what) =>
      inTurn(speaker, async () => {
        const kept = known.get(speaker)?.recordings.get(item);
        if (kept?.take === take) return kept;
        const path = part(speaker, take);
        if (!coming.has(path) && (await sizeOf(path)) === 0) await makeWay(speaker);
        coming.set(path, what);
        const have = await sizeOf(path);
        if (have < what.bytes) return { have };
        await rm(path, { force: true });
        return { have: 0 };
      }),
    piece: (speaker, take, { from, bytes, item, pair }) =>
      inTurn(speaker, async () => {
        const kept = known.get(speaker)?.recordings.get(item.id);
        if (kept?.take === take) return kept;
        const path = part(speaker, take);
        const what = coming.get(path);
        if (what === undefined || !known.has(speaker)) return { unknown: true };
        const have = await sizeOf(path);
        if (from !== have || have + bytes.length > what.bytes) return { have };
        const room = await statfs(folder);
        if (room.bavail * room.bsize < reserveBytes + what.bytes) throw noRoom(folder);
        await append(path, bytes, have);
        return have + bytes.length < what.bytes
          ? { have: have + bytes.length }
          : await finish(speaker, take, what, item, pair);
      }),
    write: (speaker, item, text) =>
      inTurn(speaker, async () => {
        const recordings = known.get(speaker)?.recordings;
        const before = recordings?.get(item);
        if (before === undefined) return;
        const recording = { ...before, text };
        await writeDurably(join(clips(speaker), `${item}.json`), jsonText(recording));
        recordings!.set(item, recording);
      }),
    async audio(speaker, item) {
      const recording = known.get(speaker)?.recordings.get(item);
      return recording === undefined
        ? null
        : await readFile(join(clips(speaker), clipFile(recording))).catch(() => null);
    },
    withdraw: (speaker) =>
      inTurn(speaker, async () => {
        const count = known.get(speaker)?.recordings.size ?? 0;
        known.delete(speaker);
        await rm(clips(speaker), { recursive: true, force: true });
        await rm(speakerFile(speaker), { force: true });
        for (const name of await filesIn(parts))
          if (name.startsWith(`${speaker}-`)) await drop(speaker, name.slice(speaker.length + 1));
        return count;
      }),
    everything,
    writeLists: writtenInTurn(async () => {
      await writePersonal(join(folder, 'utterances.tsv'), listText(plan, everything()));
      await writePersonal(join(folder, 'card.md'), cardText(plan, everything()));
    }),
  };
}

/** The clips that files beside them name, where their bytes are what was recorded. */
async function recordingsIn(folder: string, problems: string[]): Promise<Map<string, Recording>> {
  const recordings = new Map<string, Recording>();
  const before = problems.length;
  const files = await filesIn(folder);
  for (const file of files) {
    const recording = file.endsWith('.json') ? await readAs(recordingShape, join(folder, file), problems) : null;
    if (recording === null) continue;
    const path = join(folder, clipFile(recording));
    const found = await readFile(path).catch(() => null);
    if (found !== null && sha256(found) === recording.sha256) recordings.set(recording.item, recording);
    else
      problems.push(
        `${path}: expected the clip that was recorded, but ${found === null ? 'it is not there' : 'its bytes are others'}; it is left out of the list`,
      );
  }
  // Written to its end, and never named: it was not acknowledged, and is sent again.
  const named = new Set([...recordings.values()].map(clipFile));
  for (const file of files)
    if (/\.[0-9a-f]{8}\.wav$/.test(file) && !named.has(file) && problems.length === before)
      await rm(join(folder, file), { force: true });
  return recordings;
}

async function readAs<Shape extends z.ZodType>(
  shape: Shape,
  file: string,
  problems: string[],
): Promise<z.infer<Shape> | null> {
  try {
    return shape.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    problems.push(`${file}: expected what was written here, but it cannot be read; what it is about is left out`);
    return null;
  }
}

const filesIn = (folder: string): Promise<readonly string[]> => readdir(folder).catch(() => []);
const jsonText = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** Whether it begins as our own pages write it: PCM of 16 bits, one channel. Nothing else comes from them. */
function isOwnWav(bytes: Uint8Array): boolean {
  if (bytes.length < 44 || !wav.recognizes(bytes.subarray(0, 64))) return false;
  const view = new DataView(bytes.buffer, bytes.byteOffset, 44);
  return view.getUint16(20, true) === 1 && view.getUint16(22, true) === 1 && view.getUint16(34, true) === 16;
}

/** Adds a piece to what is there, and waits until it is on the disk; what cannot be written whole is taken back. */
async function append(path: string, bytes: Uint8Array, have: number): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: personal.folder });
    const file = await open(path, 'a', personal.file);
    try {
      await file.appendFile(bytes);
      await file.sync();
    } catch (error) {
      await file.truncate(have).catch(() => {});
      throw error;
    } finally {
      await file.close();
    }
  } catch (error) {
    throw asNoRoom(error, dirname(path));
  }
}

/** Whole or not at all, and on the disk when it returns. What people tell is nobody else's. */
async function writeDurably(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: personal.folder });
  const unfinished = `${path}.part`;
  try {
    await writeFile(unfinished, text, { mode: personal.file });
    putInPlace(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw asNoRoom(error, dirname(path));
  }
}

function asNoRoom(error: unknown, folder: string): unknown {
  const found = (error as NodeJS.ErrnoException | null)?.code;
  return found === 'ENOSPC' || found === 'EDQUOT' ? noRoom(folder) : error;
}

function noRoom(folder: string): EarwitnessError {
  return new EarwitnessError(
    'store',
    `${printable(folder, 200)}: the disk is nearly full, so that no clip is taken; free some space. What people recorded waits in their browsers`,
  );
}
