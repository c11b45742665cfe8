import { EarwitnessError } from '../../base/errors.ts';
import { type Condition, clean } from '../../model/condition.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import { earwitness } from '../../perturbations/ladders/earwitness.ts';
import { resolveScenario } from '../../perturbations/scenarios.ts';
import type { HallucinationOptions } from './options.ts';

/**
 * What is to be heard in which nobody speaks.
 *
 * @throws EarwitnessError `bad-config` for clean recordings of speech, names that stand for nothing, names used twice
 */
export function soundConditions(options: HallucinationOptions, fromConfig: readonly Ladder[]): Condition[] {
  const ladders = fromConfig.some(({ name }) => name === earwitness.name) ? fromConfig : [...fromConfig, earwitness];
  const wanted = options.conditions ?? (options.corpus === 'speech' ? ['earwitness/silence'] : [clean.name]);
  const conditions = wanted.flatMap((one): Condition[] => {
    if (typeof one !== 'string') return [{ name: one.name, steps: one.steps as Condition['steps'] }];
    return one === clean.name ? [clean] : resolveScenario(one, ladders);
  });
  const names = new Set<string>();
  for (const { name, steps } of conditions) {
    if (names.has(name) || (name === clean.name && steps.length > 0)) {
      throw new EarwitnessError(
        'bad-config',
        `expected each condition once, but ${JSON.stringify(name)} is there twice; give one of them another name`,
      );
    }
    names.add(name);
    if (options.corpus === 'speech' && steps.length === 0) {
      throw new EarwitnessError(
        'bad-config',
        'expected conditions that take the speech away, but clean leaves it as it is; take it out, or set corpus: sounds if nobody speaks in the recordings',
      );
    }
  }
  return conditions;
}
