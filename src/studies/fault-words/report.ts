import { grouped } from '../../base/number-format.ts';
import { counted } from '../../base/wording.ts';
import type { Section, Statement, Table } from '../../model/finding.ts';
import type { Scores } from '../../model/scores.ts';
import { missingAttributeWarnings } from '../shared/attributes.ts';
import { type FailureGap, failureGapsSection } from '../shared/failure-gaps.ts';
import { failuresSection, failureWarnings } from '../shared/failures.ts';
import { column, namedColumns, recognizerColumn, speakersColumn, tableOf } from '../shared/tables.ts';
import { listed, named } from '../shared/wording.ts';
import { type Bias, biasSection } from './bias.ts';
import type { AskedWords, FaultWordsOptions } from './design.ts';
import type { Group, HeardWords } from './heard-words.ts';
import type { AverageRow, WordDrops } from './results.ts';

/** For everybody: what each recognizer loses most. */
export function answerOf(drops: readonly WordDrops[], design: AskedWords): Statement[] {
  const everybody = drops.filter(({ group }) => group.group === null);
  const statements = design.recognizers.map((name, recognizer): Statement => {
    const own = everybody.filter((one) => one.recognizer === recognizer && one.words > 0);
    const worst = own.toSorted((a, b) => b.drops - a.drops)[0];
    if (worst === undefined) return { text: `${named(name)}: no words to examine, so there is no result.` };
    const { nonRobust, words, omega, robust } = worst;
    const inFamily = (one: WordDrops) => named(design.transformations[one.transformation]!.name);
    const about = {
      recognizer: name,
      conditions: design.transformations[worst.transformation]!.conditions.map(
        (condition) => design.conditions[condition]!.name,
      ),
      than: { condition: design.conditions[0]!.name },
    };
    if (worst.drops === 0) return { text: `${named(name)} loses no word in ${listed(own.map(inFamily))}.`, about };
    const loses =
      own.length > 1 && own.every(({ drops }) => drops === worst.drops) ? 'loses words' : 'loses most words';
    return {
      text: `${named(name)} ${own.length === 1 ? 'loses words' : loses} in ${inFamily(worst)}: under its worst parameter ${grouped(nonRobust.length)} of ${counted(words, 'word')} are recognized at least ${omega} times fewer, ${grouped(robust.length)} never fewer.`,
      about,
    };
  });
  return statements.length > 0 ? statements : [{ text: 'No recognizer was asked, so there is no result.' }];
}

/** Recognizers by what was done to the audio: how many words each loses. */
export function scoresOf({ transformations }: AskedWords, answer: readonly Statement[]): Scores {
  return {
    measure: 'Words lost',
    found: answer.slice(0, 1).map(({ text }) => text),
    columns: transformations.map(({ name }) => ({
      ...{ words: `in ${name}`, kind: 'count', head: [name.replace(/^.*\//, '')] },
      rates: { table: 'fault-words-robust', column: 'nonRobust', where: { group: 'everybody', transformation: name } },
    })),
    ranks: 0,
  };
}

/** Everybody, or `native yes`. */
function groupName({ group }: Group): string {
  return group === null ? 'everybody' : `${group.attribute} ${group.value}`;
}

/** Every part of the finding, in the order in which a reader wants it. */
export function sectionsOf({
  drops,
  averages,
  biases,
  failures,
  heard,
  design,
  options,
}: {
  readonly drops: readonly WordDrops[];
  readonly averages: readonly AverageRow[];
  readonly biases: readonly Bias[];
  readonly failures: readonly FailureGap[];
  readonly heard: HeardWords;
  readonly design: AskedWords;
  readonly options: FaultWordsOptions;
}): Section[] {
  return [
    averagesSection(averages, heard.groups),
    biasSection(biases),
    wordsSection(drops, design, options),
    robustSection(drops, design, options),
    failuresSection('fault-words', 'A failed trial is no missed word: it is left out.', heard.trials),
    failureGapsSection('fault-words', failures),
  ].filter((section) => section !== null);
}

function averagesSection(averages: readonly AverageRow[], groups: readonly Group[]): Section {
  const columns = namedColumns(groups.map(groupName), 'number', ['row']);
  return {
    id: 'fault-words-averages',
    title: 'Recall ratio, clean / perturbed',
    text: [
      'The drop of a word compares how often it is recognized in the baseline and in perturbed audio (at least 0), under the worst parameter of the transformation. The table has the mean over all words, each counting once.',
      'The minimum of several counts is below each of them by chance alone, so a drop of 1 says little, and groups are comparable only if they have equally many words. There is no interval; the study degradation tests differences between groups.',
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

const speakersOfGroup = column('group', 'Speakers', 'text', ({ group }: Pick<WordDrops, 'group'>) => groupName(group));

function transformationColumn({ transformations }: AskedWords) {
  const of = ({ transformation }: Pick<WordDrops, 'transformation'>) => transformations[transformation]!.name;
  return column('transformation', 'Transformation', 'text', of);
}

function wordsSection(drops: readonly WordDrops[], design: AskedWords, { maxWords }: FaultWordsOptions): Section {
  const shown = drops.flatMap(({ group, recognizer, transformation, nonRobust }) =>
    nonRobust.map((word) => ({ group, recognizer, transformation, ...word })),
  );
  const perPlace = Map.groupBy(shown, ({ group, recognizer }) => `${group.number} ${recognizer}`);
  const rows = [...perPlace.values()].flatMap((own) =>
    own.toSorted((a, b) => b.drop - a.drop || (a.word < b.word ? -1 : 1)).slice(0, maxWords),
  );
  const table = tableOf('fault-words-words', 'Words that are not robust', rows, [
    speakersOfGroup,
    { ...recognizerColumn, of: ({ recognizer }) => design.recognizers[recognizer]! },
    transformationColumn(design),
    { key: 'word', label: 'Word', kind: 'text', transcript: true, of: ({ word }) => named(word) },
    { key: 'said', label: 'Said', kind: 'count' },
    { key: 'heard', label: 'Recognized before', kind: 'count' },
    { key: 'least', label: 'Recognized at worst', kind: 'count' },
    { key: 'drop', label: 'Drop', kind: 'count' },
    column('worst', 'Worst at', 'text', ({ worst }) => {
      const { rung, name } = design.conditions[worst]!;
      return rung?.label ?? name;
    }),
  ]);
  const left = shown.length - rows.length;
  const note = left === 0 ? {} : { note: `${counted(left, 'word')} more are not shown (maxWords: ${maxWords}).` };
  return { id: 'fault-words-words', title: 'Words no longer recognized', tables: [{ ...table, ...note }] };
}

function robustSection(drops: readonly WordDrops[], design: AskedWords, { maxWords }: FaultWordsOptions): Section {
  return {
    id: 'fault-words-robust',
    title: 'Robust words',
    text: ['Words recognized in the baseline and never fewer times under any parameter.'],
    tables: [
      tableOf('fault-words-robust', 'Robust and other words', drops, [
        speakersOfGroup,
        { ...recognizerColumn, of: ({ recognizer }) => design.recognizers[recognizer]! },
        transformationColumn(design),
        { key: 'words', label: 'Words', kind: 'count' },
        {
          key: 'nonRobust',
          label: 'Not robust',
          kind: 'count',
          help: 'A drop of omega or more.',
          of: ({ nonRobust }) => nonRobust.length,
        },
        column('robust', 'Robust', 'count', ({ robust }) => robust.length),
        { key: 'omega', label: 'Omega', kind: 'count' },
        {
          key: 'utterances',
          label: 'Utterances',
          kind: 'count',
          help: 'Answered in the baseline and under every parameter.',
        },
        { ...speakersColumn, of: ({ group }) => group.speakers },
        {
          key: 'examples',
          label: 'Robust, for example',
          kind: 'text',
          transcript: true,
          of: ({ robust }) => robust.slice(0, Math.min(maxWords, 8)).map(named).join(' '),
        },
      ]),
      eachWord(drops, design),
    ],
  };
}

/** All words that are robust or not, for everybody: fault-validation tries them. */
function eachWord(drops: readonly WordDrops[], design: AskedWords): Table {
  const rows = drops
    .filter(({ group }) => group.group === null)
    .flatMap(({ recognizer, transformation, robust, nonRobust }) => [
      ...nonRobust.map(({ word }) => ({ recognizer, transformation, word, robust: 'no' })),
      ...robust.map((word) => ({ recognizer, transformation, word, robust: 'yes' })),
    ]);
  return tableOf('fault-words-each', 'Each word, robust or not', rows, [
    { ...recognizerColumn, of: ({ recognizer }) => design.recognizers[recognizer]! },
    transformationColumn(design),
    { key: 'word', label: 'Word', kind: 'text', transcript: true },
    { key: 'robust', label: 'Robust', kind: 'text' },
  ]);
}

/** What a reader must know before believing the finding. */
export function warningsOf(
  drops: readonly WordDrops[],
  heard: HeardWords,
  design: AskedWords,
  { omega }: FaultWordsOptions,
): string[] {
  const warnings: string[] = [];
  const silent = heard.groups.filter((group) =>
    drops.every((one) => one.group.number !== group.number || one.words === 0),
  );
  if (silent.length > 0) {
    warnings.push(
      `No words for ${listed(silent.map(groupName))}: the references or transcripts are empty, or trials failed. The table has a dash there, which does not mean a drop of 0.`,
    );
  }
  warnings.push(...missingAttributeWarnings(heard.missing, heard.utterances));
  if (heard.withReference < heard.utterances) {
    warnings.push(
      `${counted(heard.utterances - heard.withReference, 'utterance')} without a reference: there only words recognized in the baseline count.`,
    );
  }
  warnings.push(
    ...failureWarnings(
      heard.trials,
      'an utterance counts for a transformation only where it was answered before and under every parameter',
    ),
  );
  if (heard.overflowed) warnings.push('There are more than 100,000 different words; those met later are not counted.');
  if (heard.manyValued.length > 0) {
    warnings.push(`Not reported by group, because of too many values: ${listed(heard.manyValued)}.`);
  }
  if (typeof omega !== 'number') {
    const unknown = Object.keys(omega).filter((name) => !design.recognizers.includes(name));
    if (unknown.length > 0) warnings.push(`omega names recognizers that are not there: ${listed(unknown)}.`);
  }
  return warnings;
}
