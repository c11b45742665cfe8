import { createClosing } from '../../base/closing.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import type { Predictors, SimilarityMeter, SimilarityMeters } from '../../engine/text-models.ts';
import type { SentenceEmbedder } from '../../model/text-services.ts';
import type { Predictor, PredictorServices } from '../../predictors/contract.ts';
import { semanticSimilarity } from '../../scoring/similarity/semantic-similarity.ts';
import type { Config, ConfiguredMember } from '../config/config.ts';
import type { EmbedderConfig } from '../config/written-config.ts';
import { loadMember } from '../members/load-member.ts';
import { openEmbedder } from './parse-spec.ts';

/** There without being named, with its defaults, so that a config need not speak of predictors. */
const usual: Readonly<Record<string, ConfiguredMember>> = {
  'text-features': { type: 'text-features', options: {}, moduleHash: null },
};

/** What a model of texts was asked, without most of a long text. */
function shownText(text: string): string {
  return JSON.stringify(printable(text, 80));
}

/**
 * What a model of texts did not answer ends a run whose recognitions are kept.
 *
 * @param who role and name in the config
 * @param asked what it was asked, as the end of "was asked"
 * @throws EarwitnessError `nothing-answered` in place of what is wrong with its answer; anything else as it is
 */
async function answerOf<Answer>(who: string, asked: string, answer: () => Promise<Answer>): Promise<Answer> {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof EarwitnessError) || (error.code !== 'bad-input' && error.code !== 'nothing-answered'))
      throw error;
    throw new EarwitnessError(
      'nothing-answered',
      `${who} was asked ${asked}, and did not answer: ${error.message}; mend it: everything recognized is kept, and the same command goes on`,
      { cause: error },
    );
  }
}

/** Models of texts that a run has beside it, and that are wanted when everything is recognized. */
interface BesideRun {
  /**
   * Opens those that studies name, one after another, and gives back what they load until they are asked: one that cannot be used is
   * told before the first recognition, and none holds memory while others recognize.
   *
   * @param studies options of studies, where names of embedders and predictors stand as texts
   * @param told is given the name of each
   * @throws EarwitnessError the model's own sentence
   */
  tryOut(studies: readonly unknown[], told: (name: string) => void): Promise<void>;
  close(): Promise<void>;
}

/** Models that the config names, each opened when it is first asked. */
function openedByName<Model extends { rest?(): Promise<void>; close(): Promise<void> }>(
  configured: readonly string[],
  open: (name: string) => Promise<Model>,
): BesideRun & { of(name: string): Promise<Model> } {
  const opened = new Map<string, Promise<Model>>();
  const of = (name: string): Promise<Model> => {
    const known = opened.get(name) ?? open(name);
    opened.set(name, known);
    return known;
  };
  return {
    of,
    async tryOut(studies, told) {
      for (const name of configured) {
        if (!mentions(studies, name)) continue;
        told(name);
        await of(name);
        await restOrClose(opened);
      }
    },
    async close() {
      await using closing = createClosing();
      for (const found of await Promise.allSettled(opened.values())) {
        if (found.status === 'fulfilled') closing.defer(() => found.value.close());
      }
    },
  };
}

/** The predictors of a config; `text-features` is always among them. */
export function openPredictors(
  { predictors = {} }: Pick<Config, 'predictors'>,
  services: PredictorServices,
): Predictors & BesideRun {
  const configured = { ...usual, ...predictors };
  const opened = openedByName(Object.keys(predictors), async (name): Promise<Predictor> => {
    const { type, options, moduleHash } = configured[name]!;
    const { member } = await loadMember('predictors', type, services.baseFolder);
    const predictor = await member.open(member.options.parse(options), services);
    return {
      identity: moduleHash === null ? predictor.identity : { ...predictor.identity, module: moduleHash },
      predict(tried, pool, seed, signal) {
        const first = pool[0] === undefined ? '' : ` (${shownText(pool[0])}, …)`;
        const asked = `for the chances of ${counted(pool.length, 'text')}${first} by ${counted(tried.length, 'tried text')}`;
        return answerOf(`predictor ${JSON.stringify(name)}`, asked, () => predictor.predict(tried, pool, seed, signal));
      },
      ...(predictor.rest !== undefined && { rest: () => predictor.rest!() }),
      close: () => predictor.close(),
    };
  });
  return { names: Object.keys(configured), predictor: opened.of, tryOut: opened.tryOut, close: opened.close };
}

function mentions(value: unknown, name: string): boolean {
  if (typeof value !== 'object' || value === null) return value === name;
  return Object.values(value).some((part) => mentions(part, name));
}

/** What cannot rest is closed, and opened anew when it is asked. */
async function restOrClose(
  opened: Map<string, Promise<{ rest?(): Promise<void>; close(): Promise<void> }>>,
): Promise<void> {
  for (const [name, opening] of opened) {
    const model = await opening;
    if (model.rest !== undefined) {
      await model.rest();
      continue;
    }
    opened.delete(name);
    await model.close();
  }
}

/** Vectors that are remembered: a clip's transcript is compared with those of all its changed clips, one after another. */
const rememberedVectors = 1000;

/**
 * The embedders of a config.
 *
 * @param embedders by the names that the config gives them
 */
export function openSimilarity(
  embedders: Readonly<Record<string, ConfiguredMember>>,
  baseFolder: string,
): SimilarityMeters & BesideRun {
  const names = Object.keys(embedders);
  const opened = openedByName(names, async (name) => {
    const { type, options } = embedders[name]!;
    const embedder = await openEmbedder({ type, ...options } as EmbedderConfig, baseFolder);
    const vectors = new Map<string, Float32Array>();
    const remembering: SentenceEmbedder = {
      model: embedder.model,
      languages: embedder.languages,
      async embed(texts: readonly string[]) {
        const found: Float32Array[] = [];
        for (const text of texts) {
          const asked = `for the vector of ${shownText(text)}`;
          const known =
            vectors.get(text) ??
            (await answerOf(`embedder ${JSON.stringify(name)}`, asked, () => embedder.embed([text])))[0]!;
          if (vectors.size >= rememberedVectors) vectors.clear();
          vectors.set(text, known);
          found.push(known);
        }
        return found;
      },
    };
    const meter: SimilarityMeter = {
      identity: embedder.identity,
      model: embedder.model,
      async compare({ reference, hypothesis, utterance: { language }, anyLanguage }) {
        const asked = { language, anyLanguage };
        const { pairs } = await semanticSimilarity([{ reference, hypothesis }], remembering, asked);
        return pairs[0]!;
      },
    };
    return {
      meter,
      ...(embedder.rest !== undefined && { rest: () => embedder.rest!() }),
      close: () => embedder.close(),
    };
  });
  return {
    names,
    meter: async (name) => (await opened.of(name)).meter,
    tryOut: opened.tryOut,
    close: opened.close,
  };
}
