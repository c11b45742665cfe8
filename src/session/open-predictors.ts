import { createClosing } from '../base/closing.ts';
import { EarwitnessError } from '../base/errors.ts';
import { nearestName } from '../base/nearest-name.ts';
import type { Embedder } from '../embedders/contract.ts';
import type { Predictors } from '../engine/text-models.ts';
import type { Predictor, PredictorServices } from '../predictors/contract.ts';
import type { Config, ConfiguredMember } from './config/config.ts';
import type { EmbedderConfig } from './config/written-config.ts';
import { loadMember } from './members/load-member.ts';
import { openEmbedder } from './members/open-embedder.ts';

/** There without being named, with its defaults, so that a config need not speak of predictors. */
const usual: Readonly<Record<string, ConfiguredMember>> = {
  'text-features': { type: 'text-features', options: {}, moduleHash: null },
};

/**
 * The predictors of a config, each opened when it is first asked, and with it the embedder that it names; `text-features` is
 * always among them.
 */
export function openPredictors(
  { predictors = {}, embedders = {} }: Pick<Config, 'predictors' | 'embedders'>,
  services: PredictorServices,
): Predictors & { close(): Promise<void> } {
  const configured = { ...usual, ...predictors };
  const openedEmbedders = new Map<string, Promise<Embedder>>();
  const opened = new Map<string, Promise<Predictor>>();

  const embedder = async (name: string): Promise<Embedder> => {
    const wanted = Object.hasOwn(embedders, name) ? embedders[name] : undefined;
    if (wanted === undefined) throw unknownEmbedder(name, Object.keys(embedders));
    const { type, options } = wanted;
    const known =
      openedEmbedders.get(name) ?? openEmbedder({ type, ...options } as EmbedderConfig, services.baseFolder);
    openedEmbedders.set(name, known);
    return known;
  };
  const open = async (name: string): Promise<Predictor> => {
    const { type, options, moduleHash } = configured[name]!;
    const { member } = await loadMember('predictors', type, services.baseFolder);
    const predictor = await member.open(member.options.parse(options), { ...services, embedder });
    if (moduleHash === null) return predictor;
    const identity = { ...predictor.identity, module: moduleHash };
    return {
      identity,
      predict: (tried, pool, seed, signal) => predictor.predict(tried, pool, seed, signal),
      close: () => predictor.close(),
    };
  };

  return {
    names: Object.keys(configured),
    predictor(name) {
      const known = opened.get(name) ?? open(name);
      opened.set(name, known);
      return known;
    },
    async close() {
      await using closing = createClosing();
      for (const found of await Promise.allSettled([...openedEmbedders.values(), ...opened.values()])) {
        if (found.status === 'fulfilled') closing.defer(() => found.value.close());
      }
    },
  };
}

function unknownEmbedder(name: string, names: readonly string[]): EarwitnessError {
  const nearest = nearestName(name, names);
  const hint =
    names.length === 0
      ? 'the config has none; add it under "embedders"'
      : nearest === null
        ? `it has ${names.join(', ')}`
        : `did you mean "${nearest}"?`;
  return new EarwitnessError(
    'bad-config',
    `expected the name of an embedder of the config, but got ${JSON.stringify(name.slice(0, 100))}; ${hint}`,
  );
}
