import type { z } from 'zod';
import type { Clip } from '../../audio/clip.ts';
import { type Convolver, createConvolver } from '../../audio/convolve.ts';
import { energyOf } from '../../audio/energies.ts';
import { resample } from '../../audio/resample.ts';
import { directSound, type PlaceInRoom, type RoomShape } from '../../audio/rooms/shoebox.ts';
import { changeSamples, scaling } from '../../audio/samplewise.ts';
import type { SoundCollection } from '../../audio/sound-collection.ts';
import { badInput, InapplicableStep } from '../../base/errors.ts';
import { flag, oneOf } from '../../base/option-kinds.ts';
import type { Random } from '../../base/random.ts';
import type { Perturbed, TimeMap } from '../contract.ts';
import { nameOf } from './chosen-sounds.ts';

/** What becomes of a sound after it was convolved with a room. */
export const roomOutputParameters = {
  normalize: oneOf(['level', 'l2', 'none'])
    .default('level')
    .describe(
      '`level`: as loud as before; `l2`: the response is divided by the root of its energy; `none`: as it comes',
    ),
  align: oneOf(['peak', 'onset', 'none'])
    .default('peak')
    .describe(
      'What of the response times count from: its largest value, its first value within 20 dB of that, or its first sample',
    ),
  keepTail: flag(false).describe('Whether what still sounds behind the end of the clip is kept'),
};

type RoomOutput = z.output<z.ZodObject<typeof roomOutputParameters>>;

/** A response, and where the direct sound stands in it. */
export interface RoomResponse {
  readonly samples: Float32Array;
  readonly directSample: number;
}

/** Convolvers of responses that are used again. */
const convolvers = new WeakMap<Float32Array, Convolver>();

/**
 * A clip as it sounds in a room: convolved, from the direct sound on or from the first sample, and as loud as is asked. The
 * convolution, in single precision, loses some 7e-8 of the sound's level: `gain` is so much above that of one in double precision.
 *
 * @param response not silent
 * @throws EarwitnessError `bad-input` where nothing of the sound is left
 */
export function applyRoom(
  step: string,
  clip: Clip,
  response: RoomResponse,
  output: RoomOutput,
): Pick<Perturbed, 'clip' | 'timeMap'> & { readonly gain: number } {
  const { samples, sampleRate } = clip;
  if (samples.length === 0) return { clip: { samples: new Float32Array(0), sampleRate }, gain: 1 };
  const first = output.align === 'none' ? 0 : response.directSample;
  const full = samples.length + response.samples.length - 1;
  const length = output.keepTail ? full - first : samples.length;
  const convolved = convolverFor(response.samples, first + length).convolve(samples, first, length);
  const gain = gainOf(output, step, samples, convolved, response.samples);
  if (gain !== 1) changeSamples(convolved, [scaling(gain)], convolved);
  const changed = { samples: convolved, sampleRate };
  const timeMap = roomTimeMap(clip, changed, output.align === 'none' ? response.directSample / sampleRate : 0);
  return { clip: changed, gain, ...(timeMap && { timeMap }) };
}

/** What of a long response comes behind the end of a short clip need not be calculated. */
function convolverFor(response: Float32Array, heard: number): Convolver {
  if (2 * heard < response.length) return createConvolver(response.subarray(0, heard));
  const known = convolvers.get(response) ?? createConvolver(response);
  convolvers.set(response, known);
  return known;
}

function gainOf(
  { normalize }: RoomOutput,
  step: string,
  before: Float32Array,
  after: Float32Array,
  response: Float32Array,
): number {
  if (normalize === 'none') return 1;
  if (normalize === 'l2') return 1 / Math.sqrt(energyOf(response));
  // The tail does not count: the sound itself is to be as loud as it was.
  const loud = energyOf(before);
  const left = energyOf(after.subarray(0, before.length));
  if (loud === 0) return 1;
  if (left === 0) {
    throw new InapplicableStep(
      `${step}: expected a room in which something is heard before the clip ends, but the sound arrives only behind its ${before.length} samples; keep the tail, or align`,
    );
  }
  return Math.sqrt(loud / left);
}

/** Times change where the sound comes later than before, or rings on; undefined where they do not. */
function roomTimeMap(before: Clip, after: Clip, delaySeconds: number): TimeMap | undefined {
  const end = before.samples.length / before.sampleRate;
  const heardEnd = after.samples.length / after.sampleRate;
  if (delaySeconds === 0 && heardEnd === end) return undefined;
  const arrived = delaySeconds + end;
  if (arrived < heardEnd) {
    const ways: TimeMap = [
      [delaySeconds, 0],
      [arrived, end],
      [heardEnd, end],
    ];
    return delaySeconds > 0 ? [[0, 0], ...ways] : ways;
  }
  // The end of the sound is cut off. Where nothing but its beginning is left, all belongs to that.
  const cut: TimeMap = [[heardEnd, Math.max(0, heardEnd - delaySeconds)]];
  return delaySeconds > 0 && delaySeconds < heardEnd ? [[0, 0], [delaySeconds, 0], ...cut] : [[0, 0], ...cut];
}

/**
 * A room response of a collection, at the rate of a clip.
 *
 * @param step which perturbation asks, for errors
 * @param dropSeconds how much of its beginning is left out
 * @throws EarwitnessError `bad-input` where nothing of it sounds
 */
export async function readResponse(
  step: string,
  collection: SoundCollection,
  index: number,
  sampleRate: number,
  {
    channel,
    dropSeconds,
    align,
  }: Pick<RoomOutput, 'align'> & { readonly channel: 'mean' | 'first'; readonly dropSeconds: number },
): Promise<RoomResponse> {
  const whole = resample(await collection.read(index, undefined, channel), sampleRate).samples;
  const dropped = Math.floor(dropSeconds * sampleRate + 1e-9);
  const samples = whole.slice(dropped);
  if (!samples.some((sample) => sample !== 0)) {
    throw badInput(
      `${step}: expected a room response, but ${JSON.stringify(nameOf(collection, index))} of ${JSON.stringify(collection.name)} is digital silence${dropped > 0 ? ` behind its first ${dropSeconds} s` : ''}; take it out`,
    );
  }
  // What was dropped came before: the direct sound may have been in it.
  const directSample = Math.max(0, directSound(whole, align === 'onset' ? 'onset' : 'peak') - dropped);
  return { samples, directSample: directSample < samples.length ? directSample : 0 };
}

/** Nobody talks with the head in the wall: so far from it, or a fifth of the room where that is less. */
const farFromWallMetres = 0.5;
const maxDraws = 1000;

/**
 * Two places in a room, so far apart, both clear of the walls, drawn until they fit; null where they hardly ever would.
 */
export function drawPlaces(
  room: RoomShape,
  distanceMetres: number,
  random: Random,
): { readonly source: PlaceInRoom; readonly microphone: PlaceInRoom } | null {
  const sides = [room.lengthMetres, room.widthMetres, room.heightMetres] as const;
  const clear = sides.map((side) => Math.min(farFromWallMetres, 0.2 * side));
  for (let draw = 0; draw < maxDraws; draw++) {
    const microphone = sides.map((side, axis) => clear[axis]! + random.next() * (side - 2 * clear[axis]!));
    // A direction out of the sphere, each alike likely: normal draws have none that they prefer.
    const direction = sides.map(() => random.normal());
    const length = Math.hypot(...direction);
    const source = microphone.map((place, axis) => place + (distanceMetres * direction[axis]!) / length);
    if (source.every((place, axis) => place >= clear[axis]! && place <= sides[axis]! - clear[axis]!)) {
      return { source: placeOf(source), microphone: placeOf(microphone) };
    }
  }
  return null;
}

function placeOf([x, y, z]: readonly number[]): PlaceInRoom {
  return { x: x!, y: y!, z: z! };
}
