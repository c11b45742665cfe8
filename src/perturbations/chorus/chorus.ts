import { z } from 'zod';
import { keepRecent } from '../../audio/recently-used.ts';
import { EarwitnessError } from '../../base/errors.ts';
import type { PlainPerturbation } from '../contract.ts';
import { tailTimeMap } from '../shared/tail-time-map.ts';
import { type MixedVoice, mixVoices } from './mix-voices.ts';
import { ringSamples, type Voice, voiceDelays } from './voice-delays.ts';

type ChorusParameters = { readonly gainIn: number; readonly gainOut: number; readonly voices: Voice[] };

/**
 * The sound together with softer copies whose delays go up and down. As SoX's `chorus GAIN-IN GAIN-OUT <DELAY DECAY SPEED
 * DEPTH -s|-t>…`, with its end, but not cut to 24 bits; values beyond full scale, which that cuts off,
 * stay. SoX's `-s` is `sox-sine` here: it does not do what its manual says.
 */
export const chorus: PlainPerturbation<ChorusParameters> = {
  name: 'chorus',
  version: 1,
  about: 'Makes one voice sound like several that are not quite together.',
  parameters: z.strictObject({
    gainIn: z.number().min(0).max(1).describe('Amplitude of the sound itself'),
    gainOut: z.number().min(0).max(10).describe('Amplitude of the whole'),
    voices: z
      .array(
        z.strictObject({
          delaySeconds: z.number().min(0.001).max(1).describe('Middle of the delay, in seconds'),
          decay: z.number().min(0).max(1).describe('Amplitude of the copy'),
          frequencyHz: z.number().min(0.01).max(20).describe('How often per second the delay goes up and down'),
          depthSeconds: z.number().min(0).max(0.1).describe('How far, to either side, in seconds'),
          modulation: z
            .enum(['sine', 'triangle', 'sox-sine'])
            .describe('How it goes up and down; sox-sine: from none to depthSeconds, whatever the delay, as SoX does'),
        }),
      )
      .min(1)
      .max(7)
      .describe('The copies, one to seven'),
  }),
  random: false,
  identity: {
    gainIn: 1,
    gainOut: 1,
    voices: [{ delaySeconds: 0.05, decay: 0, frequencyHz: 0.25, depthSeconds: 0.002, modulation: 'triangle' }],
  },
  example: {
    gainIn: 0.9,
    gainOut: 0.9,
    voices: [
      { delaySeconds: 0.05, decay: 0.4, frequencyHz: 0.25, depthSeconds: 0.002, modulation: 'triangle' },
      { delaySeconds: 0.06, decay: 0.3, frequencyHz: 0.4, depthSeconds: 0.002, modulation: 'sine' },
    ],
  },
  apply(clip, { gainIn, gainOut, voices }) {
    const { samples, sampleRate } = clip;
    const heard = samples.length === 0 ? [] : voices.filter(({ decay }) => decay > 0);
    const added = Math.max(0, ...heard.map((voice) => ringSamples(voice, sampleRate)));
    const copies = heard.map(({ decay, ...voice }): MixedVoice => {
      const { runs, shortest } = delaysOf({ voice, sampleRate, added });
      if (shortest < 0) throw tooDeep(voice);
      return { amplitude: gainOut * decay, runs };
    });
    const mixed = new Float32Array(samples.length + added);
    mixVoices(samples, gainOut * gainIn, samples, [copies[0] ?? noVoice, copies[1] ?? noVoice], mixed);
    for (let index = 2; index < copies.length; index += 2) {
      mixVoices(mixed, 1, samples, [copies[index]!, copies[index + 1] ?? noVoice], mixed);
    }
    const changed = { samples: mixed, sampleRate };
    return { clip: changed, facts: { addedSeconds: added / sampleRate }, timeMap: tailTimeMap(clip, changed) };
  },
};

const noVoice: MixedVoice = { amplitude: 0, runs: Int32Array.of(0, 2 ** 30) };

const delaysOf = keepRecent(
  16,
  JSON.stringify,
  ({ voice, sampleRate, added }: { voice: Omit<Voice, 'decay'>; sampleRate: number; added: number }) =>
    voiceDelays(voice, sampleRate, added),
);

function tooDeep({ delaySeconds, depthSeconds }: Omit<Voice, 'decay'>): EarwitnessError {
  return new EarwitnessError(
    'bad-input',
    `chorus: expected a depth that is less than the delay (${delaySeconds} s), but it is ${depthSeconds} s; choose a smaller one`,
  );
}
