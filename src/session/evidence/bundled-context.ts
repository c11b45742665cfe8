import { EarwitnessError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import type { StudyContext } from '../../studies/contract.ts';
import { loadNormalizer } from '../members/load-normalizer.ts';
import { isModulePath } from '../members/own-module.ts';
import { collectedUtterances, type KnownParts } from './known-parts.ts';
import { checkOwnModule } from './own-modules.ts';
import type { Plan } from './plan-shape.ts';

/**
 * What studies were told in a run, from its bundle alone.
 *
 * @param modules folder of normalizers of the user's own; null where none was given
 */
export function bundledContext(known: KnownParts, plan: Plan, modules: string | null): StudyContext {
  const told = new Map(known.materials.map(({ kind, name, value }) => [JSON.stringify([kind, name]), value]));
  const get = (kind: string, name: string) => told.get(JSON.stringify([kind, name]));
  const collected = collectedUtterances(known);
  return {
    async *utterances() {
      for (const { utterance } of collected) yield utterance as unknown as Utterance;
    },
    utteranceCount: collected.length,
    recognizers: plan.recognizers.map(({ name, input, facts, pricePerMinute, vocabulary }) => ({
      name,
      input,
      facts,
      pricePerMinute,
      vocabulary: vocabulary === null ? null : wordsOf(get('vocabulary', name)),
    })),
    ladders: get('ladders', '') as unknown as readonly Ladder[],
    // Asked of a name that the run was not told of, it is another question, which the replay names.
    isRandom: async (name) => get('random', name) !== false,
    async normalizer(name) {
      if (isModulePath(name)) await checkOwnModule(name, modules, ownNormalizers(known)[name]);
      return loadNormalizer(name, modules ?? '.');
    },
    ...(plan.quality === null ? {} : { quality: plan.quality }),
    ...(plan.embedders === null ? {} : { embedders: plan.embedders }),
    ...(plan.predictors === null ? {} : { predictors: plan.predictors }),
    async readText(path) {
      const text = get('text', path);
      if (typeof text === 'string') return text;
      throw new EarwitnessError('run-differs', `it reads the file ${printable(path, 150)}, which is not in the bundle`);
    },
    async soundNames(collection) {
      const names = get('sounds', collection);
      if (Array.isArray(names)) return names.filter((name) => typeof name === 'string');
      throw new EarwitnessError(
        'run-differs',
        `it asks for the sounds of ${printable(collection, 150)}, whose names are not in the bundle`,
      );
    },
    seed: plan.seed,
  };
}

/** Words as they were kept; nothing of what is no word. */
function wordsOf(value: unknown): ReadonlySet<string> {
  return new Set(Array.isArray(value) ? value.filter((word) => typeof word === 'string') : []);
}

/** SHA-256 of the user's own normalizers by the paths that the config names. */
function ownNormalizers({ config }: KnownParts): Readonly<Record<string, string>> {
  const written = config.config.config as JsonObject | undefined;
  const { normalizers } = written ?? {};
  return typeof normalizers === 'object' && normalizers !== null ? (normalizers as Record<string, string>) : {};
}
