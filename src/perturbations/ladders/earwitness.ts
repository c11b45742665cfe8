import type { JsonObject } from '../../base/json.ts';
import type { Ladder, LadderFamily } from '../contract.ts';
import {
  chorusStep,
  echoStep,
  phaserStep,
  type SeverityDefinition,
  sincStep,
  srbFamilies,
  step,
  tremoloStep,
} from './srb-table.ts';

const family = (name: string, about: string, axis: string, rungs: readonly Rung[]): LadderFamily => ({
  name,
  about,
  axis,
  rungs: rungs.map(([label, perturbation, parameters]) => ({ label, steps: [{ perturbation, parameters }] })),
});

const loss = (percent: number, meanBurstPackets: number, concealment: string): Rung => [
  `${percent} %`,
  'packet-loss',
  { packetSeconds: 0.02, lossShare: percent / 100, meanBurstPackets, concealment },
];

const opus = (kilobitsPerSecond: number, codedRateHz: number): Rung => [
  `${kilobitsPerSecond} kbit/s`,
  'opus',
  { kilobitsPerSecond, application: 'voip', codedRateHz, packetSeconds: 0.02 },
];

/** What calls and recordings go through on their way: families of the ladder `earwitness` that no paper has. */
export const callFamilies: readonly LadderFamily[] = [
  family('telephone', 'Codecs of telephones, from wide-band calls to the first mobile phones', 'codec', [
    ['G.722, 64 kbit/s', 'g722', { kilobitsPerSecond: 64 }],
    ['G.711 mu-law', 'g711', { law: 'mu-law', bandwidth: 'telephone' }],
    ['300 to 3400 Hz', 'narrow-band', { lowHz: 300, highHz: 3400 }],
    ['GSM full rate', 'gsm', {}],
  ]),
  family('packet-loss', 'Packets of 20 ms lost in bursts of two, concealed by their pitch', 'packets lost', [
    loss(3, 2, 'pitch'),
    loss(10, 2, 'pitch'),
    loss(20, 2, 'pitch'),
    loss(40, 2, 'pitch'),
  ]),
  family('packet-loss-silent', 'Packets of 20 ms lost in bursts of two, nothing in their place', 'packets lost', [
    loss(3, 2, 'silence'),
    loss(10, 2, 'silence'),
    loss(20, 2, 'silence'),
    loss(40, 2, 'silence'),
  ]),
  family('opus', 'Opus as in calls over the internet, at lower and lower rates', 'rate', [
    opus(24, 16000),
    opus(16, 16000),
    opus(12, 16000),
    opus(6, 8000),
  ]),
  family(
    'mp3',
    'MP3 at lower and lower rates',
    'rate',
    [64, 32, 16, 8].map(
      (kilobitsPerSecond): Rung => [`${kilobitsPerSecond} kbit/s`, 'mp3', { kilobitsPerSecond, codedRateHz: 16000 }],
    ),
  ),
  family(
    'clipping',
    'The loudest samples cut off, whatever the level',
    'samples cut off',
    [1, 5, 15, 40].map((percent): Rung => [`${percent} %`, 'clip-share', { share: percent / 100 }]),
  ),
  family('silence', 'No speech at all: whatever is written down was made up', 'what is heard instead', [
    ['digital silence', 'replace-sound', { sounds: 'silence', levelDbfs: null, channel: 'mean', select: {} }],
    ['noise at -60 dB', 'replace-sound', { sounds: 'white-noise', levelDbfs: -60, channel: 'mean', select: {} }],
    ['noise at -40 dB', 'replace-sound', { sounds: 'white-noise', levelDbfs: -40, channel: 'mean', select: {} }],
    ['noise at -20 dB', 'replace-sound', { sounds: 'white-noise', levelDbfs: -20, channel: 'mean', select: {} }],
  ]),
];

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

type Rung = readonly [label: string, perturbation: string, parameters: JsonObject];
