import type { Clip } from '../../audio/clip.ts';
import { badInput } from '../../base/errors.ts';
import { createRandom } from '../../base/random.ts';
import type { RecipeStep } from '../../engine/executors/contract.ts';
import { applySteps } from '../../perturbations/apply-steps.ts';
import { loadNamedMember } from '../members/load-member.ts';

/**
 * Makes a clip of another as a run elsewhere made it.
 *
 * @throws EarwitnessError where a step is none of a member's of this version, or cannot be done
 */
export async function remakeClip(source: Clip, steps: readonly RecipeStep[]): Promise<Clip> {
  const ready = await Promise.all(
    steps.map(async ({ perturbation: name, version, parameters }) => {
      const perturbation = await loadNamedMember('perturbations', name);
      if (perturbation.version !== version)
        throw badInput(`${name} is of version ${perturbation.version} there, not ${version}`);
      return { perturbation, prepared: null, parameters: perturbation.parameters.parse(parameters) };
    }),
  );
  const applied = ready.map(({ perturbation, parameters }) => ({ perturbation: perturbation.name, parameters }));
  const { clip } = await applySteps(source, applied, {
    ready: (position) => ready[position]!,
    randomFor: (position) => createRandom(steps[position]!.seed),
  });
  return clip;
}
