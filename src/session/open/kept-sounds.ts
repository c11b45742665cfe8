import { readdirSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clip } from '../../audio/clip.ts';
import { sampleHash } from '../../audio/clip-measurement.ts';
import { encodeWav } from '../../audio/encode-wav.ts';
import { EarwitnessError, fileProblem } from '../../base/errors.ts';
import { hashJson } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import { makeFolder, ownedName, personal, removeAbandoned } from '../../base/on-disk.ts';
import type { SpeechSource } from '../../corpora/contract.ts';
import { wav } from '../../decoders/wav/wav.ts';
import type { KeptSound, KeptSounds } from '../../engine/clips.ts';
import { folderBeside } from '../../store/store-place.ts';

interface Header extends Pick<KeptSound, 'facts' | 'timeMap'> {
  readonly sampleRate: number;
  readonly sampleHash: string;
}

/**
 * Keeps sounds that took long to make beside a store, and how far those are that are being made. Each is a file in a folder of the sound
 * that it was made from: a line of JSON (rate, hash of the samples, facts, times) and the samples, 32-bit floats, little-endian. What is
 * damaged is made again.
 */
export function keptSounds(folder: string): KeptSounds {
  removeAbandoned(folder, 'p');
  return {
    async read(sound, clip) {
      const bytes = await readFile(join(folderOf(folder, sound), `${clip}.sound`)).catch(() => null);
      return bytes === null ? null : decoded(bytes);
    },
    async write(sound, clip, { clip: { samples, sampleRate }, facts, timeMap }) {
      const header: Header = { sampleRate, sampleHash: sampleHash({ samples, sampleRate }), facts, timeMap };
      const place = folderOf(folder, sound);
      const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), bytesOf(samples)]);
      await writeKept(folder, join(place, `${clip}.sound`), bytes);
      const parts = (await readdir(place)).filter((name) => name.startsWith(`${clip}-`) && name.endsWith('.part'));
      await Promise.all(parts.map((name) => rm(join(place, name), { force: true })));
    },
    checkpoint(sound, clip, position) {
      const file = join(folderOf(folder, sound), `${clip}-${position}.part`);
      return {
        async load() {
          const bytes = await readFile(file).catch(() => null);
          if (bytes === null || bytes.length % 8 !== 0) return null;
          return new Float64Array(Uint8Array.from(bytes).buffer);
        },
        save: (values) => writeKept(folder, file, bytesOf(values)),
      };
    },
  };
}

/**
 * Writes a file below a folder of kept sounds and renames it into place, so that a kill never leaves half a sound: what is left then lies in
 * the folder itself, where `removeAbandoned(folder, 'p')` finds it.
 *
 * @throws EarwitnessError `store` where it cannot be written
 */
export async function writeKept(folder: string, file: string, bytes: Uint8Array): Promise<void> {
  const unfinished = join(folder, `${ownedName('')}.tmp`);
  try {
    makeFolder(dirname(file), personal.folder);
    await writeFile(unfinished, bytes, { flush: true, mode: personal.file });
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw new EarwitnessError(
      'store',
      `${folder}: ${(bytes.length / 1e6).toFixed(1)} MB of audio that took long to make cannot be kept there (${fileProblem(error)}); what was kept before is there: make room for it and run again`,
      { cause: error },
    );
  }
}

/** Where a store keeps them. */
export function keptSoundsFolder(storeFile: string): string {
  return join(folderBeside(storeFile), 'made');
}

/** What is kept of a sound, by its hash: paths. */
export function keptSoundFiles(folder: string, sound: string): string[] {
  const place = folderOf(folder, sound);
  try {
    return readdirSync(place).map((name) => join(place, name));
  } catch {
    return [];
  }
}

function folderOf(folder: string, sound: string): string {
  return join(folder, sound.slice(0, 2), sound);
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Float64Array): Uint8Array {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}

function decoded(bytes: Buffer): KeptSound | null {
  const end = bytes.indexOf(10);
  try {
    const { sampleRate, facts, timeMap, sampleHash: expected } = JSON.parse(bytes.toString('utf8', 0, end)) as Header;
    const samples = new Float32Array(Uint8Array.from(bytes.subarray(end + 1)).buffer);
    const clip = { samples, sampleRate };
    return sampleHash(clip) === expected ? { clip, facts, timeMap } : null;
  } catch {
    return null;
  }
}

/**
 * Keeps what a synthesizer spoke: the same text is never spoken twice, and what was recognized can be heard again even
 * when the engine is gone. A text that it cannot speak is asked for once.
 *
 * @param folder where the sounds are kept, 32-bit float WAV files by hash
 */
export function keptSpeech(source: SpeechSource, folder: string): SpeechSource {
  removeAbandoned(folder, 'p');
  // One sentence can stand in several utterances, which are spoken side by side.
  const speaking = new Map<string, Promise<Clip>>();
  // What cannot be spoken is not asked for again in every condition, perhaps for money.
  const refused = new Map<string, EarwitnessError>();

  const keep = async (hash: string, text: string, voice: string): Promise<Clip> => {
    const file = fileOf(folder, hash);
    const kept = await readFile(file).catch(() => null);
    if (kept) return wav.decode(kept, file);
    const earlier = refused.get(hash);
    if (earlier !== undefined) throw earlier;
    const clip = await source.speak(text, voice).catch((error: unknown) => {
      if (error instanceof EarwitnessError && error.code === 'bad-input') refused.set(hash, error);
      throw error;
    });
    await writeKept(folder, file, encodeWav(clip, { format: 'f32' }));
    return clip;
  };

  return {
    voices: source.voices,
    identity: source.identity,
    speak(text, voice): Promise<Clip> {
      const hash = hashJson({ synthesizer: source.identity(), voice, text });
      let clip = speaking.get(hash);
      if (!clip) {
        clip = keep(hash, text, voice).finally(() => speaking.delete(hash));
        speaking.set(hash, clip);
      }
      return clip;
    },
  };
}

/**
 * Where speech is kept.
 *
 * @param identity what it is: `text`, `voice` and the identity of the `synthesizer`
 */
export function keptSpeechFile(folder: string, { synthesizer = null, voice = null, text = null }: JsonObject): string {
  return fileOf(folder, hashJson({ synthesizer, voice, text }));
}

function fileOf(folder: string, hash: string): string {
  return join(folder, hash.slice(0, 2), `${hash}.wav`);
}

/** Where a store keeps what was spoken. */
export function speechFolder(storeFile: string): string {
  return join(folderBeside(storeFile), 'spoken');
}
