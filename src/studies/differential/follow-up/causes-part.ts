import { asJson } from '../../../base/json.ts';
import { limitText } from '../../../base/printable.ts';
import type { AlignedWord, Cell, Column, Example, Table } from '../../../model/finding.ts';
import { align } from '../../../scoring/alignment/align.ts';
import type { FailureClusters } from '../../../scoring/analysis/cluster-failures.ts';
import { counted } from '../../shared/wording.ts';
import { type FailedCase, type FollowUp, type ShortestFailure, type ShrunkCause, wordsOf } from './contract.ts';

/** Shortest texts that can be heard in the report. */
const maxExamples = 5;
const maxCharacters = 200;

const kinds = {
  word: 'word came out otherwise',
  spelling: 'written apart or together',
  inserted: 'inserted words',
  nothing: 'empty transcript',
  lost: 'most of the text came out otherwise',
} as const;

const columns: readonly Column[] = [
  { key: 'words', label: 'Causes', kind: 'text', transcript: true },
  { key: 'kind', label: 'How', kind: 'text' },
  { key: 'failures', label: 'Failed tests', kind: 'count', help: 'Explained by this cause and by none above it.' },
  {
    key: 'alone',
    label: 'Only this failed',
    kind: 'count',
    help: 'Of these, the tests in which no other words failed.',
  },
  {
    key: 'everywhere',
    label: 'In all',
    kind: 'count',
    help: 'All failed tests to which it contributes, including those that a cause above explains.',
  },
  {
    key: 'texts',
    label: 'With these words',
    kind: 'count',
    help: 'Failed tests whose text contains the words, misrecognized or not: a frequent word fails in many texts and may be the cause in few.',
  },
  { key: 'outcomes', label: 'Transcribed as', kind: 'text', transcript: true },
  { key: 'shortest', label: 'Shortest text that fails', kind: 'text', transcript: true },
  { key: 'transcript', label: 'Its transcript', kind: 'text', transcript: true },
  { key: 'recognizer', label: 'By', kind: 'text' },
  { key: 'voice', label: 'Voice', kind: 'text' },
  { key: 'cut', label: 'Words left', kind: 'text', help: 'Of the words of the failed text.' },
  {
    key: 'minimal',
    label: 'Minimal',
    kind: 'text',
    help: 'Whether every text with one word less was tried and does not fail.',
  },
  { key: 'tried', label: 'Texts tried', kind: 'count' },
];

/** The causes as a section, and as data. */
export function causesPart(
  causes: readonly ShrunkCause[],
  clusters: FailureClusters<FailedCase>,
  { asked, recognizers }: { readonly asked: number; readonly recognizers: number },
): FollowUp {
  const { failures, explained, rest, tooLong, alike } = clusters;
  const table: Table = {
    id: 'causes',
    title: 'Causes',
    columns,
    rows: causes.map(rowOf),
    note: 'Failures are counted once, with the first cause that they have; there is no interval, because the causes were chosen for being frequent. A shortest text is a local minimum: words were left out while these words still broke for the same recognizer and another got the text right.',
  };
  const told = `${counted(failures, 'failed test')} read as ${counted(causes.length, 'cause')}: ${explained} have one of them, ${rest.failures} have none.`;
  const left = [
    ...(tooLong > 0 ? [`${counted(tooLong, 'failed test')} with more than 1,000 words were not looked into.`] : []),
    ...(alike > 0 ? [`${counted(alike, 'failed test')} differ from their text by no word.`] : []),
  ];
  const spent = `${counted(asked, 'text')} cut short were spoken to ${counted(recognizers, 'recognizer')} for it, in no count of this study.`;
  return {
    answer: [],
    sections: [
      {
        id: 'causes',
        title: 'Causes of failures',
        text: [told, ...left, spent],
        tables: [table],
        examples: causes
          .flatMap(({ shortest }) => (shortest === null ? [] : [exampleOf(shortest)]))
          .slice(0, maxExamples),
      },
    ],
    warnings: [],
    data: {
      causes: asJson(
        causes.map(({ cause: { examples, ...counts }, shortest }) => ({
          ...counts,
          examples: examples.map(({ row }) => row),
          shortest,
        })),
      ),
      explainedFailures: { failures, explained, ...{ rest: rest.failures, tooLong, alike } },
      shrinking: { texts: asked, recognitions: asked * recognizers },
    },
  };
}

function rowOf({ cause, shortest }: ShrunkCause): Record<string, Cell> {
  const { kind, words, failures, alone, everywhere, texts, outcomes, otherOutcomes } = cause;
  // The same transcript may stand for the words alone and for a longer stretch around them.
  const written = outcomes.map(({ said, written: as, failures: count }) => {
    const stretch = words === '' || said === '' || said === words ? '' : `${said}: `;
    return `${stretch}${as === '' ? '(nothing)' : as} ${count}`;
  });
  return {
    words: words === '' ? '(no words in particular)' : short(words),
    kind: kinds[kind],
    ...{ failures, alone, everywhere, texts },
    outcomes: short([...written, ...(otherOutcomes > 0 ? [`others ${otherOutcomes}`] : [])].join(', ')),
    shortest: shortest && short(shortest.text),
    transcript: shortest && short(shortest.transcript),
    recognizer: shortest?.recognizer ?? null,
    voice: shortest?.voice ?? null,
    cut: shortest && `${shortest.words} of ${shortest.wordsBefore}`,
    minimal: shortest && (shortest.minimal ? 'yes' : 'not known'),
    tried: shortest?.texts ?? null,
  };
}

function exampleOf({
  text,
  transcript,
  utteranceId,
  conditionName,
  draw,
  recognizer,
  voice,
}: ShortestFailure): Example {
  const pairs = align(wordsOf(text), wordsOf(transcript));
  return {
    title: `The shortest that fails, by ${voice}`,
    ...{ utteranceId, conditionName, draw },
    transcripts: [
      {
        label: recognizer,
        aligned: pairs.slice(0, 400).map(
          ({ reference, hypothesis }): AlignedWord => ({
            reference: reference === null ? null : short(reference),
            hypothesis: hypothesis === null ? null : short(hypothesis),
          }),
        ),
      },
    ],
  };
}

function short(text: string): string {
  return limitText(text, maxCharacters);
}
