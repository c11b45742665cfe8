import type { Section } from '../../../model/finding.ts';
import { ratingsTable, validitySection } from '../../shared/validity/section.ts';
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
  const { options } = known;
  const violations = violationsSection(known);
  return [
    ...(options.profile === 'aequevox' ? [violations] : []),
    groupsSection(known),
    curvesSection(known),
    detailsSection(known),
    beforeSection(known),
    ...(options.profile === 'aequevox' ? [] : [violations]),
    conditionsSection(known),
    ...gateSections(known),
    failuresSection(known),
  ].filter((section) => section !== null);
}

/** What was left out because listeners or measures find it too bad; nothing without a gate. */
function gateSections({ validity, design }: Known): Section[] {
  if (validity === null) return [];
  const { conditions, ratings, rule } = validity;
  if (conditions !== null) return [validitySection('degradation', { conditions, rule })];
  const labels = new Map(design.conditions.map(({ name, rung }) => [name, rung?.label]));
  return [
    {
      id: 'degradation-ratings',
      title: 'Sounds that count',
      text: [`Kept is what has ${rule}; what nobody rated does not count.`],
      tables: [ratingsTable('degradation', ratings ?? [], (about) => labels.get(about) ?? null)],
    },
  ];
}
