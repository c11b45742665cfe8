import type { Column, Table } from '../../model/finding.ts';
import { attributeColumn, recognizerColumn, speakersColumn, utterancesColumn } from '../shared/tables.ts';
import {
  type Description,
  type OutsideVocabulary,
  type Suspicion,
  type SuspicionKind,
  type Suspicions,
  suspicionKinds,
} from './description.ts';
import type { CorpusStudyOptions } from './options.ts';
import type { AttributeGroups, SoundTotals } from './sound-totals.ts';

const clips: Column = { key: 'clips', label: 'Clips', kind: 'count' };
const hours: Column = { key: 'hours', label: 'Hours', kind: 'number' };

/** One row about the whole. */
export function overviewTable(description: Description, sounds: SoundTotals): Table {
  return {
    id: 'corpus-overview',
    title: 'The whole',
    columns: [
      clips,
      {
        ...speakersColumn,
        help: 'People who speak. Utterances of one person are not independent, so they decide how sure one can be.',
      },
      hours,
      { key: 'shortest', label: 'Shortest', kind: 'seconds' },
      { key: 'longest', label: 'Longest', kind: 'seconds' },
      { key: 'words', label: 'Words', kind: 'count' },
      { key: 'differentWords', label: 'Different words', kind: 'count' },
    ],
    rows: [
      {
        clips: description.clips,
        speakers: description.clipsOfSpeaker.length,
        hours: sounds.clips === 0 ? null : sounds.seconds / 3600,
        shortest: sounds.shortest?.seconds ?? null,
        longest: sounds.longest?.seconds ?? null,
        words: description.tokens,
        differentWords: description.words.size,
      },
    ],
  };
}

/** The most frequent languages. */
export function languageTable(languages: AttributeGroups['largest']): Table {
  return {
    id: 'corpus-languages',
    title: 'Languages',
    columns: [{ key: 'language', label: 'Language', kind: 'text' }, clips, speakersColumn, hours],
    rows: languages.map((row) => ({ language: row.value, ...sizes(row) })),
  };
}

/** Each attribute's most frequent values. */
export function attributeTable(attributes: readonly AttributeGroups[]): Table {
  return {
    id: 'corpus-attributes',
    title: 'By attribute',
    columns: [
      attributeColumn,
      { key: 'value', label: 'Value', kind: 'text' },
      clips,
      speakersColumn,
      hours,
      {
        key: 'unreadable',
        label: 'Unreadable',
        kind: 'count',
        help: 'Clips whose sound cannot be read: not in the hours.',
      },
    ],
    rows: attributes.flatMap(({ attribute, largest }) =>
      largest.map((row) => ({ attribute, value: row.value, ...sizes(row), unreadable: row.unreadable })),
    ),
    note: 'The 20 most frequent values of each attribute.',
  };
}

/** One row about all sounds that could be read. */
export function soundTable(sounds: SoundTotals): Table {
  const level = (key: string, label: string): Column => ({
    key,
    label: `${label} (dB of full scale)`,
    kind: 'number',
    help: 'Root mean square of the samples against a sound at full scale.',
  });
  return {
    id: 'corpus-levels',
    title: 'Levels',
    columns: [
      { ...clips, label: 'Clips read' },
      level('quietestDbfs', 'Quietest'),
      level('medianDbfs', 'Median'),
      level('loudestDbfs', 'Loudest'),
      {
        key: 'clippedShare',
        label: 'Samples at full scale',
        kind: 'rate',
        help: 'Sound louder than a file can hold is cut off there.',
      },
    ],
    rows: [
      {
        clips: sounds.clips,
        quietestDbfs: sounds.quietestDbfs,
        medianDbfs: sounds.medianDbfs,
        loudestDbfs: sounds.loudestDbfs,
        clippedShare: sounds.clippedShare,
      },
    ],
  };
}

/** Clips by sample rate. */
export function sampleRateTable({ sampleRates }: SoundTotals): Table {
  return {
    id: 'corpus-sample-rates',
    title: 'Sample rates',
    columns: [{ key: 'sampleRate', label: 'Samples a second', kind: 'count' }, clips],
    rows: sampleRates.map((row) => ({ ...row })),
  };
}

/** Words outside of each recognizer's vocabulary. */
export function outsideTable(outside: readonly OutsideVocabulary[]): Table {
  return {
    id: 'corpus-outside-vocabulary',
    title: 'Words outside of the vocabulary',
    columns: [
      recognizerColumn,
      { key: 'vocabularySize', label: 'Entries it has', kind: 'count' },
      { key: 'tokensOutside', label: 'Words outside', kind: 'count' },
      { key: 'tokenShare', label: 'Share of all words', kind: 'rate' },
      { key: 'typesOutside', label: 'Different words outside', kind: 'count' },
      { key: 'typeShare', label: 'Share of different words', kind: 'rate' },
    ],
    rows: outside.map(({ mostFrequent: _, ...row }) => row),
    note: 'Its entries are counted as it has them, and compared after they are normalized like the references.',
  };
}

/** The most frequent of these words. */
export function outsideWordTable(outside: readonly OutsideVocabulary[]): Table {
  return {
    id: 'corpus-outside-words',
    title: 'Most frequent words outside',
    columns: [
      recognizerColumn,
      { key: 'word', label: 'Word', kind: 'text' },
      { key: 'count', label: 'Times', kind: 'count' },
    ],
    rows: outside.flatMap(({ recognizer, mostFrequent }) => mostFrequent.map((row) => ({ recognizer, ...row }))),
  };
}

/** How many of each kind, and what is meant by it. */
export function suspicionKindTable(suspicions: Suspicions, options: CorpusStudyOptions): Table {
  const meanings: Readonly<Record<SuspicionKind, string>> = {
    'unreadable sound': 'the sound could not be read',
    'silent sound': 'every sample is 0',
    'very quiet sound': `a level under ${options.quietDbfs} dB of full scale`,
    'clipped sound': `more than ${options.maxClippedShare * 100} % of the samples at full scale`,
    'empty reference': 'no words in the reference',
    'too many words': `more than ${options.maxWordsPerSecond} words a second, and one word more`,
    'too few words': `fewer than ${options.minWordsPerSecond} words a second`,
    'odd characters': 'control or invisible characters, markup, a wrong encoding, mixed scripts',
  };
  return {
    id: 'corpus-suspicion-kinds',
    title: 'By kind',
    columns: [
      { key: 'kind', label: 'What', kind: 'text' },
      { key: 'meaning', label: 'Meaning', kind: 'text' },
      utterancesColumn,
    ],
    rows: suspicionKinds
      .filter((kind) => suspicions.count(kind) > 0)
      .map((kind) => ({ kind, meaning: meanings[kind], utterances: suspicions.count(kind) })),
  };
}

/** The utterances themselves. */
export function suspicionTable(listed: readonly Suspicion[]): Table {
  return {
    id: 'corpus-suspicions',
    title: 'Utterances',
    columns: [
      { key: 'utteranceId', label: 'Utterance', kind: 'text' },
      { key: 'kind', label: 'What', kind: 'text' },
      { key: 'reason', label: 'Why', kind: 'text' },
    ],
    rows: listed.map((row) => ({ ...row })),
  };
}

function sizes({ clips, speakers, seconds }: { clips: number; speakers: number; seconds: number }) {
  return { clips, speakers, hours: seconds / 3600 };
}
