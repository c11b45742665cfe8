import type { Ladder } from '../contract.ts';
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

/** SoX's samples are integers, torchaudio's gain clamps: what lies beyond full scale is cut off. */
const fullScale = step('clip-peaks', { limit: 1 });

const noiseFrom = (sounds: string, about: string): SeverityDefinition => ({
  about,
  steps: (snrDb) => [
    step('sound-noise', { sounds, snrDb, start: 'beginning', resampled: false, channel: 'first', select: {} }),
  ],
});

const roomFrom = (sounds: string, severity: 'rt60Class' | 'srmrClass', about: string): SeverityDefinition => ({
  about,
  steps: (_, rank) => [
    step('room-response', {
      sounds,
      select: { [severity]: rank },
      dropSeconds: 0.01,
      channel: 'first',
      normalize: 'l2',
      align: 'none',
      keepTail: true,
    }),
  ],
});

const shelf = (side: 'low' | 'high', cornerHz: number, about: string): SeverityDefinition => ({
  about,
  steps: (gainDb) => [step('shelf', { side, gainDb, cornerHz, slope: 0.5 }), fullScale],
});

const tempo: SeverityDefinition = {
  about: 'Another tempo at the same pitch: SoX, segments of 30 ms',
  steps: (factor) => [
    step('tempo', {
      factor,
      profile: 'general',
      segmentSeconds: 0.03,
      searchSeconds: null,
      overlapSeconds: null,
    }),
  ],
};

const speed: SeverityDefinition = {
  about: "Tempo and pitch together: torchaudio's Speed",
  steps: (factor) => [step('speed', { factor, method: 'hann' })],
};

const pitch: SeverityDefinition = {
  about: "Another pitch at the same tempo: torchaudio's phase vocoder, which loses some 3 dB",
  steps: (semitones) => [step('pitch-shift', { semitones, method: 'phase-vocoder' })],
};

const sinc = (about: string, corners: (cutoffHz: number) => Parameters<typeof sincStep>[0]): SeverityDefinition => ({
  about,
  steps: (cutoffHz) => [sincStep(corners(cutoffHz)), fullScale],
});

/**
 * The 25 families of Speech Robust Bench that change a recording, as its program makes them. Where that differs from the
 * paper stands in design/srb.md, what we mend in the ladder `earwitness`.
 */
export const srb: Ladder = {
  name: 'srb',
  about: 'Speech Robust Bench: noise, rooms, effects and processing, four severities each',
  source:
    'Shah, Noguero, Heikkila, Raj, Kourtellis: Speech Robust Bench: A Robustness Benchmark For Speech Recognition (2025), arXiv 2403.07937, Table 2, and its program (robust_speech, corruptions.py)',
  rateHz: 16_000,
  families: srbFamilies({
    gnoise: { about: 'White noise', steps: (snrDb) => [step('white-noise', { snrDb })] },
    env_noise: noiseFrom('ms-snsd', 'Noise of MS-SNSD (noise_test), always from its beginning, not resampled'),
    env_noise_esc50: noiseFrom('esc-50', 'Sounds of ESC-50, not resampled: 44.1 kHz heard as 16 kHz'),
    env_noise_musan: noiseFrom('musan-noise', 'Noise of MUSAN, always from its beginning'),
    env_noise_wham: noiseFrom('wham', 'Noise of WHAM! (tt), always from its beginning'),
    music: noiseFrom('musan-music', 'Music of MUSAN, always from its beginning'),
    crosstalk: noiseFrom('musan-speech', 'Talkers of MUSAN, always from the beginning'),
    rir: roomFrom('slr28-simulated', 'rt60Class', 'Simulated rooms, by Sabine reverberation time; 10 ms cut off'),
    real_rir: roomFrom(
      'slr28-real',
      'srmrClass',
      'Measured rooms, by SRMR, noise recordings among them; 10 ms cut off',
    ),
    echo: {
      about: 'One echo: SoX, echo 0.8 0.9 DELAY 0.3',
      steps: (delayMs) => [echoStep(delayMs)],
    },
    bass: shelf('low', 100, 'Bass turned up: SoX, clipped at full scale'),
    treble: shelf('high', 3000, 'Treble turned up: SoX, clipped at full scale; at 36 dB and more nearly a square wave'),
    phaser: {
      about: 'Sweeping comb: SoX, phaser 0.6 0.8 3 DECAY 2 -t',
      steps: (decay) => [phaserStep(decay), fullScale],
    },
    tempo_up: tempo,
    tempo_down: tempo,
    speedup: speed,
    slowdown: speed,
    pitch_up: pitch,
    pitch_down: pitch,
    chorus: {
      about: 'Two more voices: SoX, chorus 0.7 0.9 DELAY 0.4 0.25 2 -t DELAY+10 0.3 0.4 2 -s (in the paper 0.9 0.9)',
      steps: (delayMs) => [chorusStep(delayMs, 0.7, 'sox-sine'), fullScale],
    },
    tremolo: {
      about: 'Loudness that trembles 20 times a second: SoX',
      steps: (percent) => [tremoloStep(percent)],
    },
    resample: {
      about: 'A lower sample rate and back: torchaudio with its defaults',
      steps: (factor) => [step('resample-rate', { factor, method: 'hann' })],
    },
    gain: {
      about: "Much louder, clipped at full scale: torchaudio's Vol",
      steps: (factor) => [step('gain', { factor }), fullScale],
    },
    lowpass: sinc('Nothing above: SoX, sinc 0-CUTOFF', (lowPassHz) => ({ highPassHz: 0, lowPassHz })),
    highpass: sinc('Nothing below: SoX, sinc CUTOFF', (highPassHz) => ({ highPassHz, lowPassHz: 0 })),
  }),
};
