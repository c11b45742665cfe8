import { spawnSync } from 'node:child_process';
import type { Step } from '../../src/model/trial.ts';

/** One effect, and who else does the same. */
export interface Work {
  readonly name: string;
  /** A scenario of a ladder, or a step of its own. */
  readonly ours: string | Step;
  /** SoX's arguments behind the input; where a codec is in between, the arguments of a file, which is then read again. */
  readonly sox?: string | { readonly through: readonly string[]; readonly ending: string };
  /** Names in peers.py: the quickest libraries that ../shared/peers knows for the effect. */
  readonly python?: readonly string[];
}

const step = (perturbation: string, parameters: Step['parameters']): Step => ({ perturbation, parameters });

/** What every effect pays before it does anything; no effect. */
export const nothing: Work = {
  name: 'nothing',
  ours: step('sample-rate', { rateHz: 16_000 }),
  python: ['numpy copy'],
};

const mp3 = (name: string, encoder: Step['parameters']): Work => ({
  name,
  ours: step('mp3', { kilobitsPerSecond: 32, codedRateHz: 16_000, ...encoder }),
  sox: { through: ['-C', '32'], ending: 'mp3' },
  python: ['audiomentations mp3 32'],
});

/**
 * Each effect once. SoX's arguments are those of Speech Robust Bench (../shared/methods/speech-robust-bench.md). Peers that
 * do something lighter under the same name (one biquad for SoX's shelf, a delay without its echo's gain) count all the same.
 */
export const works: readonly Work[] = [
  nothing,
  { name: 'gain', ours: step('gain', { factor: 10 }), python: ['numpy gain'] },
  { name: 'gain, cut at full scale', ours: 'srb/gain:1', sox: 'vol 10 amplitude', python: ['numpy cut gain'] },
  { name: 'clipping', ours: step('hard-clip', { limitDb: -20, relativeTo: 'full-scale' }), python: ['numpy clip'] },
  { name: 'white noise 10 dB', ours: 'srb/gnoise:3', python: ['numpy gaussian', 'audiomentations gaussian'] },
  {
    name: 'recorded noise 10 dB',
    ours: step('sound-noise', {
      sounds: 'noises',
      snrDb: 10,
      start: 'random',
      resampled: true,
      channel: 'mean',
      select: {},
    }),
    python: ['numpy noise'],
  },
  {
    name: 'room 1.36 s',
    ours: step('room-response', {
      sounds: 'rooms',
      select: {},
      dropSeconds: 0,
      channel: 'first',
      normalize: 'none',
      align: 'none',
      keepTail: true,
    }),
    python: ['scipy oaconvolve', 'scipy fftconvolve'],
  },
  { name: 'low-pass, both ways', ours: step('low-pass', { cutoffHz: 3400 }), python: ['scipy low-pass'] },
  { name: 'high-pass, both ways', ours: step('high-pass', { cutoffHz: 300 }), python: ['scipy high-pass'] },
  { name: 'low-pass, sinc', ours: 'srb/lowpass:1', sox: 'sinc 0-4000' },
  { name: 'high-pass, sinc', ours: 'srb/highpass:2', sox: 'sinc 1333' },
  { name: 'bass', ours: 'srb/bass:1', sox: 'bass 20', python: ['pedalboard low-shelf'] },
  { name: 'treble', ours: 'srb/treble:1', sox: 'treble 10', python: ['pedalboard high-shelf'] },
  { name: 'echo', ours: 'srb/echo:2', sox: 'echo 0.8 0.9 250 0.3', python: ['pedalboard echo'] },
  { name: 'phaser', ours: 'srb/phaser:2', sox: 'phaser 0.6 0.8 3 0.5 2 -t', python: ['pedalboard phaser'] },
  {
    name: 'chorus',
    ours: 'srb/chorus:2',
    sox: 'chorus 0.7 0.9 50 0.4 0.25 2 -t 60 0.3 0.4 2 -s',
    python: ['pedalboard chorus'],
  },
  { name: 'tremolo', ours: 'srb/tremolo:1', sox: 'tremolo 20 50' },
  { name: 'tempo 1.25', ours: 'srb/tempo_up:1', sox: 'tempo 1.25 30', python: ['audiomentations tempo 1.25'] },
  { name: 'tempo .75', ours: 'srb/tempo_down:2', sox: 'tempo 0.75 30', python: ['audiomentations tempo .75'] },
  { name: 'speed 1.25', ours: 'srb/speedup:1', sox: 'speed 1.25 rate 16k', python: ['soxr speed 1.25'] },
  { name: 'speed .75', ours: 'srb/slowdown:2', sox: 'speed 0.75 rate 16k', python: ['soxr speed .75'] },
  { name: 'pitch +3', ours: 'srb/pitch_up:1', sox: 'pitch 300', python: ['audiomentations pitch +3'] },
  {
    name: 'pitch +3, WSOLA',
    ours: 'earwitness/pitch_up:1',
    sox: 'pitch 300',
    python: ['audiomentations pitch +3'],
  },
  { name: 'rate 8000 and back', ours: 'srb/resample:2', sox: 'rate 8000 rate 16000', python: ['soxr 8 kHz'] },
  {
    name: 'G.711',
    ours: step('g711', { law: 'mu-law', bandwidth: 'telephone' }),
    sox: { through: ['-r', '8000', '-e', 'mu-law'], ending: 'wav' },
  },
  {
    name: 'GSM',
    ours: step('gsm', {}),
    sox: { through: ['-r', '8000'], ending: 'gsm' },
    python: ['pedalboard gsm'],
  },
  mp3('MP3 32 kbit/s', {}),
  ...(spawnSync('lame', ['--version']).status === 0 ? [mp3('MP3, encoder: lame', { encoder: 'lame' })] : []),
];
