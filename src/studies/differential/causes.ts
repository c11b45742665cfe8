import { limitText } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import type { Cell, Section } from '../../model/finding.ts';
import { clusterFailures, type FailureCause } from '../../scoring/analysis/cluster-failures.ts';
import { column, recognizerColumn, tableOf } from '../shared/tables.ts';

import type { DifferentialCase } from './case.ts';

const maxCharacters = 200;

const kinds = {
  word: 'word came out otherwise',
  spelling: 'written apart or together',
  inserted: 'inserted words',
  nothing: 'empty transcript',
  lost: 'most of the text came out otherwise',
} as const;

interface Failed {
  readonly row: DifferentialCase;
  readonly reference: readonly string[];
  readonly hypothesis: readonly string[];
}

/**
 * The failed tests read as few causes, with the first that each explains; none where nothing failed, or nobody asked.
 *
 * @param cases every row, in the order in which it was tried
 */
export function causesSections(cases: readonly DifferentialCase[], maxCauses: number): Section[] {
  const failed = cases
    .filter(({ status }) => status === 'failed')
    .map((row): Failed => ({ row, reference: wordsOf(row.text), hypothesis: wordsOf(row.transcript) }));
  if (maxCauses === 0 || failed.length === 0) return [];
  const { causes, failures, explained, rest, tooLong, alike } = clusterFailures(failed, { maxCauses, minFailures: 1 });
  const left = [
    ...(tooLong > 0 ? [`${counted(tooLong, 'failed test')} with more than 1,000 words were not looked into.`] : []),
    ...(alike > 0 ? [`${counted(alike, 'failed test')} differ from their text by no word.`] : []),
  ];
  type Cause = (typeof causes)[number];
  const first = (key: string, label: string, of: (row: DifferentialCase) => string) => ({
    ...column(key, label, 'text', ({ examples: [example] }: Cause) => short(of(example!.row))),
    transcript: true as const,
  });
  const table = tableOf('causes', 'Causes', causes, [
    {
      ...column('words', 'Causes', 'text', ({ words }) => (words === '' ? '(no words in particular)' : short(words))),
      transcript: true,
    },
    column('kind', 'How', 'text', ({ kind }) => kinds[kind]),
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
    { ...column('outcomes', 'Transcribed as', 'text', outcomesOf), transcript: true },
    first('text', 'The first text', ({ text }) => text),
    first('transcript', 'Its transcript', ({ transcript }) => transcript),
    { ...recognizerColumn, label: 'By', of: ({ examples: [example] }) => example!.row.recognizer },
    column('voice', 'Voice', 'text', ({ examples: [example] }) => example!.row.voice),
  ]);
  const note =
    'Failures are counted once, with the first cause that they have; there is no interval, because the causes were chosen for being frequent.';
  const told = `${counted(failures, 'failed test')} read as ${counted(causes.length, 'cause')}: ${explained} have one of them, ${rest.failures} have none.`;
  return [{ id: 'causes', title: 'Causes of failures', text: [told, ...left], tables: [{ ...table, note }] }];
}

/** The same transcript may stand for the words alone and for a longer stretch around them. */
function outcomesOf({ words, outcomes, otherOutcomes }: FailureCause<Failed>): Cell {
  const written = outcomes.map(({ said, written: as, failures }) => {
    const stretch = words === '' || said === '' || said === words ? '' : `${said}: `;
    return `${stretch}${as === '' ? '(nothing)' : as} ${failures}`;
  });
  return short([...written, ...(otherOutcomes > 0 ? [`others ${otherOutcomes}`] : [])].join(', '));
}

/** Words of a text that is normalized already. */
function wordsOf(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}

function short(text: string): string {
  return limitText(text, maxCharacters);
}
