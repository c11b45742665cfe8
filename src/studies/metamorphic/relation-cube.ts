import type { Column } from '../../model/finding.ts';
import { clean } from '../../model/trial.ts';
import { countsNamed, type Ratio } from '../shared/cube/contract.ts';
import { openCube } from '../shared/cube/cube.ts';
import { conditionColumn } from '../shared/tables.ts';
import type { RelationDesign } from './design.ts';
import { type MetamorphicOptions, primaryLanguage } from './options.ts';

/** What is added up of cases (a clip, changed, heard by one recognizer before and after), of clean clips, and of meanings. */
const counted = [
  ...(['pairs', 'violations', 'ratePairs', 'rates', 'edits', 'tokens', 'criticalWords', 'criticalLost'] as const),
  ...(['bleuPairs', 'bleuLoss1', 'bleuLoss2', 'bleuLoss3', 'bleuLoss4'] as const),
  ...(['extraBefore', 'extraInside', 'extraAfter', 'extraAlone'] as const),
  // Cases whose clean clip was recognized several times.
  ...(['controlPairs', 'controlViolations', 'controlDiffering', 'steadyPairs', 'steadyViolations'] as const),
  // Cases with a reference.
  ...(['referencePairs', 'referenceViolations', 'sourceWrong', 'followUpWrong', 'bothWrong', 'sameError'] as const),
  ...(['similarityPairs', 'similarityLoss', 'excluded', 'unrated'] as const),
  ...(['clips', 'unsteadyClips', 'differing', 'recognitions'] as const),
] as const;

export type Field = (typeof counted)[number];

/** How those are called that tables show. */
const shown = {
  pairs: { label: 'Cases', help: 'Clips whose transcripts before and after the change are both known.' },
  tokens: { label: 'Words expected' },
  extraBefore: { label: 'Before', help: 'Before the first word that was expected.' },
  extraInside: { label: 'Inside' },
  extraAfter: { label: 'After', help: 'After the last word that was expected.' },
  extraAlone: { label: 'Where nothing was expected', help: 'The transcript of the clean clip is empty.' },
  referencePairs: { label: 'Cases with a reference' },
  referenceViolations: { label: 'Violations' },
  sourceWrong: { label: 'Clean clip wrong', help: 'The change corrected an error.' },
  followUpWrong: { label: 'Changed clip wrong' },
  bothWrong: { label: 'Both wrong' },
  sameError: { label: 'Holds, but wrong', help: 'Both transcripts have the same error.' },
  clips: { label: 'Clips' },
  unsteadyClips: { label: 'Their number' },
  recognitions: { label: 'Recognitions' },
};

/** What counts of a case; of clean clips and of meanings what is known of them. */
export interface Scored extends Readonly<Partial<Record<Field, number>>> {
  readonly condition: string;
  /** Whether the validity gate keeps it. */
  readonly isKept: boolean;
  /** What was recognized of the changed clip. */
  readonly heard?: readonly string[];
}

const shareOfCases = { kind: 'rate', proportion: true, counted: 'pairs' } as const;
const likeness = { kind: 'rate', complement: true, counted: 'pairs' } as const;

const ratiosOf = ({ profile }: MetamorphicOptions) =>
  ({
    violationRate: {
      ...shareOfCases,
      label: 'Violations',
      help: 'Share of cases in which the relation does not hold.',
      over: ['violations', 'pairs'],
    },
    controlRate: {
      ...shareOfCases,
      label: 'With nothing changed',
      help: 'Share of pairs of recognitions of the same clean clips that differ: what comes without any change.',
      over: ['controlDiffering', 'controlPairs'],
    },
    changedRate: { ...shareOfCases, label: 'With a control', over: ['controlViolations', 'controlPairs'] },
    steadyViolationRate: {
      ...shareOfCases,
      label: 'Of steady clips',
      help: 'The same of clips whose clean recognitions all agree: violations that unsteadiness may explain are taken out.',
      over: ['steadyViolations', 'steadyPairs'],
    },
    fillRate: {
      ...shareOfCases,
      complement: true,
      label: 'Fill rate',
      help: 'Share of cases in which the relation holds.',
      over: ['violations', 'pairs'],
    },
    accuracy: {
      ...likeness,
      label: 'Accuracy',
      watched: true,
      help: '1 minus the error rate of the changed clip, with the transcript of the clean clip as reference.',
      ...(profile === 'sr-mt'
        ? { over: ['rates', 'ratePairs'] as const }
        : { over: ['edits', 'tokens'] as const, counted: 'words' as const }),
    },
    bleu1: { ...likeness, label: 'BLEU-1', over: ['bleuLoss1', 'bleuPairs'] },
    bleu2: { ...likeness, label: 'BLEU-2', over: ['bleuLoss2', 'bleuPairs'] },
    bleu3: { ...likeness, label: 'BLEU-3', over: ['bleuLoss3', 'bleuPairs'] },
    bleu4: {
      ...likeness,
      label: 'BLEU-4',
      help: 'Likeness by stretches of one to four words.',
      over: ['bleuLoss4', 'bleuPairs'],
    },
    similarity: {
      ...likeness,
      label: 'Similarity of meaning',
      help: 'Cosine of sentence vectors.',
      over: ['similarityLoss', 'similarityPairs'],
    },
    criticalWords: {
      ...shareOfCases,
      complement: true,
      counted: 'words',
      label: 'Critical words kept',
      help: 'Of the words that must not be lost.',
      over: ['criticalLost', 'criticalWords'],
    },
    differing: {
      ...shareOfCases,
      counted: 'utterances',
      label: 'Two recognitions differ',
      over: ['differing', 'clips'],
    },
    same: {
      ...shareOfCases,
      complement: true,
      counted: 'utterances',
      label: 'Two recognitions agree',
      help: 'Fill rate of pairs of recognitions of one clip, each with each.',
      over: ['differing', 'clips'],
    },
    unsteady: {
      ...shareOfCases,
      counted: 'utterances',
      label: 'Unsteady clips',
      help: 'Clips whose recognitions do not all agree.',
      over: ['unsteadyClips', 'clips'],
    },
  }) satisfies Record<string, Ratio<Field>>;

export type RatioName = keyof ReturnType<typeof ratiosOf>;

export const languageColumn: Column = { key: 'language', label: 'Language', kind: 'text' };

/** Cases by language and condition, and those alone that the validity gate keeps; clean clips among them. */
export function relationCube(design: RelationDesign, options: MetamorphicOptions, seed: number) {
  const { level, resamples, minimumSpeakers } = options;
  const columns = [languageColumn, conditionColumn];
  return openCube<Scored>()({
    series: design.recognizers.map(({ name }) => name),
    conditions: [clean, ...design.conditions].map(({ name }) => name),
    counts: countsNamed(counted, shown),
    ratios: ratiosOf(options),
    slices: {
      cases: {
        columns,
        paired: true,
        apart: true,
        of: ({ condition }, { language }) => [[primaryLanguage(language), condition]],
      },
      kept: {
        columns,
        apart: true,
        of: ({ condition, isKept }, { language }) => (isKept ? [[primaryLanguage(language), condition]] : []),
      },
    },
    unit: 'speaker',
    heard: ({ heard = [] }) => heard,
    settings: { level, resamples, minimumSpeakers, seed },
  });
}

export type RelationCube = ReturnType<typeof relationCube>;
