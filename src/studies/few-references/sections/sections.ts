import type { Section } from '../../../model/finding.ts';
import { failureGapsSection } from '../../shared/failure-gaps-section.ts';
import { failuresSection } from '../../shared/failures-section.ts';
import type { FewReferencesFinding } from '../finding.ts';
import { namedTrials } from '../tally.ts';
import { gapsSection } from './gaps-section.ts';
import { nextSection } from './next-section.ts';
import { ratesSection } from './rates-section.ts';
import { summarySection } from './summary-section.ts';

/** Every part of the finding: plain words first, then what an engineer needs. */
export function sectionsOf(known: FewReferencesFinding): Section[] {
  const failures = failuresSection(
    'few-references',
    'A failed trial is no empty transcript: it is left out, of the sample and of all recordings alike.',
    namedTrials(known.tally, known.design),
  );
  return [
    summarySection(known),
    ratesSection(known),
    gapsSection(known),
    nextSection(known),
    failures,
    failureGapsSection('few-references', known.failures),
  ].filter((section) => section !== null);
}
