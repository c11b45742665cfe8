import type { Condition } from '../../model/condition.ts';
import type { Section, Table } from '../../model/finding.ts';
import { cells, countColumns, recognizerColumn } from './count-columns.ts';
import type { Known } from './known.ts';
import { comparisonsSection, failuresSection, textsSection } from './other-sections.ts';
import { durationClasses, type Part } from './tally.ts';

/** Every part of the finding, in the order in which a reader wants it. */
export function sectionsOf(known: Known): Section[] {
  const { results, tally, conditions, recognizers, options } = known;
  const of = (kind: Part['kind'], name: string) =>
    results.parts.filter(({ part }) => part.kind === kind && part.name === name);
  const label = ({ name, rung }: Condition) => rung?.label ?? name;
  const distinct = new Set(conditions.map(label)).size === conditions.length;
  const byCondition: Table = {
    id: 'hallucination-conditions',
    title: 'By kind of sound',
    columns: [{ key: 'condition', label: 'Sound', kind: 'text' }, recognizerColumn, ...countColumns],
    rows: conditions.flatMap((condition) =>
      of('condition', condition.name).map((row) => ({
        condition: distinct ? label(condition) : condition.name,
        ...cells(row, recognizers),
      })),
    ),
  };
  const sections: Section[] = [
    {
      id: 'hallucination-conditions',
      title: 'What is heard, and how much is written',
      text: ['Nobody speaks in any of these sounds: every word is made up.'],
      ...(conditions.length < 2
        ? {}
        : {
            charts: [
              {
                title: 'Sounds for which something is written',
                xLabel: 'sound',
                xTicks: conditions.map(label),
                yLabel: 'Sounds with words',
                yKind: 'rate' as const,
                series: recognizers.map((name, recognizer) => ({
                  name,
                  points: conditions.flatMap((condition, x) =>
                    of('condition', condition.name)
                      .filter(({ part }) => part.recognizer === recognizer)
                      .map(({ shareWithWords }) => ({ x, estimate: shareWithWords })),
                  ),
                })),
              },
            ],
          }),
      tables: [byCondition],
    },
  ];
  const durations = durationClasses.flatMap((name) => of('duration', name));
  if (durations.length > 0) {
    sections.push({
      id: 'hallucination-durations',
      title: 'Short and long sounds',
      tables: [
        {
          id: 'hallucination-durations',
          title: 'By duration of the sound',
          columns: [{ key: 'duration', label: 'Duration', kind: 'text' }, recognizerColumn, ...countColumns],
          rows: durations.map((row) => ({ duration: row.part.name, ...cells(row, recognizers) })),
        },
      ],
    });
  }
  const groups = results.parts
    .filter(({ part }) => part.kind === 'group')
    .toSorted((a, b) => byText(a.part.attribute!, b.part.attribute!) || byText(a.part.name, b.part.name));
  if (groups.length > 0) {
    sections.push({
      id: 'hallucination-groups',
      title: 'Groups of sounds',
      tables: [
        {
          id: 'hallucination-groups',
          title: 'By attribute',
          columns: [
            { key: 'attribute', label: 'Attribute', kind: 'text' },
            { key: 'group', label: 'Group', kind: 'text' },
            recognizerColumn,
            ...countColumns,
          ],
          rows: groups.map((row) => ({
            attribute: row.part.attribute!,
            group: row.part.name,
            ...cells(row, recognizers),
          })),
        },
      ],
    });
  }
  sections.push(textsSection(tally, recognizers, options));
  if (results.comparisons.length > 0) sections.push(comparisonsSection(results, recognizers));
  sections.push(failuresSection(tally, conditions, recognizers));
  if (tally.examples.length > 0) {
    sections.push({ id: 'hallucination-examples', title: 'The longest inventions', examples: tally.examples });
  }
  return sections;
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
