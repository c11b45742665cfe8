import type { Clip } from '../../src/audio/clip.ts';
import { releaseSamples } from '../../src/audio/kept-samples.ts';
import { createRandom } from '../../src/base/random.ts';
import type { Step } from '../../src/model/trial.ts';
import { applySteps, readyStep } from '../../src/perturbations/apply-steps.ts';
import { loadMember } from '../../src/session/members/load-member.ts';
import type { Services } from '../../src/session/open/services.ts';
import { ownProcessorSeconds } from '../../src/system/processor-time.ts';

/** Prepares steps; what comes back makes one pass over some clips, and says how many processor seconds it took. */
export async function ownPass(
  steps: readonly Step[],
  { assets }: Services,
): Promise<(clips: readonly Clip[]) => Promise<number>> {
  const ready = await Promise.all(
    steps.map(async ({ perturbation, parameters }) => {
      const { member } = await loadMember('perturbations', perturbation, process.cwd());
      return readyStep(member, parameters, assets);
    }),
  );
  return async (clips) => {
    const before = processorSeconds();
    for (const [index, clip] of clips.entries()) {
      const changed = await applySteps(clip, steps, {
        ready: (position) => ready[position]!,
        randomFor: (position) => createRandom({ index, position }),
      });
      // As `perturb` does with what it has written, and numpy with what has no name any more.
      releaseSamples(changed.clip.samples);
    }
    return processorSeconds() - before;
  };
}

/** With that of programs which were asked, where it can be had. */
const processorSeconds = () => ownProcessorSeconds(true) ?? ownProcessorSeconds(false)!;
