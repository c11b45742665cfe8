import type { Section } from '../../../model/finding.ts';
import { failuresSection as sectionOf } from '../../shared/failures-section.ts';
import type { Known } from '../known.ts';
import { namedTrials } from '../named-trials.ts';

/** Trials without a transcript, by condition, recognizer and kind. */
export function failuresSection(known: Known): Section {
  return sectionOf(
    'degradation',
    'A failed trial is no empty transcript: it is left out of rates and distances; whether one group has more of them is tested with the gaps before.',
    namedTrials(known),
  );
}
