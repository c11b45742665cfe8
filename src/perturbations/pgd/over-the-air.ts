import { z } from 'zod';
import { createConvolver } from '../../audio/convolve.ts';
import { energyOf } from '../../audio/energies.ts';
import { gaussianNoise } from '../../audio/gaussian-noise.ts';
import { simulateShoebox } from '../../audio/rooms/simulate-shoebox.ts';
import { badConfig, badInput } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { between, list, whole } from '../../base/option-kinds.ts';
import type { Random } from '../../base/random.ts';
import type { AssetServices } from '../contract.ts';
import { drawPlaces, type RoomResponse, readResponse } from '../shared/apply-room.ts';
import { type ChosenSounds, chooseSounds, collectionName } from '../shared/chosen-sounds.ts';

const side = (name: string) => between(1, 200).describe(`${name} of the room in metres`);

/** Where the loss is the mean over several ways that a sound may take. Where all are absent it is that of the sound itself. */
export const airParameters = {
  rooms: z
    .union([
      collectionName,
      z.strictObject({
        lengthMetres: side('Length'),
        widthMetres: side('Width'),
        heightMetres: side('Height'),
        rt60Seconds: between(0.05, 5).describe('Reverberation time in seconds'),
        distanceMetres: between(0.1, 100).default(2).describe('From talker to microphone, in metres'),
      }),
    ])
    .exactOptional()
    .describe(
      'To survive the air: at each step the loss is the mean over rooms that are drawn, responses of a collection or places in a simulated room',
    ),
  noiseSnrDb: list(between(-60, 120), 1, 20)
    .exactOptional()
    .describe(
      'To survive the air: white noise is added at each draw, at one of these signal-to-noise ratios in decibels',
    ),
  draws: whole(1, 64)
    .exactOptional()
    .describe('How many rooms and noises are drawn at each step, each costing as much as a step without. Default: 4'),
};

type AirParameters = z.output<z.ZodObject<typeof airParameters>>;
type ShoeboxRooms = Exclude<AirParameters['rooms'], string | undefined>;

const standardDraws = 4;

/** How often a pass is made for each step: once where nothing is drawn. */
export function drawsOf({ rooms, noiseSnrDb, draws }: AirParameters): number {
  return rooms === undefined && noiseSnrDb === undefined ? 1 : (draws ?? standardDraws);
}

/** Responses of a collection kept ready. */
const maxKept = 32;

/** One way that a sound takes to the microphone: linear, but for what is added. */
export interface Way {
  /** The sound as it arrives, as long as before. */
  hear(samples: Float32Array): Float32Array;
  /** The gradient of a loss with respect to the sound, from that with respect to what arrives. */
  back(gradient: Float32Array): Float32Array;
}

/** Draws ways. */
export interface Air {
  readonly draws: number;
  /** @throws EarwitnessError `bad-input` where a response is silent, or nothing of the sound arrives before its end */
  draw(clean: Float32Array, sampleRate: number, random: Random): Promise<Way>;
}

/**
 * Opens what sounds are to survive: expectation over transformations (A. Athalye et al., "Synthesizing robust adversarial examples", ICML 2018),
 * for rooms as H. Yakura and J. Sakuma have it ("Robust audio adversarial example for a physical attack", IJCAI 2019).
 *
 * @returns null where no way is asked for
 * @throws EarwitnessError `bad-config`, `bad-input`: draws of nothing, no such collection, a room too small for its distance
 */
export async function openAir(
  { rooms, noiseSnrDb, draws }: AirParameters,
  services: AssetServices,
): Promise<{ readonly identity: Json; readonly air: Air } | null> {
  if (rooms === undefined && noiseSnrDb === undefined) {
    if (draws === undefined) return null;
    throw badConfig(
      `pgd: expected rooms or noiseSnrDb beside draws, but there is neither; name what is to be drawn, or leave draws out`,
    );
  }
  const collection = typeof rooms === 'string' ? await chooseSounds('pgd', rooms, {}, services) : null;
  const kept = new Map<string, Promise<RoomResponse>>();
  const responseFor = async (sampleRate: number, random: Random): Promise<RoomResponse | null> => {
    if (rooms === undefined) return null;
    if (collection === null) return simulated(rooms as ShoeboxRooms, sampleRate, random);
    const { indices, collection: sounds } = collection.assets satisfies ChosenSounds;
    const index = indices[random.integer(indices.length)]!;
    const key = `${index} ${sampleRate}`;
    const settings = { channel: 'first', dropSeconds: 0, align: 'peak' } as const;
    const response = kept.get(key) ?? readResponse('pgd', sounds, index, sampleRate, settings);
    kept.set(key, response);
    if (kept.size > maxKept) kept.delete(kept.keys().next().value!);
    return response;
  };
  return {
    identity: collection?.identity ?? (rooms as Json | undefined) ?? null,
    air: {
      draws: draws ?? standardDraws,
      async draw(clean, sampleRate, random) {
        const response = await responseFor(sampleRate, random);
        const snrDb = noiseSnrDb === undefined ? null : noiseSnrDb[random.integer(noiseSnrDb.length)]!;
        return wayThrough(clean, response, snrDb, random);
      },
    },
  };
}

function simulated(room: ShoeboxRooms, sampleRate: number, random: Random): RoomResponse {
  const places = drawPlaces(room, room.distanceMetres, random);
  if (places === null) {
    throw badInput(
      `pgd: expected a distance that fits into a room of ${room.lengthMetres} x ${room.widthMetres} x ${room.heightMetres} m, but ${room.distanceMetres} m does not; choose a smaller distance or a larger room`,
    );
  }
  const found = simulateShoebox(room, places.source, places.microphone, room.rt60Seconds, sampleRate, 'pgd');
  return { samples: found.response, directSample: found.directSample };
}

/**
 * A room, aligned to the direct sound, and noise. The room is as loud as makes the clean clip as loud as it was, whatever is added to that:
 * so it is linear, and its way back is the correlation with the response, a convolution of what is turned around.
 */
export function wayThrough(
  clean: Float32Array,
  response: RoomResponse | null,
  snrDb: number | null,
  random: Random,
): Way {
  const length = clean.length;
  const convolver = response && createConvolver(response.samples);
  const through = (samples: Float32Array) => convolver?.convolve(samples, response!.directSample, length) ?? samples;
  const arrived = convolver === null ? energyOf(clean) : energyOf(through(clean));
  if (arrived === 0) {
    throw badInput(
      'pgd: expected a room in which something is heard before the clip ends, but the sound arrives only behind it; take a longer clip or other rooms',
    );
  }
  const gain = Math.sqrt(energyOf(clean) / arrived);
  const noise = snrDb === null ? null : gaussianNoise(length, random);
  const level = noise === null ? 0 : Math.sqrt(energyOf(clean) / energyOf(noise)) / 10 ** (snrDb! / 20);
  return {
    hear(samples) {
      const heard = through(samples);
      return heard.map((sample, n) => gain * sample + (noise === null ? 0 : level * noise[n]!));
    },
    back: (gradient) =>
      convolver === null
        ? Float32Array.from(gradient)
        : through(gradient.toReversed())
            .reverse()
            .map((one) => gain * one),
  };
}
