import type { JsonObject } from '../../base/json.ts';
import type { Ladder } from '../contract.ts';
import { step } from '../shared/ladder-family.ts';
import { callFamilies } from './earwitness-calls.ts';
import {
  chorusStep,
  echoStep,
  phaserStep,
  type SeverityDefinition,
  sincStep,
  srbFamilies,
  tremoloStep,
} from './srb-table.ts';

/** Softer as a whole, where a peak would be cut off. */
const guard = step('peak-guard', { limit: 1 });

const noiseFrom = (sounds: string, about: string): SeverityDefinition => ({
  about: `${about}: from a random place on, resampled, never clipped`,
  steps: (snrDb) => [
    step('sound-noise', { sounds, snrDb, start: 'random', resampled: true, channel: 'mean', select: {} }),
    guard,
  ],
});

const roomFrom = (sounds: string, select: JsonObject, about: string): SeverityDefinition => ({
  about: `${about}: aligned to the direct sound, as long and as loud as before, never clipped`,
  steps: (_, rank) => [
    step('room-response', {
      sounds,
      select: { ...select, rt60Class: rank },
      dropSeconds: 0,
      channel: 'first',
      normalize: 'level',
      align: 'peak',
      keepTail: false,
    }),
    guard,
  ],
});

const shelf = (side: 'low' | 'high', cornerHz: number, about: string): SeverityDefinition => ({
  about: `${about}: a tone control alone, never clipped`,
  steps: (gainDb) => [step('shelf', { side, gainDb, cornerHz, slope: 0.5 }), guard],
});

const tempo: SeverityDefinition = {
  about: 'Another tempo at the same pitch: segments of 35 ms, meant for speech',
  steps: (factor) => [
    step('tempo', {
      factor,
      profile: 'speech',
      segmentSeconds: null,
      searchSeconds: null,
      overlapSeconds: null,
    }),
    guard,
  ],
};

const speed: SeverityDefinition = {
  about: 'Tempo and pitch together: a resampler without audible traces, never clipped',
  steps: (factor) => [step('speed', { factor, method: 'kaiser' }), guard],
};

const pitch: SeverityDefinition = {
  about: 'Another pitch at the same tempo, as loud as before, never clipped',
  steps: (semitones) => [step('pitch-shift', { semitones, method: 'wsola' }), guard],
};

const sinc = (about: string, corners: (cutoffHz: number) => Parameters<typeof sincStep>[0]): SeverityDefinition => ({
  about: `${about}, never clipped`,
  steps: (cutoffHz) => [sincStep(corners(cutoffHz)), guard],
});

/**
 * The families and severities of Speech Robust Bench without the faults of its program; design/srb.md says of each family
 * what is other than in the ladder `srb`.
 */
export const earwitness: Ladder = {
  name: 'earwitness',
  about: 'The families of Speech Robust Bench, mended: resampled noise from random places, aligned rooms, no clipping',
  source: 'Families and severities: Speech Robust Bench (2025), arXiv 2403.07937, Table 2. Steps: design/srb.md',
  families: [
    ...srbFamilies({
      gnoise: { about: 'White noise, never clipped', steps: (snrDb) => [step('white-noise', { snrDb }), guard] },
      env_noise: noiseFrom('ms-snsd', 'Noise of MS-SNSD'),
      env_noise_esc50: noiseFrom('esc-50', 'Sounds of ESC-50'),
      env_noise_musan: noiseFrom('musan-noise', 'Noise of MUSAN'),
      env_noise_wham: noiseFrom('wham', 'Noise of WHAM!'),
      music: noiseFrom('musan-music', 'Music of MUSAN'),
      crosstalk: noiseFrom('musan-speech', 'Talkers of MUSAN'),
      rir: roomFrom('slr28-simulated', {}, 'Simulated rooms, by reverberation time'),
      real_rir: roomFrom('slr28-real', { kind: 'measured' }, 'Measured rooms alone, by measured reverberation time'),
      echo: {
        about: 'One echo, its end kept; as in the ladder srb',
        steps: (delayMs) => [echoStep(delayMs)],
      },
      bass: shelf('low', 100, 'Bass turned up'),
      treble: shelf('high', 3000, 'Treble turned up'),
      phaser: {
        about: 'Sweeping comb, never clipped',
        steps: (decay) => [phaserStep(decay), guard],
      },
      tempo_up: tempo,
      tempo_down: tempo,
      speedup: speed,
      slowdown: speed,
      pitch_up: pitch,
      pitch_down: pitch,
      chorus: {
        about: 'Two more voices as the paper has them (gain-in .9), both around their delays, never clipped',
        steps: (delayMs) => [chorusStep(delayMs, 0.9, 'sine'), guard],
      },
      tremolo: {
        about: 'Loudness that trembles 20 times a second; as in the ladder srb',
        steps: (percent) => [tremoloStep(percent)],
      },
      resample: {
        about: 'A lower sample rate and back: a resampler without audible traces, never clipped',
        steps: (factor) => [step('resample-rate', { factor, method: 'kaiser' }), guard],
      },
      gain: {
        about: 'Much louder and clipped, which is its point; as in the ladder srb',
        steps: (factor) => [step('gain', { factor }), step('clip-peaks', { limit: 1 })],
      },
      lowpass: sinc('Nothing above', (lowPassHz) => ({ highPassHz: 0, lowPassHz })),
      highpass: sinc('Nothing below', (highPassHz) => ({ highPassHz, lowPassHz: 0 })),
    }),
    ...callFamilies,
  ],
};
