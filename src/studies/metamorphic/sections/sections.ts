import type { Section } from '../../../model/finding.ts';
import type { CaseValidity } from '../../shared/validity/case-judgement.ts';
import type { Design } from '../design.ts';
import type { FirstAnswers } from '../first-answers.ts';
import type { MetamorphicOptions } from '../options.ts';
import type { Results } from '../results.ts';
import type { Tally } from '../tally.ts';
import { comparisonsSection } from './comparisons-section.ts';
import { curves } from './curves.ts';
import { errorsSections } from './errors-sections.ts';
import { failuresSection } from './failures-section.ts';
import { identitySection } from './identity-section.ts';
import { publishedSection } from './published-sections.ts';
import { setsSections } from './sets-sections.ts';
import { validitySection } from './validity-section.ts';

/** Every part of the finding, in the order in which a reader wants them. */
export function sectionsOf(
  results: Results,
  tally: Tally,
  design: Design,
  first: FirstAnswers,
  validity: CaseValidity | null,
  profile: MetamorphicOptions['profile'],
): Section[] {
  const [relations, ...others] = setsSections(results, design);
  const examples = tally.worst.items();
  return [
    relations ?? null,
    profile === 'sr-mt' ? publishedSection(results, design) : null,
    identitySection(results, design, first),
    curves(results, design),
    ...others,
    comparisonsSection(results, design),
    validitySection(results, tally, design, validity),
    ...errorsSections(results, design),
    failuresSection(tally, design),
    examples.length === 0
      ? null
      : {
          id: 'metamorphic-examples',
          title: 'Violations worth hearing',
          text: [
            'Clips that are recognized alike every time come first, those with the largest share of changed words before others. What counts as said is what was expected: the transcript of the clean clip.',
          ],
          examples,
        },
  ].filter((section) => section !== null);
}
