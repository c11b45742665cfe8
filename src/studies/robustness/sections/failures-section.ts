import type { Section } from '../../../model/finding.ts';
import { failuresSection as sectionOf } from '../../shared/failures-section.ts';
import type { Design } from '../design.ts';
import { namedTrials } from '../named-trials.ts';
import type { Tally } from '../tally.ts';

/** Trials without a transcript, and what that means for the numbers. */
export function failuresSection(tally: Tally, design: Design): Section {
  return sectionOf(
    'robustness',
    'A failed trial is no empty transcript: it is left out of its rate, and in a comparison out of both sides, so that only trials answered on both are compared.',
    namedTrials(tally, design),
  );
}
