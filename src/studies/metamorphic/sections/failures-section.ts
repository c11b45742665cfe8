import type { Section } from '../../../model/finding.ts';
import { failuresSection as sectionOf } from '../../shared/failures-section.ts';
import type { Design } from '../design.ts';
import { namedTrials } from '../named-trials.ts';
import type { Tally } from '../tally.ts';

/** Trials without a transcript. */
export function failuresSection(tally: Tally, design: Design): Section {
  return sectionOf(
    'metamorphic',
    'A case counts only where clean and changed clip were both answered; a failed trial is no empty transcript.',
    namedTrials(tally, design),
  );
}
