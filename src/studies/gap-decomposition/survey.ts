import { EarwitnessError } from '../../base/errors.ts';
import { limitText } from '../../base/limit-text.ts';
import { printable } from '../../base/printable.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { StudyContext } from '../contract.ts';
import { attributeReader, type ReadAttribute, SeenAttributes, unknownAttribute } from '../shared/attributes.ts';
import { createSpeakerClusters, type SpeakerClusters } from '../shared/speaker-clusters.ts';
import type { GapDecompositionOptions } from './options.ts';

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
export async function surveyUtterances(
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
      throw new EarwitnessError(
        'bad-config',
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
    throw new EarwitnessError('bad-config', 'frequencies: expected a config beside which the file lies; leave it out');
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
      throw new EarwitnessError(
        'bad-input',
        `${path}:${index + 1}: expected a word and how often it occurs, but got ${printable(JSON.stringify(limitText(trimmed, 80)))}; write one word and one number above 0 on each line`,
      );
    }
    for (const word of words(fields.slice(0, -1).join(' '))) counts.set(word, (counts.get(word) ?? 0) + count);
  }
  if (counts.size === 0) {
    throw new EarwitnessError('bad-input', `${path}: expected words and how often they occur, but there are none`);
  }
  return counts;
}
