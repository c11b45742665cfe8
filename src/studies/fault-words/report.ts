import type { Section, Table } from '../../model/finding.ts';
import { type FailureGap, failureGapsSection } from '../shared/failures.ts';
import { namedColumns, recognizerColumn, speakersColumn } from '../shared/tables.ts';
import { counted, named } from '../shared/wording.ts';
import { type Bias, biasSection } from './bias.ts';
import type { Design } from './design.ts';
import type { FaultWordsOptions } from './options.ts';
import type { AverageRow, WordDrops } from './results.ts';
import type { Group } from './tally.ts';

/** Everybody, or `native yes`. */
export function groupName({ group }: Group): string {
  return group === null ? 'everybody' : `${group.attribute} ${group.value}`;
}

/** Every part of the finding, in the order in which a reader wants it. */
export function sectionsOf({
  drops,
  averages,
  groups,
  biases,
  failures,
  design,
  options,
}: {
  readonly drops: readonly WordDrops[];
  readonly averages: readonly AverageRow[];
  readonly groups: readonly Group[];
  readonly biases: readonly Bias[];
  readonly failures: readonly FailureGap[];
  readonly design: Design;
  readonly options: FaultWordsOptions;
}): Section[] {
  return [
    averagesSection(averages, groups),
    biasSection(biases),
    wordsSection(drops, design, options),
    robustSection(drops, design, options),
    failureGapsSection('fault-words', failures),
  ].filter((section) => section !== null);
}

function averagesSection(averages: readonly AverageRow[], groups: readonly Group[]): Section {
  const columns = namedColumns(groups.map(groupName), 'number', ['row']);
  return {
    id: 'fault-words-averages',
    title: 'How many times fewer a word is heard',
    text: [
      'For each word the parameter of a transformation is taken that hides it most; the drop is how many times fewer it is heard than before, at least 0. Printed is the mean over all words, each counting once.',
      'The least of several counts lies below each of them by chance alone, so a drop of 1 says little, and groups compare only where they said as much. There is no interval; the study degradation tests differences between groups.',
    ],
    tables: [
      {
        id: 'fault-words-averages',
        title: 'Average drops',
        columns: [
          { key: 'row', label: 'Mean over the rest', kind: 'text' },
          ...columns.map((column, place) => {
            const { speakers } = groups[place]!;
            return { ...column, help: `Of ${speakers === 0 ? 'unknown speakers' : counted(speakers, 'speaker')}.` };
          }),
        ],
        rows: averages.map(({ name, means }) => ({
          row: name,
          ...Object.fromEntries(means.map((mean, place) => [columns[place]!.key, mean])),
        })),
        note: 'Layout of AequeVox’s Table 9.',
      },
    ],
  };
}

function wordsSection(drops: readonly WordDrops[], design: Design, { maxWords }: FaultWordsOptions): Section {
  const shown = drops.flatMap(({ group, recognizer, transformation, nonRobust }) =>
    nonRobust.map((word) => ({ group, recognizer, transformation, ...word })),
  );
  const perPlace = Map.groupBy(shown, ({ group, recognizer }) => `${group.number} ${recognizer}`);
  const rows = [...perPlace.values()].flatMap((own) =>
    own.toSorted((a, b) => b.drop - a.drop || (a.word < b.word ? -1 : 1)).slice(0, maxWords),
  );
  const table: Table = {
    id: 'fault-words-words',
    title: 'Words that are not robust',
    columns: [
      { key: 'group', label: 'Speakers', kind: 'text' },
      recognizerColumn,
      { key: 'transformation', label: 'Transformation', kind: 'text' },
      { key: 'word', label: 'Word', kind: 'text', transcript: true },
      { key: 'said', label: 'Said', kind: 'count' },
      { key: 'heard', label: 'Heard before', kind: 'count' },
      { key: 'least', label: 'Heard at worst', kind: 'count' },
      { key: 'drop', label: 'Drop', kind: 'count' },
      { key: 'worst', label: 'Worst at', kind: 'text' },
    ],
    rows: rows.map(({ group, recognizer, transformation, word, said, heard, least, drop, worst }) => {
      const condition = design.conditions[worst]!;
      return {
        group: groupName(group),
        recognizer: design.recognizers[recognizer]!,
        transformation: design.transformations[transformation]!.name,
        word: named(word),
        said,
        heard,
        least,
        drop,
        worst: condition.rung?.label ?? condition.name,
      };
    }),
  };
  return { id: 'fault-words-words', title: 'Words that vanish', tables: [table] };
}

function robustSection(drops: readonly WordDrops[], design: Design, { maxWords }: FaultWordsOptions): Section {
  return {
    id: 'fault-words-robust',
    title: 'Words that stay',
    text: ['Words that were heard before and under no parameter less often.'],
    tables: [
      {
        id: 'fault-words-robust',
        title: 'Robust and other words',
        columns: [
          { key: 'group', label: 'Speakers', kind: 'text' },
          recognizerColumn,
          { key: 'transformation', label: 'Transformation', kind: 'text' },
          { key: 'words', label: 'Words', kind: 'count' },
          { key: 'nonRobust', label: 'Not robust', kind: 'count', help: 'A drop of omega or more.' },
          { key: 'robust', label: 'Robust', kind: 'count' },
          { key: 'omega', label: 'Omega', kind: 'count' },
          {
            key: 'utterances',
            label: 'Utterances',
            kind: 'count',
            help: 'Answered in the baseline and under every parameter.',
          },
          speakersColumn,
          { key: 'examples', label: 'Robust, for example', kind: 'text', transcript: true },
        ],
        rows: drops.map(({ group, recognizer, transformation, words, nonRobust, robust, omega, utterances }) => ({
          group: groupName(group),
          recognizer: design.recognizers[recognizer]!,
          transformation: design.transformations[transformation]!.name,
          words,
          nonRobust: nonRobust.length,
          robust: robust.length,
          omega,
          utterances,
          speakers: group.speakers,
          examples: robust.slice(0, Math.min(maxWords, 8)).map(named).join(' '),
        })),
      },
    ],
  };
}
