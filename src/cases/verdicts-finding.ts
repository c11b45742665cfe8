import { grouped } from '../base/number-format.ts';
import { counted } from '../base/wording.ts';
import type { Cell, Estimate, Finding, SampleSize, Table } from '../model/finding.ts';
import type { Interval } from '../statistics/interval.ts';
import { study } from '../studies/differential/case.ts';
import { measured, toEstimate } from '../studies/shared/estimates.ts';
import { column, namedColumns, recognizerColumn, tableOf } from '../studies/shared/tables.ts';
import { listed } from '../studies/shared/wording.ts';
import { type CellVerdicts, type VerdictSummary, verdictKinds } from './summarize-verdicts.ts';

const about: Readonly<Record<(typeof verdictKinds)[number], string>> = {
  'true failure': 'The clip says the text: the recognizer is wrong.',
  normalization: 'Text and transcript differ in spelling only: the normalizer is at fault.',
  'says the transcript':
    'The clip says the transcript and not the text: the synthesizer (or the reference of a recording) is at fault.',
  'says neither': 'The clip says neither: the synthesizer (or the reference of a recording) is at fault.',
  ambiguous: 'The clip can be understood either way.',
};

/**
 * What people found in the sound of failed cases, as a finding: the false positive rate with its interval in the layout of CrossASR's
 * Table VI, the kinds of false positives, and how far people agree.
 */
export function falsePositivesFinding(summary: VerdictSummary, level: number): Finding {
  const { all, judged, cases, missing, kinds, people, agreement, empty, half, divided, contradictions } = summary;
  const synthesizer = kinds['says the transcript'] + kinds['says neither'];
  return {
    study,
    title: 'Failed cases, listened to',
    settings: { level, people: people.length },
    answer: [
      {
        text: `${grouped(all.falsePositives)} of ${counted(judged, 'failed case')} that people judged are false positives; of the ${grouped(all.failed)} failed cases of the run, by the shares of their cells`,
        estimate: estimateOf(all.rate, sizeOf(all, people)),
      },
      {
        text: `Of the false positives the synthesizer (or the reference of a recording) is at fault for ${synthesizer}, the normalizer for ${kinds.normalization}; ${kinds.ambiguous} can be understood either way`,
      },
    ],
    sections: [
      {
        id: 'false-positives',
        title: 'False positives',
        text: [
          'Cells were sampled in proportion to their failed cases, each share rounded up; rates over several cells weight each cell by its failed cases. Cells with few cases say little: look at their intervals.',
        ],
        tables: [wideTable(summary), cellsTable(summary)],
      },
      {
        id: 'kinds',
        title: 'Kinds',
        tables: [
          tableOf('kinds', 'The judged cases by kind', verdictKinds, [
            column('kind', 'Kind', 'text', (kind) => kind),
            column('cases', 'Cases', 'count', (kind) => kinds[kind]),
            column('about', 'Meaning', 'text', (kind) => about[kind]),
          ]),
        ],
      },
      ...(agreement === null
        ? []
        : [
            {
              id: 'agreement',
              title: 'Agreement of the judges',
              tables: [
                tableOf('agreement', "Krippendorff's alpha", Object.entries(agreement), [
                  column('question', 'Question', 'text', ([question]) => question),
                  column('units', 'Cases judged by two or more', 'count', ([, { units }]) => units),
                  {
                    ...column('alpha', 'Alpha', 'number', ([, alpha]) => estimateOf(alpha, sizeOf(all, people))),
                    help: '1: they always agree; 0: they agree as often as by chance.',
                  },
                ]),
              ],
            },
          ]),
    ],
    warnings: [
      ...(missing > 0
        ? [
            `${counted(missing, 'case')} of the sample of ${cases + missing} ${missing === 1 ? 'is' : 'are'} missing from all files: they are left out as if at random, and cells without any row are in no rate. Restore the rows, or leave their cells empty.`,
          ]
        : []),
      ...(judged < cases
        ? [
            `${cases - judged} of ${counted(cases, 'case')} have no complete verdict: ${empty} are empty, in ${half} a question is not answered. They are left out as if at random.`,
          ]
        : []),
      ...(divided > 0
        ? [
            `People disagree on ${counted(divided, 'case')}: each counts with the majority's answer, or as a false positive if they are evenly divided.`,
          ]
        : []),
      ...(contradictions.length > 0
        ? [
            `In ${counted(contradictions.length, 'row')} the person's own transcript contradicts the answers: ${listed(contradictions.map(({ id, person }) => `${id} (${person})`))}.`,
          ]
        : []),
    ],
  };
}

function wideTable({ cells, bySynthesizer, byRecognizer, all }: VerdictSummary): Table {
  const recognizers = byRecognizer.map(({ recognizer }) => recognizer!);
  const columns = namedColumns(recognizers, 'text', ['synthesizer', 'all']);
  const told = (part: CellVerdicts | undefined): Cell =>
    part === undefined ? null : `${part.falsePositives} of ${part.judged}`;
  return {
    id: 'false-positives',
    title: 'False positives of judged cases, synthesizer by recognizer',
    columns: [
      { key: 'synthesizer', label: 'Synthesizer', kind: 'text' },
      ...columns,
      { key: 'all', label: 'All', kind: 'text' },
    ],
    rows: [
      ...bySynthesizer.map((row) => ({
        synthesizer: row.synthesizer,
        ...Object.fromEntries(
          recognizers.map((name, place) => [
            columns[place]!.key,
            told(cells.find((cell) => cell.synthesizer === row.synthesizer && cell.recognizer === name)),
          ]),
        ),
        all: told(row),
      })),
      {
        synthesizer: 'All',
        ...Object.fromEntries(byRecognizer.map((part, place) => [columns[place]!.key, told(part)])),
        all: told(all),
      },
    ],
  };
}

function cellsTable({ cells, bySynthesizer, byRecognizer, all, people }: VerdictSummary): Table {
  const parts = [...cells, ...bySynthesizer, ...byRecognizer, all];
  return tableOf('false-positive-rates', 'False positive rates', parts, [
    column('synthesizer', 'Synthesizer', 'text', ({ synthesizer }) => synthesizer ?? 'all synthesizers'),
    { ...recognizerColumn, of: ({ recognizer }) => recognizer ?? 'all recognizers' },
    { key: 'failed', label: 'Failed cases', kind: 'count' },
    { key: 'sampled', label: 'Sampled', kind: 'count' },
    { key: 'judged', label: 'Judged', kind: 'count' },
    { key: 'falsePositives', label: 'False positives', kind: 'count' },
    column('rate', 'False positive rate', 'rate', (part) => estimateOf(part.rate, sizeOf(part, people))),
  ]);
}

/** Those who judge are listeners; who speaks is not in the table. */
function sizeOf({ verdicts, texts }: Pick<CellVerdicts, 'verdicts' | 'texts'>, people: readonly string[]): SampleSize {
  return { ratings: verdicts, listeners: people.length, utterances: texts, speakers: 0 };
}

function estimateOf(interval: Interval, n: Estimate['n']): Estimate {
  return interval.value === null
    ? measured(null, n, interval.reason ?? { code: 'nothing-judged' }, interval.method)
    : toEstimate(interval, n);
}
