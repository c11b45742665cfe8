import type { Ladder } from '../contract.ts';
import { ladderFamily, step } from '../shared/ladder-family.ts';

const snrDb = [40, 30, 20, 10];

/**
 * The attacks of Speech Robust Bench, at its ratios (Table 2, "Adversarial"). Their steps lack the recognizer that a sound is made against
 * (and the speakers that one sound for all is fitted on): a study fills in each that hears them, so that they are no scenarios of a ladder by themselves. `srb` alone does not stand for them.
 */
export const attackLadder: Ladder = {
  name: 'srb',
  about: 'Speech Robust Bench: sounds made against each recognizer',
  source: 'Speech Robust Bench (2025), arXiv 2403.07937, section 3.1 (6) and appendix A; robust_speech',
  families: [
    ladderFamily('pgd', 'Utterance-specific attack (US)', 'signal-to-noise ratio', snrDb, ' dB', (ratio) => [
      step('pgd', { snrDb: ratio, steps: 100, relativeStep: 0.4 }),
    ]),
    ladderFamily('universal_adv', 'Utterance-agnostic attack (UA)', 'signal-to-noise ratio', snrDb, ' dB', (ratio) => [
      step('universal', { snrDb: ratio, recipe: 'srb', fitSnrDb: 10, epochs: 10 }),
    ]),
  ],
};

/** The categories of the attacks by family, as the columns of the benchmark’s tables call them. */
export const srbAttackCategories: Readonly<Record<string, string>> = {
  'srb/pgd': 'adversarial (US)',
  'srb/universal_adv': 'adversarial (UA)',
};
