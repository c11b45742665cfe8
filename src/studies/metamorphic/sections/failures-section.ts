import type { Section } from '../../../model/finding.ts';
import { failuresSection as sectionOf } from '../../shared/failures-section.ts';
import type { Design } from '../design.ts';
import { trialPlace } from '../places.ts';
import type { Tally } from '../tally.ts';

/** Trials without a transcript. */
export function failuresSection({ trials }: Tally, design: Design): Section {
  const places = [null, ...design.conditions.keys()];
  return sectionOf(
    'metamorphic',
    'A case counts only where clean and changed clip were both answered; a failed trial is no empty transcript.',
    places.flatMap((condition) =>
      design.recognizers.map(({ name }, recognizer) => ({
        condition: condition === null ? 'clean' : design.conditions[condition]!.name,
        recognizer: name,
        ...trials.at(trialPlace(design, recognizer, condition)),
      })),
    ),
  );
}
