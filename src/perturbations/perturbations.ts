// `earwitness/audio`: sounds in memory, and everything that can be done to one without a file, a program or a model.

import { type ChannelChoice, channelMixer, chosenChannel, createChannelMeter } from '../audio/channels.ts';
import type { Clip } from '../audio/clip.ts';
import { bytesPerFrame, decodePcm, refuseUndivided } from '../audio/pcm.ts';
import { isWav, wavLayout } from '../audio/wav-layout.ts';
import { badConfig, badInput, missingProgram } from '../base/errors.ts';
import type { Json, JsonObject } from '../base/json.ts';
import { createRandom } from '../base/random.ts';
import { type AppliedSteps, applySteps, readyStep } from './apply-steps.ts';
import type { AssetServices, Perturbation } from './contract.ts';

export { type Clip, durationSeconds, mixToMono } from '../audio/clip.ts';
export { createConvolver } from '../audio/convolve.ts';
export { encodeWav, type WavOptions } from '../audio/encode-wav.ts';
export { clippedShare, levelDbfs, rms } from '../audio/levels.ts';
export { createRealFft, type RealFft } from '../audio/real-fft.ts';
export { resample } from '../audio/resample.ts';
export type { CollectedSound, SoundCollection } from '../audio/sound-collection.ts';
export { EarwitnessError, type ErrorCode } from '../base/errors.ts';
export type { Json, JsonObject } from '../base/json.ts';
export { createRandom, type Random } from '../base/random.ts';
export type { Schema, SchemaIssue } from '../base/schema.ts';
export { appendSound } from './append-sound/append-sound.ts';
export type { AppliedSteps } from './apply-steps.ts';
export { babble } from './babble/babble.ts';
export { chorus } from './chorus/chorus.ts';
export { clipPeaks } from './clip-peaks/clip-peaks.ts';
export { clipShare } from './clip-share/clip-share.ts';
export type * from './contract.ts';
export { dropChunks } from './drop-chunks/drop-chunks.ts';
export { dropChunksAt } from './drop-chunks-at/drop-chunks-at.ts';
export { echo } from './echo/echo.ts';
export { g711 } from './g711/g711.ts';
export { g722 } from './g722/g722.ts';
export { gain } from './gain/gain.ts';
export { gsm } from './gsm/gsm.ts';
export { hardClip } from './hard-clip/hard-clip.ts';
export { highPass } from './high-pass/high-pass.ts';
export { lowPass } from './low-pass/low-pass.ts';
export { narrowBand } from './narrow-band/narrow-band.ts';
export { packetLoss } from './packet-loss/packet-loss.ts';
export { padSilence } from './pad-silence/pad-silence.ts';
export { peakGuard } from './peak-guard/peak-guard.ts';
export { phaser } from './phaser/phaser.ts';
export { pitchShift } from './pitch-shift/pitch-shift.ts';
export { playbackRate } from './playback-rate/playback-rate.ts';
export { quantize } from './quantize/quantize.ts';
export { repeatSound } from './repeat-sound/repeat-sound.ts';
export { replaceSound } from './replace-sound/replace-sound.ts';
export { resampleRate } from './resample-rate/resample-rate.ts';
export { roomResponse } from './room-response/room-response.ts';
export { sampleRate } from './sample-rate/sample-rate.ts';
export { collectionInMemory, onlySounds, type SoundInMemory } from './shared/chosen-sounds.ts';
export { shelf } from './shelf/shelf.ts';
export { shoeboxRoom } from './shoebox-room/shoebox-room.ts';
export { sincFilter } from './sinc-filter/sinc-filter.ts';
export { soundNoise } from './sound-noise/sound-noise.ts';
export { speed } from './speed/speed.ts';
export { tempo } from './tempo/tempo.ts';
export { tone } from './tone/tone.ts';
export { tremolo } from './tremolo/tremolo.ts';
export { whiteNoise } from './white-noise/white-noise.ts';
export { wsola } from './wsola/wsola.ts';

/**
 * Does something to a sound, or several things one after the other. Parameters are checked and completed by their defaults; the same
 * seed gives the same samples everywhere.
 *
 * @param steps perturbations with their parameters
 * @param options `seed`: any JSON value, 0 by default; `services`: where sounds to be mixed in come from (`onlySounds`)
 * @returns the new clip (the one given is not changed) and what each step says of what it did
 * @throws Error where parameters are refused; EarwitnessError `bad-input` where a step cannot be done to this sound
 * @example
 * const { clip: noisy, facts } = await perturb(clip, [[whiteNoise, { snrDb: 10 }]], { seed: 7 });
 */
export async function perturb(
  clip: Clip,
  // biome-ignore lint/suspicious/noExplicitAny: each has parameters and assets of its own, which its schema checks
  steps: readonly (readonly [perturbation: Pick<Perturbation<any, any>, 'parameters'>, parameters: JsonObject])[],
  options: { readonly seed?: Json; readonly services?: AssetServices } = {},
): Promise<AppliedSteps> {
  const { seed = 0, services = noSounds } = options;
  const named = steps.map(([perturbation, given]) => {
    const member = perturbation as Perturbation;
    return { member, perturbation: member.name, parameters: member.parameters.parse(given) };
  });
  const ready = await Promise.all(named.map(({ member, parameters }) => readyStep(member, parameters, services)));
  return applySteps(clip, named, {
    ready: (position) => ready[position]!,
    randomFor: (position) => createRandom({ seed, position }),
  });
}

const noSounds: AssetServices = {
  sounds: async (name) => {
    throw badConfig(
      `expected services that know the sounds ${JSON.stringify(name)}, but got none; give { services: onlySounds(collectionInMemory(…)) }`,
    );
  },
  codec: async (name) => {
    throw missingProgram(`expected services with the codec ${name}, but got none`);
  },
};

/**
 * The sound of a WAV file: PCM of 8 to 32 bits, floats, A-law or mu-law.
 *
 * @param channel of several: their mean, or one, counted from 1; if absent, they must be alike
 * @throws EarwitnessError `bad-input` where the bytes are no such file, or cut off; channels that are unlike, of which none is chosen
 * @example const clip = readWav(new Uint8Array(await (await fetch('speech.wav')).arrayBuffer()));
 */
export function readWav(bytes: Uint8Array, nameForErrors = 'WAV file', channel?: ChannelChoice): Clip {
  const layout = isWav(bytes) ? wavLayout(bytes, bytes.length, nameForErrors) : null;
  if (layout === null || layout.promisedFrames > layout.frames) {
    const came = layout === null ? 'other bytes' : 'a file that is cut off';
    throw badInput(`${nameForErrors}: expected a whole WAV file, but got ${came}`);
  }
  const { dataOffset, frames } = layout;
  const samples = bytes.subarray(dataOffset, dataOffset + frames * bytesPerFrame(layout));
  return decodePcm(samples, layout, (channels, sampleRate) => {
    for (const channel of channels) refuseUndivided(channel, nameForErrors);
    const meter = createChannelMeter();
    meter.add(channels, sampleRate);
    return channelMixer(chosenChannel(channel, meter.facts(), nameForErrors), nameForErrors)(channels, sampleRate);
  });
}
