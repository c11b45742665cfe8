import { z } from 'zod';
import { badInput } from '../../base/errors.ts';
import { languageTag } from '../../base/language-tag.ts';
import { between, whole } from '../../base/option-kinds.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { CorpusKind } from '../contract.ts';

const silenceOptions = z
  .strictObject({
    clips: whole(1, 100_000).default(40).describe('Number of clips, each of a different duration.'),
    minSeconds: between(0.01, 3600).default(0.5).describe('Duration of the shortest clip, in seconds.'),
    maxSeconds: between(0.01, 3600).default(30).describe('Duration of the longest clip, in seconds.'),
    sampleRate: whole(8000, 192_000).default(16_000).describe('Samples per second.'),
    language: z.string().default('en').describe('Language given to recognizers (BCP 47).'),
  })
  .refine(({ minSeconds, maxSeconds }) => minSeconds <= maxSeconds, {
    message: 'expected minSeconds to be at most maxSeconds',
    path: ['minSeconds'],
  });

type SilenceOptions = z.output<typeof silenceOptions>;

/**
 * Digital silence of lengths spread evenly in their ratios: sound in which nobody speaks, for which no recording is needed.
 * Lengths differ, so that they are not one clip asked about again. Perturbations put hiss, noise or music in its place
 * (`replace-sound`).
 *
 * @example { type: 'silence', clips: 20, minSeconds: 1, maxSeconds: 60 }
 */
export const silence: CorpusKind<SilenceOptions> = {
  name: 'silence',
  about: 'Digital silence of graded lengths, made and not read, for what is written where nobody speaks',
  options: silenceOptions,
  async open({ clips, minSeconds, maxSeconds, sampleRate, language: written }) {
    const language = languageTag(written, () => 'silence: language');
    const digits = String(clips).length;
    const samplesOf = (number: number): number => {
      const share = clips === 1 ? 0 : number / (clips - 1);
      return Math.max(1, Math.round(minSeconds * (maxSeconds / minSeconds) ** share * sampleRate));
    };
    const silenceSamples = ({ id, sound }: Utterance): number => {
      if (sound !== undefined && 'silenceSeconds' in sound) return Math.round(sound.silenceSeconds * sampleRate);
      throw badInput(`${id}: expected an utterance of silence, but it has none; check that it belongs to this corpus`);
    };
    return {
      async *utterances() {
        for (let number = 0; number < clips; number++) {
          yield {
            id: `silence-${String(number + 1).padStart(digits, '0')}`,
            sound: { silenceSeconds: samplesOf(number) / sampleRate },
            language,
            attributes: {},
            tags: [],
          };
        }
      },
      // With its name: clips of one length are other places for the noise that is put into them.
      soundIdentity: async (utterance) =>
        utterance.sound === undefined ? null : { silence: silenceSamples(utterance), sampleRate, clip: utterance.id },
      clip: async (utterance) => ({ samples: new Float32Array(silenceSamples(utterance)), sampleRate }),
      async close() {},
    };
  },
};
