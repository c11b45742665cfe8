import { z } from 'zod';
import { list, nonEmpty, oneOf, orNull, positive, whole } from '../../base/option-kinds.ts';
import type { Column, Table } from '../../model/finding.ts';
import type { ClipMeasurement } from '../../model/trial.ts';
import { attributeOf, type Utterance } from '../../model/utterance.ts';
import { numericBinsOption } from '../shared/attributes.ts';
import { normalizerOption } from '../shared/options.ts';
import { speakersColumn } from '../shared/tables.ts';

const name = nonEmpty(200);

const cardOption = z
  .strictObject({
    by: list(name, 1, 4).describe('Attributes whose combinations are the rows, such as corpus, environment and style'),
    shares: list(name, 0, 4)
      .default([])
      .describe('Attributes whose values are given as shares of a row’s clips, such as recordingDevice'),
  })
  .refine(({ by, shares }) => new Set([...by, ...shares]).size === by.length + shares.length, {
    message: 'expected attributes, each named once',
  })
  .describe('The composition of the corpus in one table: a row for each kind of recording');

const unknown = 'not known';

const coverageOptions = z
  .strictObject({
    attributes: list(nonEmpty(), 1, 8).describe(
      'Attributes whose combinations should be covered: sex, age, accent, recordingDevice, …',
    ),
    ways: whole(1, 3)
      .optional()
      .describe('How many attributes a combination has. Default: 2, or 1 where one attribute is named.'),
    by: oneOf(['clips', 'speakers', 'hours']).default('speakers').describe('What is counted for the minimum.'),
    minimum: positive()
      .default(10)
      .describe('A combination with fewer is not covered. FairLENS does not state its minimum.'),
    bins: numericBinsOption
      .optional()
      .describe(
        'Ranges of numeric attributes: fairlens or casual-conversations (ages), or the numbers at which a new range begins.',
      ),
    corpusBy: orNull(nonEmpty(200)).describe(
      'The attribute that distinguishes corpora, whose coverage is then shown side by side; null: all as one',
    ),
    values: z
      .record(z.string(), list(nonEmpty(), 1))
      .optional()
      .describe('Values that should occur, by attribute, also where none does yet. Default: those that occur.'),
  })
  .refine(({ attributes }) => new Set(attributes).size === attributes.length, {
    message: 'expected attributes, each named once',
    path: ['attributes'],
  })
  .refine(({ attributes, ways = 1 }) => ways <= attributes.length, {
    message: 'expected at least as many attributes as a combination has',
    path: ['ways'],
  });

export type CoverageStudyOptions = z.infer<typeof coverageOptions>;

/** Options of the study `corpus`. */
export const corpusStudyOptions = z.strictObject({
  normalizer: orNull(normalizerOption.unwrap()).describe(
    'Text normalizer: a name, or a module of your own (./mine.ts); null: that of the studies beside it',
  ),
  coverage: coverageOptions
    .optional()
    .describe(
      'Which combinations of attributes have enough speakers, clips or hours, how evenly they are filled, and what to record next.',
    ),
  card: cardOption.optional(),
});

export type CorpusStudyOptions = z.infer<typeof corpusStudyOptions>;

type CardOptions = z.infer<typeof cardOption>;

/** Adds up speakers, hours and clips for each kind of recording; memory follows kinds and speakers. */
export interface Card {
  addUtterance(utterance: Utterance): void;
  addSound(utterance: Utterance, measurement: ClipMeasurement): void;
  table(): Table;
}

interface Kind {
  readonly values: readonly string[];
  readonly speakers: Set<string>;
  clips: number;
  seconds: number;
  /** By attribute of `shares`: clips by value. */
  readonly shared: readonly Map<string, number>[];
}

/**
 * The composition of a corpus as FairLENS has it in its Table 1: environment, speakers, hours, cases, and devices by share.
 *
 * @example createCard({ by: ['environment'], shares: ['recordingDevice'] })
 */
export function createCard({ by, shares }: CardOptions): Card {
  const kinds = new Map<string, Kind>();
  const textOf = (utterance: Utterance, attribute: string) => attributeOf(utterance, attribute) ?? unknown;
  const kindOf = (utterance: Utterance): Kind => {
    const values = by.map((attribute) => textOf(utterance, attribute));
    const key = JSON.stringify(values);
    let kind = kinds.get(key);
    if (kind === undefined) {
      kind = { values, speakers: new Set(), clips: 0, seconds: 0, shared: shares.map(() => new Map()) };
      kinds.set(key, kind);
    }
    return kind;
  };
  return {
    addUtterance(utterance) {
      const kind = kindOf(utterance);
      kind.clips++;
      if (utterance.speaker !== undefined) kind.speakers.add(utterance.speaker);
      shares.forEach((attribute, place) => {
        const value = textOf(utterance, attribute);
        kind.shared[place]!.set(value, (kind.shared[place]!.get(value) ?? 0) + 1);
      });
    },
    addSound(utterance, { durationSeconds }) {
      kindOf(utterance).seconds += durationSeconds;
    },
    table: () => ({
      id: 'corpus-card',
      title: 'Composition',
      columns: [
        ...by.map(columnOf),
        speakersColumn,
        { key: 'hours', label: 'Hours', kind: 'number' },
        { key: 'clips', label: 'Clips', kind: 'count' },
        ...shares.map(columnOf),
      ],
      rows: [...kinds.values()].map(({ values, speakers, clips, seconds, shared }) => ({
        ...Object.fromEntries(values.map((value, place) => [columnOf(by[place]!).key, value])),
        speakers: speakers.size,
        hours: seconds === 0 ? null : seconds / 3600,
        clips,
        ...Object.fromEntries(shared.map((counts, place) => [columnOf(shares[place]!).key, inWords(counts, clips)])),
      })),
    }),
  };
}

/** Called as the attribute is, also in files, but where one of the counts is called so. */
function columnOf(attribute: string): Column {
  const taken = ['speakers', 'hours', 'clips'].includes(attribute);
  return { key: taken ? `${attribute} (attribute)` : attribute, label: attribute, kind: 'text' };
}

/** `95 % phone, 5 % body camera`, the most frequent first. */
function inWords(counts: ReadonlyMap<string, number>, clips: number): string {
  return [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([value, count]) => `${Number(((100 * count) / clips).toFixed(1))} % ${value}`)
    .join(', ');
}
