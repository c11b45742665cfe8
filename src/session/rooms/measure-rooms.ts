import type { Clip } from '../../audio/clip.ts';
import { createConvolver } from '../../audio/convolve.ts';
import { resample } from '../../audio/resample.ts';
import { measureRt60 } from '../../audio/rooms/measure-rt60.ts';
import { severityClass } from '../../audio/rooms/shoebox.ts';
import type { SoundCollection } from '../../audio/sound-collection.ts';
import { srmr } from '../../quality/srmr/srmr.ts';
import { studentQuantile } from '../../statistics/distributions.ts';

/** What was found of one room response. */
export interface MeasuredRoom {
  /** Path inside of the collection. */
  readonly name: string;
  readonly rt60Seconds: number | null;
  /** Why there is no reverberation time, given exactly where there is none. */
  readonly rt60Reason?: string;
  /** Mean over the speech; null where no clip has one. */
  readonly srmr: number | null;
  /** 95 % confidence for that mean over other speech, by Student's t; null with fewer than two clips. */
  readonly srmrLow: number | null;
  readonly srmrHigh: number | null;
  /** Clips of speech that the mean is taken over. */
  readonly srmrClips: number;
}

/** A room, and how severe it is among those it was measured with: 1 (mildest) to 4, null without a value. */
export interface ClassifiedRoom extends MeasuredRoom {
  readonly rt60Class: number | null;
  readonly srmrClass: number | null;
}

const sampleRate = 16_000;
const classes = 4;

/**
 * Reverberation time (Schroeder's integration) and speech-to-reverberation ratio of room responses: each clip of speech is
 * convolved with the whole response, and the mean of the SRMRs is taken, as Speech Robust Bench does with ten utterances of
 * LibriSpeech test-clean. Of files with several channels the first counts.
 *
 * @param clips so many of the speech are used, evenly spread over its files: at least 1
 * @throws EarwitnessError `bad-input` for files that cannot be read
 */
export async function* measureRooms(
  rooms: SoundCollection,
  speech: SoundCollection,
  clips: number,
): AsyncGenerator<MeasuredRoom> {
  const spoken = await spreadOver(speech, clips);
  const meter = await srmr.open({}, { baseFolder: '', fileHash: () => Promise.reject(new Error('no file is hashed')) });
  for (const [index, { name }] of rooms.sounds.entries()) {
    const response = await rooms.read(index, undefined, 'first');
    const rt60 = measureRt60(response.samples, response.sampleRate);
    const { samples } = resample(response, sampleRate);
    const convolver = createConvolver(samples);
    const found: number[] = [];
    for (const clip of spoken) {
      const heard = convolver.convolve(clip.samples, 0, clip.samples.length + samples.length - 1);
      const { values } = await meter.measure({ samples: heard, sampleRate }, null);
      if (values.srmr !== null && values.srmr !== undefined) found.push(values.srmr);
    }
    yield {
      name,
      rt60Seconds: rt60.rt60Seconds,
      ...(rt60.rt60Seconds === null && { rt60Reason: rt60.reason }),
      ...meanOf(found),
      srmrClips: found.length,
    };
  }
}

/**
 * Puts rooms into four classes of equal width between the mildest and the worst value there is: the least and the largest
 * reverberation time, the largest and the least SRMR (Speech Robust Bench, appendix).
 */
export function classifyRooms(rooms: readonly MeasuredRoom[]): ClassifiedRoom[] {
  const classOf = (read: (room: MeasuredRoom) => number | null, mildestIs: 'least' | 'largest') => {
    const values = rooms.map(read).filter((value) => value !== null);
    const least = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    const largest = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
    const [mildest, worst] = mildestIs === 'least' ? [least, largest] : [largest, least];
    return (room: MeasuredRoom) => {
      const value = read(room);
      return value === null ? null : severityClass(value, mildest, worst, classes);
    };
  };
  const rt60Class = classOf((room) => room.rt60Seconds, 'least');
  const srmrClass = classOf((room) => room.srmr, 'largest');
  return rooms.map((room) => ({ ...room, rt60Class: rt60Class(room), srmrClass: srmrClass(room) }));
}

async function spreadOver(speech: SoundCollection, clips: number): Promise<Clip[]> {
  const count = Math.min(clips, speech.sounds.length);
  const spoken: Clip[] = [];
  for (let n = 0; n < count; n++) {
    const index = Math.floor(((n + 0.5) * speech.sounds.length) / count);
    spoken.push(resample(await speech.read(index), sampleRate));
  }
  return spoken;
}

function meanOf(values: readonly number[]): Pick<MeasuredRoom, 'srmr' | 'srmrLow' | 'srmrHigh'> {
  const { length } = values;
  if (length === 0) return { srmr: null, srmrLow: null, srmrHigh: null };
  const mean = values.reduce((sum, value) => sum + value, 0) / length;
  if (length === 1) return { srmr: mean, srmrLow: null, srmrHigh: null };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const half = studentQuantile(0.975, length - 1) * Math.sqrt(squares / (length - 1) / length);
  return { srmr: mean, srmrLow: mean - half, srmrHigh: mean + half };
}
