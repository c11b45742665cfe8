import { readdirSync, readFileSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sampleHash } from '../../audio/clip-measurement.ts';
import type { Clock } from '../../base/clock.ts';
import { badInput } from '../../base/errors.ts';
import { hashJson } from '../../base/hash.ts';
import type { JsonObject } from '../../base/json.ts';
import { Pace } from '../../base/pace.ts';
import { printable } from '../../base/printable.ts';
import type { Corpus } from '../../corpora/contract.ts';
import type { OnEvent } from '../../engine/events.ts';
import { soundHash } from '../../engine/keys.ts';
import { chooseFittingSpeakers } from '../../model/attack.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { AssetServices, Fitted, FittingChoice, FittingSet } from '../../perturbations/contract.ts';
import { countCharacterEdits } from '../../scoring/alignment/characters.ts';
import { errors, referenceLength } from '../../scoring/edit-counts.ts';
import { byLanguage } from '../../scoring/normalizers/by-language.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import { writeKept } from './kept-sounds.ts';

export interface FittingOptions {
  readonly corpus: Corpus;
  /** Of the run. */
  readonly seed: number;
  /** Beside the store: what was fitted, and how far that is which is being fitted; null: it is not kept. */
  readonly folder: string | null;
  readonly signal?: AbortSignal | undefined;
  /** Is told how far a fit is. */
  readonly on?: OnEvent | undefined;
  readonly clock: Pick<Clock, 'monotonicMs'>;
}

/** Before the samples: JSON. Names and hashes are for `forget` alone. */
interface Header extends Pick<Fitted, 'sampleRate' | 'facts'> {
  readonly speakers: readonly string[];
  readonly sounds: readonly string[];
  /** Of the samples of what is finished. */
  readonly sampleHash: string | null;
}

/** Fits on clips of a corpus: each recipe once, kept beside the store. */
export function createFitting({
  corpus,
  seed,
  folder,
  signal,
  on,
  clock,
}: FittingOptions): NonNullable<AssetServices['fitting']> {
  const sets = new Map<string, Promise<FittingSet>>();
  const fits = new Map<string, Promise<Fitted>>();

  const open = async ({ speakers: wanted, clipsPerSpeaker }: FittingChoice): Promise<FittingSet> => {
    const usable: (Utterance & { readonly speaker: string; readonly reference: string })[] = [];
    for await (const utterance of corpus.utterances()) {
      const { speaker, reference } = utterance;
      if (speaker !== undefined && reference !== undefined) usable.push({ ...utterance, speaker, reference });
    }
    const names = usable.map(({ speaker }) => speaker);
    const speakers = chooseFittingSpeakers(names, wanted, seed);
    const clips: { readonly utterance: (typeof usable)[number]; readonly sound: string; readonly place: string }[] = [];
    for (const utterance of usable.filter(({ speaker }) => speakers.has(speaker))) {
      const identity = await corpus.soundIdentity(utterance);
      if (identity === null) {
        throw badInput(
          `${printable(utterance.id, 200)}: expected a clip to fit on, but this utterance has no audio; name other speakers under fitSpeakers`,
        );
      }
      const sound = soundHash(identity);
      clips.push({ utterance, sound, place: hashJson({ seed, sound, reference: utterance.reference }) });
    }
    clips.sort((a, b) => (a.place < b.place ? -1 : 1));
    const taken = new Map<string, number>();
    const chosen = clips.filter(({ utterance: { speaker } }) => {
      const before = taken.get(speaker) ?? 0;
      taken.set(speaker, before + 1);
      return clipsPerSpeaker === null || before < clipsPerSpeaker;
    });
    const sounds = chosen.map(({ sound }) => sound);
    const texts = chosen.map(({ utterance: { reference, language } }) => ({ reference, language }));
    const normalizer = normalizerIdentity(byLanguage);
    const identity = {
      clips: hashJson(sounds.map((sound, place) => ({ sound, ...texts[place]! }))),
      ...{ seed, normalizer: { ...normalizer } },
    };
    const placeOf = (recipe: JsonObject) => {
      const key = hashJson({ fit: recipe });
      return { key, kept: keptFit(folder, key, { speakers: [...speakers], sounds }) };
    };
    return {
      ...{ identity, seed, speakers },
      clips: chosen.map(({ utterance }) => ({
        reference: utterance.reference,
        language: utterance.language,
        read: () => corpus.clip(utterance),
      })),
      characterErrors(clean, heard, language) {
        const [from, to] = [byLanguage.words(clean, language), byLanguage.words(heard, language)];
        const edits = countCharacterEdits(from, to, 'least', byLanguage.hasCharacterWords?.(language));
        return { errors: errors(edits), characters: referenceLength(edits) };
      },
      async state(recipe) {
        const { key, kept } = placeOf(recipe);
        if ((await kept.read()) !== null) return { key, state: 'kept' };
        return { key, state: (await kept.checkpoint.load()) === null ? 'none' : 'begun' };
      },
      fit(recipe, make) {
        const { key, kept } = placeOf(recipe);
        const meter = progressMeter(`${recipe.perturbation}: fitting on ${chosen.length} clips`, { clock, on });
        const start = async () => {
          const known = await kept.read();
          if (known !== null) return known;
          const made = await make({ checkpoint: kept.checkpoint, signal, told: meter });
          await kept.write(made);
          return made;
        };
        const known = fits.get(key) ?? start();
        fits.set(key, known);
        known.catch(() => fits.delete(key));
        return known;
      },
    };
  };
  return (choice) => {
    const place = JSON.stringify(choice);
    const known = sets.get(place) ?? open(choice);
    sets.set(place, known);
    return known;
  };
}

/** Says after each pass how long the rest takes at the pace of the last ones. */
function progressMeter(what: string, { clock, on }: Pick<FittingOptions, 'clock' | 'on'>) {
  let pace: Pace | null = null;
  return (passes: number, maxPasses: number): void => {
    const now = clock.monotonicMs();
    // Passes before the first that is told here were made by an earlier run.
    if (pace === null) pace = new Pace(now);
    else pace.done(now);
    const each = pace.secondsEach(now);
    const secondsLeft = each === null ? null : each * (maxPasses - passes);
    on?.({ type: 'fitting', what, passes, maxPasses, secondsLeft });
  };
}

const part = '.part';
const finished = '.fit';

/** One fit in a folder: a line of JSON, then numbers of 32 bits (the sound) or 64 (how far it is), little-endian. */
function keptFit(folder: string | null, key: string, whose: Pick<Header, 'speakers' | 'sounds'>) {
  if (folder === null) {
    return {
      read: async () => null,
      write: async () => {},
      checkpoint: { load: async () => null, save: async () => {} },
    };
  }
  const place = (ending: string) => join(folder, 'fits', `${key}${ending}`);
  const write = (ending: string, header: Omit<Header, 'speakers' | 'sounds'>, values: Float32Array | Float64Array) => {
    const line = Buffer.from(`${JSON.stringify({ ...header, ...whose })}\n`);
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    return writeKept(folder, place(ending), Buffer.concat([line, bytes]));
  };
  const read = async (ending: string) => {
    const bytes = await readFile(place(ending)).catch(() => null);
    if (bytes === null) return null;
    const header = headerIn(bytes);
    const rest = bytes.subarray(bytes.indexOf(10) + 1);
    return header === null ? null : { header, buffer: Uint8Array.from(rest).buffer };
  };
  return {
    async read(): Promise<Fitted | null> {
      const found = await read(finished);
      if (found === null || found.buffer.byteLength % 4 !== 0) return null;
      const { sampleRate, facts, sampleHash: expected } = found.header;
      const samples = new Float32Array(found.buffer);
      return sampleHash({ samples, sampleRate }) === expected ? { samples, sampleRate, facts } : null;
    },
    async write({ samples, sampleRate, facts }: Fitted): Promise<void> {
      await write(finished, { sampleRate, facts, sampleHash: sampleHash({ samples, sampleRate }) }, samples);
      await rm(place(part), { force: true });
    },
    checkpoint: {
      async load(): Promise<Float64Array | null> {
        const found = await read(part);
        return found === null || found.buffer.byteLength % 8 !== 0 ? null : new Float64Array(found.buffer);
      },
      save: (values: Float64Array) => write(part, { sampleRate: 0, facts: {}, sampleHash: null }, values),
    },
  };
}

function headerIn(bytes: Buffer): Header | null {
  try {
    return JSON.parse(bytes.toString('utf8', 0, bytes.indexOf(10))) as Header;
  } catch {
    return null;
  }
}

/**
 * Files of what was fitted on clips of a speaker, finished or not.
 *
 * @param folder where a store keeps what it made
 * @param sounds hashes of the speaker's sounds, by which they are found also where another name was given
 */
export function fitFilesOf(folder: string, speaker: string, sounds: readonly string[]): string[] {
  const place = join(folder, 'fits');
  const names = (() => {
    try {
      return readdirSync(place);
    } catch {
      return [];
    }
  })();
  const theirs = new Set(sounds);
  return names
    .map((name) => join(place, name))
    .filter((file) => {
      const header = headerIn(readFileSync(file));
      // One that cannot be read may be of anybody, and is of no use.
      return header === null || header.speakers.includes(speaker) || header.sounds.some((sound) => theirs.has(sound));
    });
}
