import { systemClock } from '../../base/clock.ts';
import type { Corpus } from '../../corpora/contract.ts';
import { openWaveformGradient } from '../../gradients/open-gradient.ts';
import type { LossGradient } from '../../model/attack.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { AssetServices, AttackedRecognizer } from '../../perturbations/contract.ts';
import { letterHz, writeTinyCtc } from '../../recognizers/transformers/testing/tiny-ctc.ts';
import { createFitting } from '../open/fitting.ts';

const sampleRate = 16_000;
const texts = ['ab', 'ba a', 'b ab', 'aab', 'bb', 'a b'];

/** Four speakers who say letters as tones, each somewhat sharper than the last, two clips each. */
export function toneCorpus(change: (utterance: Utterance) => Utterance = (utterance) => utterance): Corpus {
  const utterances = Array.from({ length: 8 }, (_, place): Utterance => {
    const speaker = `s${place % 4}`;
    const reference = texts[place % texts.length]!;
    return change({ id: `u${place}`, speaker, reference, language: 'en', attributes: {}, tags: [] });
  });
  return {
    async *utterances() {
      yield* utterances;
    },
    soundIdentity: async ({ id, tags }) => ({ tones: id, ...(tags.length > 0 && { tags: [...tags] }) }),
    async clip({ id }) {
      const place = Number(id.slice(1));
      const sharp = 1 + 0.002 * (place % 4);
      const letters = [...texts[place % texts.length]!.replace(' ', '|')] as (keyof typeof letterHz)[];
      const samples = Float32Array.from({ length: letters.length * 3200 }, (_, n) => {
        const hertz = sharp * letterHz[letters[Math.floor(n / 3200)]!];
        return n % 3200 < 1600 ? 0.5 * Math.sin((2 * Math.PI * hertz * n) / sampleRate) : 0;
      });
      return { samples, sampleRate };
    },
    async close() {},
  };
}

/** A model that hears the tones, with the number of times that it was asked; fails from the `failAt`-th gradient on. */
export async function toneModel(
  folder: string,
  failAt = Number.POSITIVE_INFINITY,
  files: Parameters<typeof writeTinyCtc>[1] = {},
) {
  const model = await openWaveformGradient({ folder: writeTinyCtc(folder, files) });
  // Where it is sure of what it hears its loss is flat: the first look, which checks the gradient, is at another text.
  const { samples: looked } = await toneCorpus().clip({ id: 'u1', language: 'en', attributes: {}, tags: [] });
  await model.lossAndGradient(looked, 'b a');
  const asked = { gradients: 0, transcripts: 0 };
  const gradient: LossGradient = {
    sampleRate,
    async loss(samples, text) {
      if (++asked.gradients >= failAt) throw new Error('killed');
      return model.lossAndGradient(samples, text);
    },
    agreement: async () => null,
    close: () => model.dispose(),
  };
  const recognizer: AttackedRecognizer = {
    identity: { tones: 1 },
    gradient: async () => gradient,
    async recognize({ samples }) {
      asked.transcripts++;
      return { text: await model.transcribe(samples) };
    },
  };
  return { recognizer, asked, model, close: () => model.dispose() };
}

/** What a perturbation that is fitted is prepared with. */
export function fittedAssets(
  recognizer: AttackedRecognizer,
  { corpus = toneCorpus(), folder = null as string | null, seed = 1 } = {},
): AssetServices {
  return {
    sounds: () => Promise.reject(new Error('no sounds')),
    codec: () => Promise.reject(new Error('no codec')),
    attacked: async () => recognizer,
    fitting: createFitting({ corpus, seed, folder, clock: systemClock }),
  };
}
