import { counted } from '../../base/wording.ts';
import type { Estimate, Section } from '../../model/finding.ts';
import { type Reason, reasonText } from '../../model/reason.ts';
import { mixedPoisson } from '../../statistics/mixed-models/count-models.ts';
import { holm } from '../../statistics/significance/multiplicity.ts';
import { toEstimate } from '../shared/estimates.ts';
import {
  adjustedColumn,
  attributeColumn,
  column,
  comparedWithColumn,
  recognizerColumn,
  tableOf,
} from '../shared/tables.ts';
import { listed } from '../shared/wording.ts';
import { chanceHelp, type DisparityDesign } from './design.ts';
import type { DisparityOptions } from './options.ts';
import type { Scores } from './scores.ts';

/** One value of an attribute beside the value that has most words, in one model of one recognizer. */
export interface ModelGap {
  readonly recognizer: string;
  readonly attribute: string;
  readonly value: string;
  readonly comparedWith: string;
  /** Errors per word of the one over that of the other, for speakers of equal other attributes. Null with a reason. */
  readonly ratio: Estimate;
}

/** Whether an attribute matters at all, given the others. */
export interface ModelTest {
  readonly recognizer: string;
  readonly attribute: string;
  readonly pValue: number | null;
  /** Corrected for all attributes and recognizers (Holm). */
  readonly adjustedPValue: number | null;
  readonly test: string;
  readonly reason: Reason | null;
}

export interface ModelResults {
  readonly gaps: readonly ModelGap[];
  readonly tests: readonly ModelTest[];
  readonly attributes: readonly string[];
  /** Attributes that the model lacks, as too few speakers have counted values of them and of those before them. */
  readonly together: readonly string[];
  /** Attributes that the model lacks, as they have no two counted values of enough speakers. */
  readonly alone: readonly string[];
  /** Speakers who have all of them, in values of enough speakers. */
  readonly speakers: number;
  /** Of each recognizer what the reader of its fit must know. */
  readonly notes: readonly { readonly recognizer: string; readonly note: string }[];
}

/**
 * The accepted stronger model: errors in words by Poisson regression with a normal intercept for each speaker (Z. Liu, I.-E.
 * Veliche and F. Peng, ICASSP 2022), all attributes together, so that each gap is one between speakers who are alike in the
 * others. Rows of one speaker under one profile are added up, which changes nothing in this model. Speakers without one of the
 * attributes, or of a value with too few speakers, cannot be placed and are left out.
 *
 * @returns null where no attribute divides enough speakers
 */
export function modelGaps(scores: Scores, design: DisparityDesign, options: DisparityOptions): ModelResults | null {
  const { survey } = design;
  const { level, minimumSpeakers, other } = options;
  const chosen = chooseRows(design, minimumSpeakers, other);
  if (chosen === null) return null;
  const { attributes, rows, together } = chosen;
  const speakers = new Set(rows.map((row) => survey.rows.clusters[row]!)).size;
  const valueAt = (row: number, attribute: number) => survey.profiles[survey.rows.profiles[row]!]![attribute]!;
  const predictors = Object.fromEntries(
    attributes.map(({ name, place }) => [name, rows.map((row) => valueAt(row, place))]),
  );
  const references = Object.fromEntries(attributes.map(({ name, reference }) => [name, reference]));
  const gaps: ModelGap[] = [];
  const tests: Omit<ModelTest, 'adjustedPValue'>[] = [];
  const notes: { recognizer: string; note: string }[] = [];
  for (const { recognizer, errors, words, clips } of scores.clean) {
    const fit = mixedPoisson(
      {
        errors: rows.map((row) => errors[row]!),
        words: rows.map((row) => words[row]!),
        predictors,
        speaker: rows.map((row) => String(survey.rows.clusters[row])),
      },
      { references, level, intervals: 'wald' },
    );
    // Of added-up rows that is no news.
    const news = fit.notes.filter((note) => !note.startsWith('each speaker has one row'));
    for (const note of news) notes.push({ recognizer, note });
    for (const { name, place, reference, values } of attributes) {
      const term = fit.terms.find((one) => one.term === name);
      tests.push({
        recognizer,
        attribute: name,
        pValue: term?.pValue ?? null,
        test: term?.test ?? fit.method,
        reason: term?.reason ?? fit.reason ?? null,
      });
      for (const value of values) {
        if (value === reference) continue;
        const found = fit.coefficients.find((one) => one.term === name && one.level === value);
        const mine = rows.filter((row) => valueAt(row, place) === value);
        const n = {
          utterances: mine.reduce((sum, row) => sum + clips[row]!, 0),
          speakers: new Set(mine.map((row) => survey.rows.clusters[row]!).filter(survey.clusters.isSpeaker)).size,
          words: mine.reduce((sum, row) => sum + words[row]!, 0),
        };
        const none = {
          value: null,
          low: null,
          high: null,
          level,
          reason: fit.reason ?? { code: 'no-coefficient' },
          method: fit.method,
        };
        const ratio = toEstimate(found?.rateRatio ?? none, n);
        gaps.push({ recognizer, attribute: name, value, comparedWith: reference, ratio });
      }
    }
  }
  const adjusted = holm(tests.map(({ pValue }) => pValue));
  return {
    gaps,
    tests: tests.map((one, place) => ({ ...one, adjustedPValue: adjusted[place]! })),
    attributes: attributes.map(({ name }) => name),
    together,
    alone: survey.attributes
      .map(({ name }) => name)
      .filter((name) => !together.includes(name) && !attributes.some((one) => one.name === name)),
    speakers,
    notes,
  };
}

interface ModelAttribute {
  readonly name: string;
  readonly place: number;
  readonly values: readonly string[];
  /** The value of most speakers. */
  readonly reference: string;
}

/**
 * Attributes with two values or more of enough speakers, and the rows that have such values of all of them. Where too few have (dialogues of
 * which most are Other in something), attributes are left out, the last first: one alone can always be fitted.
 */
function chooseRows(
  { survey }: DisparityDesign,
  minimumSpeakers: number,
  other: readonly string[],
): {
  readonly attributes: readonly ModelAttribute[];
  readonly rows: readonly number[];
  readonly together: readonly string[];
} | null {
  const all = survey.rows.profiles.map((_, row) => row);
  const valueAt = (row: number, place: number) => survey.profiles[survey.rows.profiles[row]!]![place]!;
  let rows = all;
  let places = survey.attributes.map((_, place) => place);
  const together: string[] = [];
  // Leaving out speakers may make another value too small: again, until nothing changes.
  for (;;) {
    const sizes = places.map((place) => {
      const people = Map.groupBy(rows, (row) => valueAt(row, place));
      return new Map(
        [...people]
          .filter(([value]) => value !== null && !other.includes(value))
          .map(([value, own]) => [value as string, new Set(own.map((row) => survey.rows.clusters[row]!)).size] as const)
          .filter(([, size]) => size >= minimumSpeakers),
      );
    });
    const isDividing = (_: number, index: number) => sizes[index]!.size >= 2;
    if (rows === all) {
      places = places.filter(isDividing);
      if (places.length === 0) return null;
      if (places.length < sizes.length) continue;
    } else if (!places.every(isDividing)) {
      const last = places.findLast((_, index) => sizes[index]!.size < 2)!;
      together.unshift(survey.attributes[last]!.name);
      places = places.filter((place) => place !== last);
      rows = all;
      continue;
    }
    const kept = rows.filter((row) => places.every((place, index) => sizes[index]!.has(valueAt(row, place) ?? '')));
    if (kept.length === rows.length) {
      return {
        rows,
        together,
        attributes: places.map((place, index) => ({
          name: survey.attributes[place]!.name,
          place,
          values: [...sizes[index]!.keys()].sort(),
          reference: [...sizes[index]!].sort(([a, one], [b, two]) => two - one || (a < b ? -1 : 1))[0]![0],
        })),
      };
    }
    rows = kept;
  }
}

/** Gaps as ratios, each between speakers who are alike in the other attributes. */
export function modelSection(model: ModelResults | null): Section | null {
  if (model === null) return null;
  const notes = [...Map.groupBy(model.notes, ({ note }) => note)].map(
    ([note, own]) => `${listed(own.map(({ recognizer }) => recognizer))}: ${note}.`,
  );
  return {
    id: 'disparity-model',
    title: 'Gaps adjusted for other attributes',
    text: [
      `A regression of word errors in which every speaker has a difficulty of their own (mixed-effects Poisson), with ${listed(model.attributes)} together, fitted to ${counted(model.speakers, 'speaker')} who have all of these. A ratio of 1.2 means 20 % more errors than for the value it is compared with, between speakers who are alike in the other attributes.`,
      ...(model.together.length === 0
        ? []
        : [
            `Left out: ${listed(model.together)}, because too few speakers have counted values of all attributes together. Gaps are not adjusted for what is left out.`,
          ]),
      ...(model.alone.length === 0
        ? []
        : [`Left out: ${listed(model.alone)}, of which no two counted values have enough speakers.`]),
      ...notes,
    ],
    tables: [
      {
        ...tableOf('disparity-model', 'Ratios of error rates', model.gaps, [
          recognizerColumn,
          attributeColumn,
          { key: 'value', label: 'Value', kind: 'text' },
          comparedWithColumn,
          { key: 'ratio', label: 'Ratio of error rates', kind: 'ratio', help: 'Above 1: more errors.' },
        ]),
        note: 'Intervals are not corrected; the tests below are. Each value of an attribute is compared with the one that has most speakers.',
      },
      tableOf('disparity-model-tests', 'Whether an attribute matters, given the others', model.tests, [
        recognizerColumn,
        attributeColumn,
        { key: 'pValue', label: 'p', kind: 'pvalue' },
        adjustedColumn(chanceHelp),
        column('test', 'Test', 'text', ({ reason, test }) => (reason === null ? test : reasonText(reason))),
      ]),
    ],
  };
}
