import { type Clip, durationSeconds } from '../audio/clip.ts';
import { encodeWav } from '../audio/encode-wav.ts';
import { rms } from '../audio/levels.ts';
import { createRealFft } from '../audio/real-fft.ts';
import { badInput } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { clean } from '../model/trial.ts';
import { openRunSounds } from '../session/cases/run-sounds.ts';
import type { Store } from '../store/contract.ts';

/** Which clip of a run. */
export interface WantedClip {
  readonly position: number;
  readonly conditionName: string;
  readonly draw: number;
}

/** A clip as a page plays and draws it. */
export interface PlayedClip {
  readonly wav: Uint8Array;
  readonly seconds: number;
  /** Root mean square, 1 at full scale. */
  readonly rms: number;
  readonly picture: Picture;
}

/** Levels over time and frequency, one byte each: 0 is 80 dB below the loudest, 255 the loudest. Column by column, low frequencies first. */
export interface Picture {
  readonly columns: number;
  readonly rows: number;
  readonly maxHz: number;
  readonly levels: Uint8Array;
  /** Smallest and largest sample of each column, -1 to 1. */
  readonly peaks: Float32Array;
}

export interface ClipPair {
  readonly clean: PlayedClip;
  /** Null for the clean condition. */
  readonly changed: PlayedClip | null;
  /** From times of the changed audio to those of the clean clip; null: they are the same. */
  readonly timeMap: readonly (readonly [number, number])[] | null;
  /** What the perturbations did, step by step. */
  readonly facts: readonly Json[];
  /** Whether the samples are those that the recognizers received; null: nobody kept what those were. */
  readonly same: boolean | null;
}

/** Before and after. */
export function clipsOf({ clean, changed }: ClipPair): readonly PlayedClip[] {
  return changed === null ? [clean] : [clean, changed];
}

export interface RunClips extends AsyncDisposable {
  /** @throws EarwitnessError `bad-input` where the audio cannot be made, with the reason */
  make(wanted: WantedClip): Promise<ClipPair>;
}

/**
 * Opens what is needed to make the audio of a run again. Nothing is spoken, searched or asked anew, and no module and no program that the
 * store names is run: whoever looks at somebody's store runs none of their code.
 *
 * @throws EarwitnessError `bad-input` for a run of another store, whose config is somebody else's
 */
export async function openRunClips(store: Store, storeFile: string, runId: string): Promise<RunClips> {
  const run = store.run(runId)!;
  if (run.merged) {
    throw badInput('this run came from another store, and its recordings are named by a config that is not yours');
  }
  const sounds = await openRunSounds(store, run, storeFile, { modules: null, programs: false, keptOnly: true });
  const utteranceAt = (position: number) => {
    const [utterance] = store.utterances(runId, { from: position, limit: 1 });
    if (utterance?.sound !== undefined) return utterance;
    throw badInput('only names and transcripts are known of this utterance');
  };
  return {
    async make({ position, conditionName, draw }) {
      const utterance = utteranceAt(position);
      const { made: before, same } = await sounds.make(utterance, clean.name, 0);
      if (conditionName === clean.name)
        return { clean: played(before.clip, []), changed: null, timeMap: null, facts: [], same };
      const after = await sounds.make(utterance, conditionName, draw);
      const { clip, timeMap, measurement } = after.made;
      return {
        clean: played(before.clip, []),
        changed: played(clip, attacksIn(measurement.facts)),
        ...{ timeMap, same: after.same },
        facts: measurement.facts,
      };
    },
    [Symbol.asyncDispose]: () => sounds[Symbol.asyncDispose](),
  };
}

function attacksIn(facts: readonly JsonObject[]): string[] {
  return facts.flatMap(({ adversarial, perturbation }) => (adversarial === true ? [String(perturbation)] : []));
}

/** Marked as `perturb` marks what was made to be misheard. */
function wavOf(clip: Clip, attacks: readonly string[]): Uint8Array {
  const comment = attacks.length === 0 ? '' : `adversarial: ${attacks.join(', ').replace(/[^\x20-\x7e]/g, '?')}`;
  return encodeWav(clip, { format: 's16', comment });
}

function played(clip: Clip, attacks: readonly string[]): PlayedClip {
  return {
    wav: wavOf(clip, attacks),
    seconds: durationSeconds(clip),
    rms: rms(clip.samples),
    picture: pictureOf(clip),
  };
}

const frameSize = 512;
const maxColumns = 1200;
const rowsShown = 128;
const rangeDb = 80;

/** Short-time spectrum with a Hann window of 512 samples; the loudest bin of each row counts. */
export function pictureOf({ samples, sampleRate }: Clip): Picture {
  const hop = Math.max(128, Math.ceil(samples.length / maxColumns));
  const columns = Math.max(1, Math.ceil(samples.length / hop));
  const fft = createRealFft(frameSize);
  const [frame, real, imaginary] = [
    new Float64Array(frameSize),
    new Float64Array(fft.bins),
    new Float64Array(fft.bins),
  ];
  const window = Float64Array.from(
    { length: frameSize },
    (_, n) => 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / frameSize),
  );
  const maxHz = Math.min(8000, sampleRate / 2);
  const topBin = Math.max(1, Math.round((maxHz / sampleRate) * frameSize));
  const power = new Float64Array(columns * rowsShown);
  const peaks = new Float32Array(2 * columns);
  let loudest = 0;
  for (let column = 0; column < columns; column++) {
    let [low, high] = [0, 0];
    for (let n = column * hop; n < Math.min(samples.length, (column + 1) * hop); n++) {
      low = Math.min(low, samples[n]!);
      high = Math.max(high, samples[n]!);
    }
    peaks.set([low, high], 2 * column);
    const middle = Math.round((column + 0.5) * hop) - frameSize / 2;
    for (let n = 0; n < frameSize; n++) frame[n] = (samples[middle + n] ?? 0) * window[n]!;
    fft.forward(frame, real, imaginary);
    for (let bin = 0; bin < topBin; bin++) {
      const row = Math.floor((bin * rowsShown) / topBin);
      const value = real[bin]! ** 2 + imaginary[bin]! ** 2;
      const place = column * rowsShown + row;
      if (value > power[place]!) power[place] = value;
      if (value > loudest) loudest = value;
    }
  }
  const levels = Uint8Array.from(power, (value) =>
    loudest === 0 || value === 0
      ? 0
      : Math.max(0, Math.min(255, Math.round(255 * (1 + (10 * Math.log10(value / loudest)) / rangeDb)))),
  );
  return { columns, rows: rowsShown, maxHz, levels, peaks };
}
