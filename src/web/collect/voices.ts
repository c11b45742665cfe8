import { readFileSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { checkRecording, type RecordingCheck } from '../../audio/recording-check.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import { printable } from '../../base/printable.ts';
import { wav } from '../../decoders/wav/wav.ts';
import { writeWhole } from '../../session/export/write-whole.ts';
import { type CoverageItem, intersectionalCoverage } from '../../statistics/intersectional-coverage.ts';
import type { CollectionItem, CollectionPlan } from './collection-plan.ts';

/** Bytes of one clip: 85 s of 16 bits at 48 kHz. */
export const maxClipBytes = 8 * 1024 * 1024;

/** What somebody told about themselves. */
export interface About {
  /** When they agreed to it, and to which text. */
  readonly consent: { readonly sha256: string; readonly at: string };
  /** By name; several values and own words are joined by "; ". Absent: not said. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Which they would rather not say. */
  readonly declined: readonly string[];
}

/** Where somebody records, as they say. */
export interface RecordingPlace {
  readonly environment: string;
  readonly device: string;
  readonly rooms: '' | 'one' | 'two';
}

const settings = z.strictObject({
  echoCancellation: z.boolean().nullable(),
  noiseSuppression: z.boolean().nullable(),
  autoGainControl: z.boolean().nullable(),
  sampleRate: z.number().min(8000).max(384_000),
});

/** What is said of a clip before its bytes come. */
export const announced = z.strictObject({
  bytes: z.int().min(45).max(maxClipBytes),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** Where and with what it was recorded, as the person says. */
  environment: z.string().max(300),
  device: z.string().max(300),
  rooms: z.enum(['', 'one', 'two']),
  /** What the browser did to the sound, as it says itself; null: it does not say. */
  settings,
});

export type Announced = Readonly<z.infer<typeof announced>>;

/** A clip that is kept, as the file beside it says. */
export interface Recording extends Announced {
  readonly item: string;
  readonly take: string;
  readonly script: string;
  readonly type: CollectionItem['type'];
  /** What was read; of what was said freely, what its speaker wrote down, else null. */
  readonly text: string | null;
  readonly role: 'A' | 'B' | null;
  readonly pair: string | null;
  readonly consentSha256: string;
  readonly sampleRate: number;
  readonly check: RecordingCheck;
}

/** The folder of a collection: what people said and told, by codes instead of names. */
export interface Voices {
  /** Damaged or missing files, one sentence each. */
  readonly problems: readonly string[];
  about(speaker: string): About | null;
  tell(speaker: string, about: About): Promise<void>;
  recordings(speaker: string): ReadonlyMap<string, Recording>;
  /** How many bytes of a take are there already; the recording where it is kept. */
  begin(speaker: string, item: string, take: string, what: Announced): Promise<{ readonly have: number } | Recording>;
  /**
   * Takes the next piece of a clip; the last one makes it a recording, in place of an earlier one of the same item.
   *
   * @returns how many bytes are there, why the clip is none (then it is gone), or the recording
   * @throws EarwitnessError `store` where the disk has no room: what was sent before stays
   */
  piece(
    speaker: string,
    take: string,
    piece: { readonly from: number; readonly bytes: Uint8Array; readonly what: Announced; readonly of: TakenItem },
  ): Promise<{ readonly have: number } | { readonly refused: string } | Recording>;
  /** What a person wrote down of what they said freely. */
  write(speaker: string, item: string, text: string): Promise<void>;
  audio(speaker: string, item: string): Promise<Uint8Array | null>;
  /** Removes everything of somebody. @returns how many clips */
  withdraw(speaker: string): Promise<number>;
  /** All that there is, for counts. */
  everything(): readonly {
    readonly speaker: string;
    readonly about: About;
    readonly recordings: readonly Recording[];
  }[];
  /** Writes the list that a corpus reads, and its card. */
  writeLists(): Promise<void>;
}

/** What a clip answers to. */
export interface TakenItem {
  readonly item: CollectionItem;
  readonly pair: string | null;
}

/** Bytes that stay free on the disk. */
const reserveBytes = 200 * 1024 * 1024;
const code = /^[0-9a-f]{12}$/;

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
  const known = new Map<string, { about: About; recordings: Map<string, Recording> }>();
  const speakerFile = (speaker: string) => join(folder, 'speakers', `${speaker}.json`);
  const clips = (speaker: string) => join(folder, 'clips', speaker);
  const part = (speaker: string, take: string) => join(folder, 'parts', `${speaker}-${take}`);

  for (const name of await readdir(join(folder, 'speakers')).catch(() => [])) {
    const speaker = name.replace(/\.json$/, '');
    if (!code.test(speaker)) continue;
    const about = parsed<About>(speakerFile(speaker), problems);
    if (about === null) continue;
    const recordings = new Map<string, Recording>();
    for (const file of await readdir(clips(speaker)).catch(() => [])) {
      if (!file.endsWith('.json')) continue;
      const recording = parsed<Recording>(join(clips(speaker), file), problems);
      if (recording === null) continue;
      const path = join(clips(speaker), clipFile(recording));
      const found = await readFile(path).catch(() => null);
      if (found === null || sha256(found) !== recording.sha256)
        problems.push(
          `${path}: expected the clip that was recorded, but ${found === null ? 'it is not there' : 'its bytes are others'}; it is left out of the list`,
        );
      else recordings.set(recording.item, recording);
    }
    const named = new Set([...recordings.values()].map(clipFile));
    // Written to its end, and never named: it was not acknowledged, and is sent again.
    for (const file of await readdir(clips(speaker)).catch(() => []))
      if (/\.[0-9a-f]{8}\.wav$/.test(file) && !named.has(file) && problems.length === 0)
        await rm(join(clips(speaker), file), { force: true });
    known.set(speaker, { about, recordings });
  }

  const finish = async (speaker: string, take: string, what: Announced, { item, pair }: TakenItem) => {
    const whole = await readFile(part(speaker, take));
    const refuse = async (why: string) => {
      await rm(part(speaker, take), { force: true });
      return { refused: why };
    };
    if (sha256(whole) !== what.sha256) return refuse('The clip changed on its way; it is sent again.');
    if (!wav.recognizes(whole.subarray(0, 64))) return refuse('This is no WAV file.');
    const clip = await wav.decode(whole, 'clip').catch(() => null);
    if (clip === null) return refuse('This WAV file cannot be read.');
    const check = checkRecording(clip);
    if (check.durationSeconds > plan.maxSeconds + 1) return refuse(`A clip lasts at most ${plan.maxSeconds} s.`);
    const own = known.get(speaker)!;
    const before = own.recordings.get(item.id);
    const recording: Recording = {
      ...what,
      ...{ item: item.id, take, script: item.script, type: item.type, role: item.role, pair },
      text: item.type === 'free' ? null : item.text,
      ...{ consentSha256: own.about.consent.sha256, sampleRate: clip.sampleRate, check },
    };
    await mkdir(clips(speaker), { recursive: true });
    const path = join(clips(speaker), clipFile(recording));
    await rename(part(speaker, take), path);
    await durable(dirname(path));
    await writeDurably(join(clips(speaker), `${item.id}.json`), `${JSON.stringify(recording, null, 2)}\n`);
    own.recordings.set(item.id, recording);
    if (before !== undefined && clipFile(before) !== clipFile(recording))
      await rm(join(clips(speaker), clipFile(before)), { force: true });
    return recording;
  };

  let writing: Promise<void> | null = null;
  let again = false;
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
    async tell(speaker, about) {
      await writeDurably(speakerFile(speaker), `${JSON.stringify(about, null, 2)}\n`);
      known.set(speaker, { about, recordings: known.get(speaker)?.recordings ?? new Map() });
    },
    recordings: (speaker) => known.get(speaker)?.recordings ?? new Map(),
    async begin(speaker, item, take, what) {
      const kept = known.get(speaker)?.recordings.get(item);
      if (kept?.take === take) return kept;
      const have = (await stat(part(speaker, take)).catch(() => null))?.size ?? 0;
      if (have <= what.bytes) return { have };
      await rm(part(speaker, take), { force: true });
      return { have: 0 };
    },
    async piece(speaker, take, { from, bytes, what, of }) {
      const kept = known.get(speaker)?.recordings.get(of.item.id);
      if (kept?.take === take) return kept;
      const path = part(speaker, take);
      const have = (await stat(path).catch(() => null))?.size ?? 0;
      if (from !== have || have + bytes.length > what.bytes) return { have };
      const room = await statfs(folder);
      if (room.bavail * room.bsize < reserveBytes + what.bytes) throw noRoom(folder);
      await mkdir(dirname(path), { recursive: true });
      const file = await open(path, 'a').catch((error: unknown) => {
        throw asNoRoom(error, folder);
      });
      try {
        await file.appendFile(bytes);
        await file.sync();
      } catch (error) {
        await file.truncate(have).catch(() => {});
        throw asNoRoom(error, folder);
      } finally {
        await file.close();
      }
      return have + bytes.length < what.bytes ? { have: have + bytes.length } : await finish(speaker, take, what, of);
    },
    async write(speaker, item, text) {
      const own = known.get(speaker)!;
      const recording = { ...own.recordings.get(item)!, text };
      await writeDurably(join(clips(speaker), `${item}.json`), `${JSON.stringify(recording, null, 2)}\n`);
      own.recordings.set(item, recording);
    },
    async audio(speaker, item) {
      const recording = known.get(speaker)?.recordings.get(item);
      return recording === undefined
        ? null
        : await readFile(join(clips(speaker), clipFile(recording))).catch(() => null);
    },
    async withdraw(speaker) {
      const count = known.get(speaker)?.recordings.size ?? 0;
      await rm(clips(speaker), { recursive: true, force: true });
      await rm(speakerFile(speaker), { force: true });
      for (const name of await readdir(join(folder, 'parts')).catch(() => []))
        if (name.startsWith(`${speaker}-`)) await rm(join(folder, 'parts', name), { force: true });
      known.delete(speaker);
      return count;
    },
    everything,
    writeLists() {
      again = writing !== null;
      writing ??= (async () => {
        do {
          again = false;
          await writeWhole(join(folder, 'utterances.tsv'), listText(plan, everything()));
          await writeWhole(join(folder, 'card.md'), cardText(plan, everything()));
        } while (again);
      })().finally(() => {
        writing = null;
      });
      return writing;
    },
  };
}

function parsed<Value>(file: string, problems: string[]): Value | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Value;
  } catch {
    problems.push(`${file}: expected what was written here, but it cannot be read; what it is about is left out`);
    return null;
  }
}

function clipFile({ item, take }: Pick<Recording, 'item' | 'take'>): string {
  return `${item}.${take.slice(0, 8)}.wav`;
}

/** Whole or not at all, and on the disk when it returns. */
async function writeDurably(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const unfinished = `${path}.part`;
  try {
    const file = await open(unfinished, 'w', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
    await durable(dirname(path));
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw asNoRoom(error, dirname(path));
  }
}

/** A new name is on the disk when its folder is. Windows has no such thing. */
async function durable(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
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

/** How a script is called as a style of speech. */
const styles = {
  read: 'read',
  grammar: 'commands',
  dictation: 'dictation',
  free: 'spontaneous',
  dialogue: 'acted',
} as const;

type Everything = ReturnType<Voices['everything']>;

/** What the corpus `manifest` reads: one line a clip, each cell without tabs and ends of lines. */
function listText(plan: CollectionPlan, everyone: Everything): string {
  const names = plan.attributes.map(({ name }) => name);
  const head = [
    ...['id', 'path', 'speaker', 'language', 'text', 'duration', 'script', 'style', 'environment', 'recordingDevice'],
    ...['dialogue', 'pair', 'role', 'turn', 'rooms', 'licence', 'consent', 'sha256', ...names],
  ];
  const rows = everyone.flatMap(({ speaker, about, recordings }) =>
    recordings.map((one) => [
      ...[`${speaker}-${one.item}`, `clips/${speaker}/${clipFile(one)}`, speaker, plan.language, one.text ?? ''],
      ...[one.check.durationSeconds.toFixed(3), one.script, styles[one.type], one.environment, one.device],
      ...[one.type === 'dialogue' ? one.script : '', one.pair ?? '', one.role ?? ''],
      ...[one.type === 'dialogue' ? one.item.slice(one.script.length + 1) : '', one.rooms, plan.licence],
      ...[one.consentSha256.slice(0, 12), one.sha256, ...names.map((name) => about.attributes[name] ?? '')],
    ]),
  );
  return [head, ...rows]
    .map((cells) => `${cells.map((cell) => cell.replace(/[\t\r\n]+/g, ' ')).join('\t')}\n`)
    .join('');
}

/** How well the wanted combinations are there; null where none are wanted. */
export function quotaOf(plan: CollectionPlan, everyone: Everything) {
  if (plan.quota === undefined) return null;
  const items = everyone
    .filter(({ recordings }) => recordings.length > 0)
    .map(({ speaker, about }): CoverageItem => ({ speaker, attributes: about.attributes }));
  const values = Object.fromEntries(
    plan.attributes.flatMap(({ name, choices }) => (choices.length > 0 ? [[name, choices]] : [])),
  );
  const { attributes, speakers } = plan.quota;
  return intersectionalCoverage(items, { attributes, by: 'speakers', minimum: speakers, values });
}

/** What a corpus card says: of what it is, of whom, under which terms, and how it was recorded. */
function cardText(plan: CollectionPlan, everyone: Everything): string {
  const all = everyone.flatMap(({ recordings }) => recordings);
  const speakers = everyone.filter(({ recordings }) => recordings.length > 0);
  const hours = all.reduce((sum, { check }) => sum + check.durationSeconds, 0) / 3600;
  const share = (what: (one: Recording) => boolean) => `${all.filter(what).length} of ${all.length}`;
  const quota = quotaOf(plan, everyone);
  const cell = (text: string) => text.replace(/[|\r\n]+/g, ' ');
  const counts = (name: string) => {
    const of = Map.groupBy(speakers, ({ about }) => about.attributes[name] ?? '(not said)');
    return [...of]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([value, who]) => `| ${name} | ${cell(value)} | ${who.length} |`);
  };
  const many = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
  return `# ${plan.title}

${many(all.length, 'clip')} of ${many(speakers.length, 'speaker')}, ${hours.toFixed(2)} hours, language ${plan.language}. Licence: ${plan.licence}. Contact: ${plan.contact}.

Speakers told about themselves in their own words or by choice; nothing was inferred. They agreed to a text before anything was recorded;
its hash stands with each clip, and the text in \`consent/\`. Whoever withdraws is removed here; from stores of runs by
\`earwitness forget --speaker CODE\`.

| attribute | value | speakers |
|---|---|---|
${plan.attributes.flatMap(({ name }) => counts(name)).join('\n')}

| script | clips |
|---|---|
${plan.scripts.map(({ name, type }) => `| ${name} (${styles[type]}) | ${all.filter(({ script }) => script === name).length} |`).join('\n')}
${quota === null ? '' : `\nOf ${quota.cells.length} combinations of ${quota.attributes.join(' and ')}, ${quota.covered} have ${quota.minimum} speakers or more; divergence from uniform ${quota.klToUniform === null ? 'undefined' : `${quota.klToUniform.toFixed(3)} nats`} (Kullback-Leibler, by speakers).\n`}
Recorded in browsers as 16-bit PCM at the rate of the device. Asked off, and off as the browser said: echo cancellation ${share(({ settings: s }) => s.echoCancellation === false)}, noise
suppression ${share(({ settings: s }) => s.noiseSuppression === false)}, gain control ${share(({ settings: s }) => s.autoGainControl === false)}. Level, clipping, silence and noise were checked at once; kept all the same: ${share(({ check }) => check.problems.length > 0)}.
`;
}
