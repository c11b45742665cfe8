import { EarwitnessError } from '../../base/errors.ts';
import { type Condition, clean } from '../../model/condition.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import { earwitness } from '../../perturbations/ladders/earwitness.ts';
import { chosenConditions, listedConditions } from '../shared/chosen-conditions.ts';
import type { HallucinationOptions } from './options.ts';

/**
 * What is to be heard in which nobody speaks.
 *
 * @throws EarwitnessError `bad-config` for clean recordings of speech, names that stand for nothing or for two conditions
 */
export function soundConditions(options: HallucinationOptions, fromConfig: readonly Ladder[]): Condition[] {
  const ladders = fromConfig.some(({ name }) => name === earwitness.name) ? fromConfig : [...fromConfig, earwitness];
  const wanted = options.conditions ?? (options.corpus === 'speech' ? ['earwitness/silence'] : [clean.name]);
  const listed = listedConditions(wanted, ladders);
  if (options.corpus === 'speech' && listed.some(({ steps }) => steps.length === 0)) {
    throw new EarwitnessError(
      'bad-config',
      'expected conditions that take the speech away, but clean leaves it as it is; take it out, or set corpus: sounds if nobody speaks in the recordings',
    );
  }
  const names = new Set(listed.map(({ name }) => name));
  return chosenConditions(wanted, ladders).filter(({ name }) => names.has(name));
}
