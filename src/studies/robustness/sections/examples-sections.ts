import type { Section } from '../../../model/finding.ts';
import type { Tally } from '../tally.ts';

/** The utterances that are most worth hearing. */
export function examplesSections({ worst }: Tally): Section[] {
  const sections: Section[] = [];
  if (worst.newlyBroken.length > 0) {
    sections.push({
      id: 'robustness-newly-broken',
      title: 'Understood clean, lost in a condition',
      text: ['Utterances with at most one error in ten words when clean, by how many more of their words were lost.'],
      examples: worst.newlyBroken,
    });
  }
  if (worst.mostErrors.length > 0) {
    sections.push({
      id: 'robustness-most-errors',
      title: 'Most errors for their length',
      examples: worst.mostErrors,
    });
  }
  return sections;
}
