import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type ChannelChoice, describeChannels } from '../../audio/channels.ts';
import type { Clip } from '../../audio/clip.ts';
import type { SoundCollection } from '../../audio/sound-collection.ts';
import { badConfig, badInput } from '../../base/errors.ts';
import { hashJson } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { printable, someOf } from '../../base/printable.ts';
import type { SoundFiles } from '../../decoders/contract.ts';
import type { ListedSound } from '../../sound-collections/contract.ts';
import { readRows } from '../../system/read-rows.ts';
import type { ConfiguredMember } from '../config/config.ts';
import { loadMember } from '../members/load-member.ts';

export interface CollectionServices {
  /** Relative paths are meant from here. */
  readonly baseFolder: string;
  readonly sounds: SoundFiles;
  /** Collections by the names they have in the config. */
  readonly configured: Readonly<Record<string, ConfiguredMember>>;
  /** What the user should know of the files; nowhere if absent. */
  readonly warn?: (message: string) => void;
}

/** Files that are hashed at the same time. */
const hashedAtOnce = 4;
/** Short files are kept decoded: so many samples of one, and of all together (16 MiB). */
const maxSamplesOfOne = 2 ** 20;
const maxSamplesKept = 2 ** 22;
/** Of files up to this length, the whole is read for a stretch. */
const shortSeconds = 35;

/**
 * Opens a collection of sounds by the name that the config gives it, or a folder by its path. The whole is hashed, so that
 * keys hold what the sounds are; none is decoded before it is asked for.
 *
 * @throws EarwitnessError `bad-config` where there is neither, `bad-input` where it holds no sound
 */
export async function openSoundCollection(
  nameOrFolder: string,
  { baseFolder, sounds, configured, warn = () => {} }: CollectionServices,
): Promise<SoundCollection> {
  const listed = await listSounds(nameOrFolder, { baseFolder, configured });
  if (listed.length === 0) {
    throw badInput(
      `${printable(nameOrFolder)}: expected at least one sound in this collection, but there is none; check its options`,
    );
  }
  const identities = await identitiesOf(listed, sounds);
  return {
    name: nameOrFolder,
    identity: { sounds: listed.length, contents: hashJson(identities) },
    sounds: listed.map(({ name, facts }) => ({ name, facts })),
    ...readers(nameOrFolder, listed, identities, sounds, warn),
  };
}

/**
 * The files of a collection by the name that the config gives it, or of a folder by its path: none is opened.
 *
 * @throws EarwitnessError `bad-config` where there is neither, `bad-input` where its folder is absent
 */
export async function listSounds(
  nameOrFolder: string,
  { baseFolder, configured }: Pick<CollectionServices, 'baseFolder' | 'configured'>,
): Promise<readonly ListedSound[]> {
  const { type, options } = await memberFor(nameOrFolder, baseFolder, configured);
  const { member } = await loadMember('sound-collections', type, baseFolder);
  const rows = (file: string, shownName: string) => readRows(file, shownName);
  return member.list(options, { baseFolder, rows });
}

async function memberFor(
  name: string,
  baseFolder: string,
  configured: CollectionServices['configured'],
): Promise<{ readonly type: string; readonly options: JsonObject }> {
  const known = Object.hasOwn(configured, name) ? configured[name] : undefined;
  if (known) return known;
  const about = await stat(resolve(baseFolder, name)).catch(() => null);
  if (about?.isDirectory()) return { type: 'folder', options: { folder: name } };
  const names = Object.keys(configured);
  const nearest = nearestName(name, names);
  const hint =
    nearest !== null
      ? `did you mean "${nearest}"?`
      : names.length > 0
        ? `the config has ${someOf(names, 12)}`
        : 'add it to the config under "sounds", or name a folder of audio files';
  throw badConfig(
    `expected a sound collection or a folder, but there is no ${JSON.stringify(printable(name))}; ${hint}`,
  );
}

async function identitiesOf(listed: readonly ListedSound[], sounds: SoundFiles): Promise<JsonObject[]> {
  const identities: JsonObject[] = new Array(listed.length);
  let next = 0;
  const hashSome = async () => {
    while (next < listed.length) {
      const index = next++;
      identities[index] = await sounds.identity(listed[index]!.file, { channel: 'mean' });
    }
  };
  await Promise.all(Array.from({ length: hashedAtOnce }, hashSome));
  return identities;
}

function readers(
  collection: string,
  listed: readonly ListedSound[],
  identities: readonly JsonObject[],
  sounds: SoundFiles,
  warn: (message: string) => void,
): Pick<SoundCollection, 'durationSeconds' | 'read'> {
  const durations = new Map<number, number>();
  // In order of use, the oldest first.
  const kept = new Map<string, Clip>();
  let samplesKept = 0;

  /** A file that was replaced under way would be heard under the other's key. */
  const unchanged = async (index: number): Promise<string> => {
    const { file } = listed[index]!;
    const now = await sounds.identity(file, { channel: 'mean' });
    if (hashJson(now) === hashJson(identities[index]!)) return file;
    throw badInput(
      `${printable(file)}: expected the audio file that was there when the collection was opened, but it was changed; start again`,
    );
  };
  let warned = false;
  /** What is read of a file: unlike channels are mixed where the step says so, but not without a word. */
  const channelOf = async (file: string, channel: 'mean' | 'first'): Promise<ChannelChoice> => {
    if (channel === 'first') return 1;
    const facts = await sounds.channels(file);
    const { count, relation, live, cancel } = facts;
    if (cancel) {
      throw badInput(
        `${printable(file)}: expected one sound, but it has ${describeChannels(facts)}; take the first alone with channel: first`,
      );
    }
    if (!warned && (relation === 'unlike' || live.length < count)) {
      warned = true;
      const about =
        relation === 'unlike' ? describeChannels(facts) : `${count} channels, ${count - live.length} of them empty`;
      warn(
        `sounds ${JSON.stringify(printable(collection))}: ${printable(file)} has ${about}, which are mixed by their mean; for the first alone set channel: first in the step`,
      );
    }
    return channel;
  };
  const durationSeconds = async (index: number): Promise<number> => {
    const known = durations.get(index) ?? (await sounds.durationSeconds(await unchanged(index)));
    durations.set(index, known);
    return known;
  };
  const readWhole = async (index: number, channel: 'mean' | 'first'): Promise<Clip> => {
    const file = await unchanged(index);
    const key = `${index} ${channel}`;
    const clip = kept.get(key) ?? (await sounds.read(file, { channel: await channelOf(file, channel) }));
    if (kept.delete(key)) samplesKept -= clip.samples.length;
    if (clip.samples.length <= maxSamplesOfOne) {
      kept.set(key, clip);
      samplesKept += clip.samples.length;
    }
    for (const [oldest, { samples }] of kept) {
      if (samplesKept <= maxSamplesKept) break;
      kept.delete(oldest);
      samplesKept -= samples.length;
    }
    return clip;
  };

  return {
    durationSeconds,
    async read(index, stretch, channel = 'mean') {
      if (stretch === undefined) return readWhole(index, channel);
      if ((await durationSeconds(index)) > shortSeconds) {
        const file = await unchanged(index);
        return sounds.read(file, { ...stretch, channel: await channelOf(file, channel) });
      }
      const { samples, sampleRate } = await readWhole(index, channel);
      const from = Math.round(stretch.startSeconds * sampleRate);
      return { samples: samples.subarray(from, Math.round(stretch.endSeconds * sampleRate)), sampleRate };
    },
  };
}
