import { badConfig, badInput } from '../../base/errors.ts';
import { limitText, printable } from '../../base/printable.ts';
import { type Condition, clean } from '../../model/trial.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { maxCauses } from '../../statistics/gap-decomposition/fitted-gap.ts';
import type { Question, StudyContext, StudyRecognizer } from '../contract.ts';
import { attributeReader, type ReadAttribute, SeenAttributes, unknownAttribute } from '../shared/attributes.ts';
import { type GroupPair, groupPairs } from '../shared/group-pairs.ts';
import { chosenConditions } from '../shared/options.ts';
import { createSpeakerClusters, type SpeakerClusters } from '../shared/speaker-clusters.ts';
import {
  type CauseName,
  type ClipFacts,
  causeFacts,
  causeNames,
  type Equalization,
  type Equalized,
  equalizedClip,
  measuresOf,
  type Targets,
} from './causes.ts';
import type { GapDecompositionOptions } from './options.ts';

/** Whom and what is asked, and what is compared. */
export interface Design {
  readonly recognizers: readonly StudyRecognizer[];
  readonly survey: Survey;
  readonly pairs: readonly GroupPair[];
  /** Measures of quality that are asked for. */
  readonly measures: readonly string[];
  /** Worlds in which gaps are counted, the first as things are. */
  readonly variants: readonly Variant[];
}

/** The sounds as they are, or made alike in something. */
export interface Variant {
  readonly name: string;
  /** In what clips are made alike each in its own way; null: one condition for all. */
  readonly equalization: Equalization | null;
  readonly condition: Condition;
}

/** @throws EarwitnessError `bad-config` for attributes, references or conditions that do not exist */
export async function makeDesign(
  options: GapDecompositionOptions,
  normalizer: Normalizer,
  context: StudyContext,
): Promise<Design> {
  requireMeasures(options, context);
  limitCauses(options, context);
  const conditions = chosenConditions(options.conditions, context.ladders);
  const survey = await surveyUtterances(options, normalizer, context);
  const hear = context.recognizers.some(({ input }) => input === 'sound');
  const measures = measuresOf(context);
  const possible = hear ? options.equalize.filter((name) => name !== 'noise' || measures.includes('noise-level')) : [];
  return {
    recognizers: context.recognizers,
    survey,
    pairs: groupPairs(speakersOf(survey), options.reference),
    measures,
    variants: [
      { name: clean.name, equalization: null, condition: clean },
      ...[...new Set(possible)].map((name) => ({ name: `one ${name}`, equalization: name, condition: clean })),
      ...conditions.slice(1).map((condition) => ({ name: condition.name, equalization: null, condition })),
    ],
  };
}

/** For each attribute that makes groups how many speakers have each of its values. */
function speakersOf({ groupBy, attributes, utterances }: Survey): Map<string, Map<string, number>> {
  return new Map(
    groupBy.map((name) => {
      const place = attributes.indexOf(name);
      const people = new Map<string, Set<number>>();
      for (const { values, cluster } of utterances) {
        const value = values[place]!;
        if (value !== null) people.set(value, (people.get(value) ?? new Set()).add(cluster));
      }
      return [name, new Map([...people].map(([value, own]) => [value, own.size]))];
    }),
  );
}

/** What measures a cause, where that is something the config names. */
const measureFor: Partial<Record<CauseName, string>> = { noise: 'noise-level', bandwidth: 'bandwidth', pitch: 'pitch' };

/** A cause that was asked for by name must be measured. */
function requireMeasures({ causes }: GapDecompositionOptions, { quality = [] }: StudyContext): void {
  for (const cause of causes ?? []) {
    const measure = measureFor[cause];
    if (measure === undefined || quality.some(({ name }) => name === measure)) continue;
    throw badConfig(
      `causes: expected ${causeFacts[cause].needs} for ${cause}, but the config does not name it; add quality: [${measure}], or leave the cause out`,
    );
  }
}

/** What a gap can be split among is counted before anything is asked: it takes too long in the end. */
function limitCauses(
  { causes, attributes }: GapDecompositionOptions,
  { quality = [], recognizers }: StudyContext,
): void {
  const possible = causeNames.filter((name) => {
    const measure = measureFor[name];
    if (measure !== undefined) return quality.some((one) => one.name === measure);
    return name !== 'unknown-words' || recognizers.some(({ vocabulary }) => vocabulary !== null);
  });
  const measured = causes === null ? possible : [...new Set(causes)];
  const named = Object.keys(attributes).length;
  if (measured.length + named <= maxCauses) return;
  throw badConfig(
    `gap-decomposition: expected at most ${maxCauses} causes, but there are ${measured.length} (${measured.join(', ')}) and ${named} attributes; name fewer under causes or attributes`,
  );
}

/** Every clip with a reference, as it is. */
export async function* clipQuestions({ measures }: Design, context: StudyContext): AsyncGenerator<Question> {
  for await (const utterance of context.utterances()) {
    if (utterance.reference === undefined || utterance.sound === undefined) continue;
    yield { ask: 'measurement', utterance, condition: clean, draw: 0, quality: measures };
  }
}

/** What is asked of a clip in a variant. */
export function inVariant(variant: Variant, clip: ClipFacts, targets: Targets): Equalized {
  if (variant.equalization !== null) return equalizedClip(variant.equalization, clip, targets);
  return variant.condition.steps.length === 0 ? 'as it is' : variant.condition;
}

/** Every trial: utterance by utterance, conditions next, recognizers innermost, so that a clip is made once. */
export async function* recognitionQuestions(
  { recognizers, variants }: Design,
  clips: readonly ClipFacts[],
  targets: Targets,
  context: StudyContext,
): AsyncGenerator<Question> {
  let place = 0;
  for await (const utterance of context.utterances()) {
    if (utterance.reference === undefined) continue;
    const clip = clips[place++]!;
    const conditions = variants.slice(1).flatMap((variant) => {
      const asked = inVariant(variant, clip, targets);
      return asked === null || asked === 'as it is' ? [] : asked;
    });
    for (const condition of [clean, ...conditions]) {
      for (const { name: recognizer, input } of recognizers) {
        if (condition !== clean && input !== 'sound') continue;
        yield { ask: 'recognition', trial: { utterance, condition, draw: 0, recognizer, repeat: 0 } };
      }
    }
  }
}

/** What is known of an utterance before anything is asked. */
export interface SurveyedUtterance {
  readonly id: string;
  readonly cluster: number;
  /** Of each attribute of the survey; null where it is not known. */
  readonly values: readonly (string | null)[];
  readonly words: number;
  readonly letters: number;
  readonly rarity: number | null;
  /** The number of its text: the same for the same words. */
  readonly text: number;
  /** For each recognizer with a vocabulary the share of words that it cannot write; null elsewhere. */
  readonly unknownWords: readonly (number | null)[];
}

/** Who there is and what they say, before anything is asked. */
export interface Survey {
  /** Attributes that make groups, then those that are causes. */
  readonly attributes: readonly string[];
  readonly groupBy: readonly string[];
  readonly utterances: readonly SurveyedUtterance[];
  readonly clusters: SpeakerClusters;
  readonly withoutReference: number;
  readonly withoutWords: number;
  readonly withoutSpeaker: number;
}

/** A regression reads all of its rows at once. */
const maxUtterances = 200_000;

/**
 * Goes through the utterances with a reference twice: which attributes and words there are, then what each utterance has.
 *
 * @throws EarwitnessError `bad-config` for attributes that no utterance has, or more than 200,000 utterances
 */
async function surveyUtterances(
  options: GapDecompositionOptions,
  normalizer: Normalizer,
  context: StudyContext,
): Promise<Survey> {
  const { words } = normalizer;
  const read = attributeReader(options.bins);
  const first = await firstPass(read, words, context);
  const groupBy = options.groupBy ?? first.seen.dividing(Object.keys(options.attributes));
  const attributes = [...new Set([...groupBy, ...Object.keys(options.attributes)])];
  const frequencies = await frequenciesOf(options, words, context, first.counts);
  const clusters = createSpeakerClusters();
  const texts = new Map<string, number>();
  const utterances: SurveyedUtterance[] = [];
  const seen = { withoutReference: 0, withoutWords: 0, withoutSpeaker: 0 };
  for await (const utterance of context.utterances()) {
    if (utterance.reference === undefined) {
      seen.withoutReference++;
      continue;
    }
    const said = words(utterance.reference, utterance.language);
    if (said.length === 0) seen.withoutWords++;
    if (utterance.speaker === undefined) seen.withoutSpeaker++;
    if (utterances.length === maxUtterances) {
      throw badConfig(
        `gap-decomposition: expected at most ${maxUtterances} utterances with a reference, but there are more; take a sample of them with corpus.select`,
      );
    }
    const joined = said.join(' ');
    if (!texts.has(joined)) texts.set(joined, texts.size);
    utterances.push({
      id: utterance.id,
      cluster: clusters.clusterOf(utterance),
      values: attributes.map((name) => read(utterance, name)),
      words: said.length,
      letters: joined.length - said.length + 1,
      rarity: said.length === 0 ? null : frequencies.rarity(said),
      text: texts.get(joined)!,
      unknownWords: context.recognizers.map(({ vocabulary }) =>
        vocabulary === null || said.length === 0
          ? null
          : said.filter((word) => !vocabulary.has(word.toLowerCase())).length / said.length,
      ),
    });
  }
  for (const [place, name] of attributes.entries()) {
    if (utterances.length > 0 && utterances.every(({ values }) => values[place] === null)) {
      throw unknownAttribute('gap-decomposition', name, first.seen.names);
    }
  }
  return { attributes, groupBy, utterances, clusters, ...seen };
}

/** Which attributes there are, and how often each word occurs. */
async function firstPass(read: ReadAttribute, words: Normalizer['words'], context: StudyContext) {
  const seen = new SeenAttributes();
  const counts = new Map<string, number>();
  for await (const utterance of context.utterances()) {
    if (utterance.reference === undefined) continue;
    for (const word of words(utterance.reference, utterance.language)) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const name of Object.keys(utterance.attributes)) seen.add(name, read(utterance, name));
  }
  return { seen, counts };
}

async function frequenciesOf(
  { frequencies }: GapDecompositionOptions,
  words: Normalizer['words'],
  context: StudyContext,
  counts: ReadonlyMap<string, number>,
): Promise<WordFrequencies> {
  if (frequencies === null) return wordFrequencies(counts);
  if (context.readText === undefined) {
    throw badConfig('frequencies: expected a config in a file, whose folder contains the list; leave it out');
  }
  return wordFrequencies(readFrequencies(await context.readText(frequencies), frequencies, words));
}

/** How often words occur. */
interface WordFrequencies {
  /** Mean negative logarithm (base 10) of the words' relative frequency, words that never occur counted as half once. */
  rarity(words: readonly string[]): number;
}

/** Frequencies from counts of words. */
function wordFrequencies(counts: ReadonlyMap<string, number>): WordFrequencies {
  let total = 0;
  for (const count of counts.values()) total += count;
  return {
    rarity(words) {
      let sum = 0;
      for (const word of words) sum += Math.log10((total + 1) / (counts.get(word) ?? 0.5));
      return sum / words.length;
    },
  };
}

/**
 * Reads a list: a word and a count on each line, apart by a tab or spaces. Empty lines are passed over.
 *
 * @param words what makes words as in references; a line whose word makes none is passed over
 * @throws EarwitnessError `bad-input` for a line without a count
 */
function readFrequencies(text: string, path: string, words: (text: string) => string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [index, line] of text.split('\n').entries()) {
    const trimmed = line.trim();
    if (trimmed === '') continue;
    const fields = trimmed.split(/[\t ]+/);
    const count = Number(fields.at(-1));
    if (fields.length < 2 || !(count > 0 && Number.isFinite(count))) {
      throw badInput(
        `${path}:${index + 1}: expected a word and how often it occurs, but got ${printable(JSON.stringify(limitText(trimmed, 80)))}; write one word and one number above 0 on each line`,
      );
    }
    for (const word of words(fields.slice(0, -1).join(' '))) counts.set(word, (counts.get(word) ?? 0) + count);
  }
  if (counts.size === 0) throw badInput(`${path}: expected words and how often they occur, but there are none`);
  return counts;
}
