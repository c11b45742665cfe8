import type { Section } from '../../../model/finding.ts';
import { validitySection } from '../../shared/validity/section.ts';
import type { Known } from '../known.ts';
import { beforeSection } from './before-section.ts';
import { conditionsSection } from './conditions-section.ts';
import { curvesSection } from './curves-section.ts';
import { detailsSection } from './details-section.ts';
import { failuresSection } from './failures-section.ts';
import { groupsSection } from './groups-section.ts';
import { violationsSection } from './violations-section.ts';

/** Every part of the finding, in the order in which a reader wants it. */
export function sectionsOf(known: Known): Section[] {
  const { validity, options } = known;
  const violations = violationsSection(known);
  return [
    ...(options.profile === 'aequevox' ? [violations] : []),
    groupsSection(known),
    curvesSection(known),
    detailsSection(known),
    beforeSection(known),
    ...(options.profile === 'aequevox' ? [] : [violations]),
    conditionsSection(known),
    validity === null ? null : validitySection('degradation', validity),
    failuresSection(known),
  ].filter((section) => section !== null);
}
