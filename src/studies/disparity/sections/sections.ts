import type { Section } from '../../../model/finding.ts';
import type { DisparityFinding } from '../finding.ts';
import { failuresSection } from './failures-section.ts';
import { groupsSection } from './groups-section.ts';
import { modelSection } from './model-section.ts';
import { pairsSection } from './pairs-section.ts';
import { planeSection } from './plane-section.ts';
import { shiftSection } from './shift-section.ts';
import { summarySection } from './summary-section.ts';

/** Every part of the finding, in the order in which a reader wants them: plain words first, then what an engineer needs. */
export function sectionsOf(known: DisparityFinding): Section[] {
  return [
    summarySection(known),
    groupsSection(known),
    planeSection(known),
    modelSection(known),
    shiftSection(known),
    failuresSection(known),
    pairsSection(known),
  ].filter((section) => section !== null);
}
