import type { Section } from '../../../model/finding.ts';
import { failureGapsSection } from '../../shared/failure-gaps-section.ts';
import { failuresSection } from '../../shared/failures-section.ts';
import type { GapFinding } from '../finding.ts';
import { namedTrials } from '../tally.ts';
import { causesSection } from './causes-section.ts';
import { counterfactualsSection } from './counterfactuals-section.ts';
import { partsSection } from './parts-section.ts';
import { summarySection } from './summary-section.ts';

/** Every part of the finding: plain words first, then what an engineer needs. */
export function sectionsOf(known: GapFinding): Section[] {
  const { design, tally } = known;
  const failures = failuresSection(
    'gap-decomposition',
    'A failed trial is no empty transcript: it is left out.',
    namedTrials(tally, design),
  );
  return [
    summarySection(known),
    partsSection(known),
    counterfactualsSection(known),
    causesSection(known),
    failures,
    failureGapsSection('gap-decomposition', known.failures),
  ].filter((section) => section !== null);
}
