import type { Section } from '../../../model/finding.ts';
import type { Ladder } from '../../../perturbations/contract.ts';
import type { Design } from '../design.ts';
import type { Results } from '../results.ts';
import type { Tally } from '../tally.ts';
import { comparisonsSection } from './comparisons-section.ts';
import { conditionsSection } from './conditions-section.ts';
import { curves } from './curves.ts';
import { examplesSections } from './examples-sections.ts';
import { failuresSection } from './failures-section.ts';
import { groupsSection } from './groups-section.ts';

/** Every part of the finding but speed, in the order in which a reader wants them. */
export function sectionsOf(results: Results, tally: Tally, design: Design, ladders: readonly Ladder[]): Section[] {
  return [
    curves(results, design, ladders),
    conditionsSection(results, tally, design),
    comparisonsSection(results, design),
    groupsSection(results, design),
    failuresSection(tally, design),
    ...examplesSections(tally),
  ].filter((section) => section !== null);
}
