import type { Column, Table } from '../../model/finding.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import {
  attributeColumn,
  column,
  recognizerColumn,
  speakersColumn,
  tableOf,
  utterancesColumn,
  wordsNote,
} from '../shared/tables.ts';
import {
  type Description,
  type OutsideVocabulary,
  type Suspicion,
  type SuspicionKind,
  type Suspicions,
  suspicionKinds,
  suspicious,
} from './description.ts';
import type { AttributeGroups, SoundTotals } from './sound-totals.ts';

const clips = { key: 'clips', label: 'Clips', kind: 'count' } as const;
const hours: Column = { key: 'hours', label: 'Hours', kind: 'number' };
const hoursOf = { ...hours, of: ({ seconds }: { readonly seconds: number }) => seconds / 3600 };

/** One row about the whole. */
export function overviewTable(description: Description, sounds: SoundTotals, normalizer: Normalizer): Table {
  const { counts, speakers, words } = description;
  const help = 'Utterances of one speaker are not independent: the number of speakers limits precision.';
  const table = tableOf(
    'corpus-overview',
    'Totals',
    [description],
    [
      { ...clips, of: () => counts.clips },
      { ...speakersColumn, help, of: () => speakers.size },
      { ...hours, of: () => (sounds.clips === 0 ? null : sounds.seconds / 3600) },
      column('shortest', 'Shortest', 'seconds', () => sounds.shortest?.seconds ?? null),
      column('longest', 'Longest', 'seconds', () => sounds.longest?.seconds ?? null),
      column('words', 'Reference words', 'count', () => counts.tokens),
      column('differentWords', 'Distinct words', 'count', () => words.size),
    ],
  );
  return { ...table, note: wordsNote(normalizer.name) };
}

/** The most frequent languages. */
export function languageTable(languages: AttributeGroups['largest']): Table {
  return tableOf('corpus-languages', 'Languages', languages, [
    column('language', 'Language', 'text', ({ value }) => value),
    clips,
    speakersColumn,
    hoursOf,
  ]);
}

/** Each attribute's most frequent values. */
export function attributeTable(attributes: readonly AttributeGroups[]): Table {
  const rows = attributes.flatMap(({ attribute, largest }) => largest.map((row) => ({ attribute, ...row })));
  const table = tableOf('corpus-attributes', 'By attribute', rows, [
    attributeColumn,
    { key: 'value', label: 'Value', kind: 'text' },
    clips,
    speakersColumn,
    hoursOf,
    {
      key: 'unreadable',
      label: 'Unreadable',
      kind: 'count',
      help: 'Clips whose audio cannot be read: not counted in the hours.',
    },
  ]);
  return { ...table, note: 'The 20 most frequent values of each attribute.' };
}

/** One row about all sounds that could be read. */
export function soundTable(sounds: SoundTotals): Table {
  const level = (key: 'quietestDbfs' | 'medianDbfs' | 'loudestDbfs', label: string) => ({
    ...column(key, `${label} (dB of full scale)`, 'number', (row: SoundTotals) => row[key]),
    help: 'Root mean square of the samples, relative to full scale.',
  });
  return tableOf(
    'corpus-levels',
    'Levels',
    [sounds],
    [
      { ...clips, label: 'Clips read' },
      level('quietestDbfs', 'Quietest'),
      level('medianDbfs', 'Median'),
      level('loudestDbfs', 'Loudest'),
      {
        key: 'clippedShare',
        label: 'Samples at full scale',
        kind: 'rate',
        help: 'Peaks above full scale are clipped.',
      },
    ],
  );
}

/** Clips by sample rate. */
export function sampleRateTable({ sampleRates }: SoundTotals): Table {
  return tableOf('corpus-sample-rates', 'Sample rates', sampleRates, [
    { key: 'sampleRate', label: 'Samples a second', kind: 'count' },
    clips,
  ]);
}

/** Words outside of each recognizer's vocabulary. */
export function outsideTable(outside: readonly OutsideVocabulary[]): Table {
  const table = tableOf('corpus-outside-vocabulary', 'Out-of-vocabulary words', outside, [
    recognizerColumn,
    { key: 'vocabularySize', label: 'Entries', kind: 'count' },
    { key: 'tokensOutside', label: 'Out-of-vocabulary words', kind: 'count' },
    { key: 'tokenShare', label: 'Share of all words', kind: 'rate' },
    { key: 'typesOutside', label: 'Distinct out-of-vocabulary words', kind: 'count' },
    { key: 'typeShare', label: 'Share of distinct words', kind: 'rate' },
  ]);
  const note = 'Entries are counted as they are, and compared after normalization like the references.';
  return { ...table, note };
}

/** The most frequent of these words. */
export function outsideWordTable(outside: readonly OutsideVocabulary[]): Table {
  const rows = outside.flatMap(({ recognizer, mostFrequent }) => mostFrequent.map((row) => ({ recognizer, ...row })));
  return tableOf('corpus-outside-words', 'Most frequent out-of-vocabulary words', rows, [
    recognizerColumn,
    { key: 'word', label: 'Word', kind: 'text', transcript: true },
    { key: 'count', label: 'Count', kind: 'count' },
  ]);
}

/** How many of each kind, and what is meant by it. */
export function suspicionKindTable(suspicions: Suspicions): Table {
  const meanings: Readonly<Record<SuspicionKind, string>> = {
    'unreadable audio': 'the audio could not be read',
    'silent audio': 'every sample is 0',
    'very quiet audio': `a level under ${suspicious.quietDbfs} dB of full scale`,
    'clipped audio': `more than ${suspicious.maxClippedShare * 100} % of the samples at full scale`,
    'empty reference': 'no words in the reference',
    'too many words': `more than ${suspicious.maxWordsPerSecond} words per second, plus one word`,
    'too few words': `fewer than ${suspicious.minWordsPerSecond} words per second`,
    'odd characters': 'control or invisible characters, markup, a wrong encoding, mixed scripts',
  };
  const kinds = suspicionKinds.map((kind) => ({ kind, meaning: meanings[kind], utterances: suspicions.count(kind) }));
  const met = kinds.filter(({ utterances }) => utterances > 0);
  return tableOf('corpus-suspicion-kinds', 'By kind', met, [
    { key: 'kind', label: 'What', kind: 'text' },
    { key: 'meaning', label: 'Meaning', kind: 'text' },
    utterancesColumn,
  ]);
}

/** The utterances themselves. */
export function suspicionTable(listed: readonly Suspicion[]): Table {
  return tableOf('corpus-suspicions', 'Utterances', listed, [
    { key: 'utteranceId', label: 'Utterance', kind: 'text' },
    { key: 'kind', label: 'What', kind: 'text' },
    { key: 'reason', label: 'Why', kind: 'text', transcript: true },
  ]);
}
