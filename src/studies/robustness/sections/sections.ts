import type { Section } from '../../../model/finding.ts';
import type { Ladder } from '../../../perturbations/contract.ts';
import type { Design } from '../design.ts';
import type { RobustnessOptions } from '../options.ts';
import type { Overview } from '../overview.ts';
import type { Results } from '../results.ts';
import type { Tally } from '../tally.ts';
import { comparisonsSection } from './comparisons-section.ts';
import { conditionsSection } from './conditions-section.ts';
import { curves } from './curves.ts';
import { difficultiesSection } from './difficulties-section.ts';
import { drawsSection } from './draws-section.ts';
import { examplesSections } from './examples-sections.ts';
import { factsSection } from './facts-section.ts';
import { failuresSection } from './failures-section.ts';
import { groupRatiosSection, languagesSection } from './gaps-sections.ts';
import { groupsSection } from './groups-section.ts';
import { levelComparisonsSection } from './level-comparisons-section.ts';
import { levelsSections } from './levels-sections.ts';
import { misheardSection } from './misheard-section.ts';
import { tableOneSection } from './table-one-section.ts';
import { validSections } from './valid-sections.ts';

/** Every part of the finding but speed, in the order in which a reader wants them. */
export function sectionsOf(
  results: Results,
  { levels, comparisons, ratios, gaps, draws, valid }: Overview,
  tally: Tally,
  design: Design,
  { options, ladders }: { readonly options: RobustnessOptions; readonly ladders: readonly Ladder[] },
): Section[] {
  return [
    ...levelsSections(levels, design, options),
    levelComparisonsSection(comparisons, design),
    languagesSection(gaps, levels, design),
    curves(results, design, ladders),
    conditionsSection(results, tally, design),
    comparisonsSection(results, design, options),
    groupsSection(results, design),
    groupRatiosSection(ratios, design),
    ...validSections(valid, { levels, results }, design),
    drawsSection(draws, design),
    factsSection(levels, design, options),
    difficultiesSection(design),
    tableOneSection(levels, design, options),
    misheardSection(tally, design),
    failuresSection(tally, design),
    ...examplesSections(tally),
  ].filter((section) => section !== null);
}
