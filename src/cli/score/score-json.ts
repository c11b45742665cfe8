import { asJson, type Json, type JsonObject } from '../../base/json.ts';
import { type EditCounts, referenceLength } from '../../scoring/edit-counts.ts';
import { type Normalizer, normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { ErrorRates, MacroRates } from '../../scoring/rates/score-tally.ts';
import type { Interval } from '../../statistics/interval.ts';
import type { Decisive } from '../../studies/shared/decisive.ts';
import { print } from '../output.ts';
import type { GroupScore, IntervalScore } from './score-groups.ts';
import type { SimilarityScore } from './score-similarity.ts';
import type { Leftovers, PairSource, ScoredPair, ScoringPair, ScoringRules } from './scoring-pair.ts';

/** Written as the pairs come, so that a million of them take no memory; nothing is written before the first 64 KiB. */
export interface ScoreJson {
  utterance(pair: ScoringPair, scored: ScoredPair, rates: ErrorRates): Promise<void>;
  end(result: {
    /** By which the words were counted, which is known at the end. */
    readonly normalizer: Normalizer;
    readonly compared: string | null;
    readonly taken: ReturnType<PairSource['taken']>;
    readonly corpus: IntervalScore;
    readonly groups: readonly GroupScore[] | null;
    readonly attribute: string | null;
    readonly leftovers: Leftovers | null;
  }): Promise<void>;
}

const bufferedCharacters = 1 << 16;

/** @param more further settings */
export function createScoreJson({ rule, letterCase, glm }: ScoringRules, more: JsonObject): ScoreJson {
  const settings: JsonObject = {
    alignment: rule,
    case: letterCase,
    ...(glm === null ? {} : { glm: { name: glm.name, rules: glm.rules.length } }),
    ...more,
  };
  const member = (name: string, value: Json) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`;
  let buffer = `{\n${Object.entries(settings)
    .map(([name, value]) => member(name, value))
    .join(',\n')},\n  "utterances": [`;
  let first = true;

  return {
    async utterance(pair, scored, rates) {
      const attributes = pair.attributes();
      const utterance: JsonObject = {
        ...(pair.id === null ? {} : { id: pair.id }),
        ...(Object.keys(attributes).length === 0 ? {} : { attributes }),
        ...(pair.missing ? { missing: true } : {}),
        ...countsAndRates(scored.words, scored.characters, rates),
        ...(scored.similarity === undefined ? {} : { semanticSimilarity: { ...scored.similarity } }),
        alignedWords: scored.aligned().map((word) => ({ ...word })),
      };
      buffer += `${first ? '\n' : ',\n'}    ${JSON.stringify(utterance)}`;
      first = false;
      if (buffer.length > bufferedCharacters) {
        await print(buffer);
        buffer = '';
      }
    },
    async end({ normalizer, compared, taken, corpus, groups, attribute, leftovers }) {
      const rows = groups?.map((group) => ({ value: group.value, ...setOfUtterances(group) }));
      const rest: JsonObject = {
        normalizer: asJson(normalizerIdentity(normalizer)),
        ...(compared === null ? {} : { compared, roles: taken }),
        corpus: setOfUtterances(corpus),
        ...(rows === undefined ? {} : { by: attribute, groups: rows }),
        ...(leftovers === null ? {} : { unmatched: leftoversJson(leftovers) }),
      };
      await print(
        `${buffer}\n  ],\n${Object.entries(rest)
          .map(([name, value]) => member(name, value))
          .join(',\n')}\n}\n`,
      );
    },
  };
}

function countsAndRates(words: EditCounts, characters: EditCounts, rates: ErrorRates): JsonObject {
  const { reason, ...numbers } = rates;
  return {
    words: referenceLength(words),
    correct: words.correct,
    substitutions: words.substitutions,
    deletions: words.deletions,
    insertions: words.insertions,
    ...numbers,
    characters: { characters: referenceLength(characters), ...characters },
    ...(reason === undefined ? {} : { reason }),
  };
}

function setOfUtterances(score: IntervalScore): JsonObject {
  return {
    utterances: score.utterances,
    ...countsAndRates(score.words, score.characters, score.pooled),
    interval: intervalJson('wer', score.interval),
    ...(score.decisive === undefined ? {} : { decisive: decisiveJson(score.decisive) }),
    macro: macroJson(score.macro),
    clippedMacro: macroJson(score.clippedMacro),
    sentenceErrors: score.sentenceErrors,
    sentenceErrorRate: score.sentenceErrorRate,
    ...(score.similarity === undefined ? {} : { semanticSimilarity: similarityJson(score.similarity) }),
  };
}

/** Who decides the word error rate, and the rate without it. */
function decisiveJson({ utterances, speaker, errors, words, without: { value, low, high } }: Decisive): JsonObject {
  const who = utterances.map(({ id, place, loop }) => ({ utterance: id, place, loop: asJson(loop) }));
  return { utterances: who, speaker, errors, words, without: { wer: value, low, high } };
}

function intervalJson(of: string, { reason, ...interval }: Interval): JsonObject {
  return { of, ...interval, ...(reason && { reason: asJson(reason) }) };
}

function similarityJson({ interval, ...score }: SimilarityScore): JsonObject {
  return { ...score, interval: intervalJson('mean', interval) };
}

function macroJson(macro: MacroRates): JsonObject {
  return { ...macro };
}

function leftoversJson(leftovers: Leftovers): JsonObject {
  const { missingHypotheses, missingReferences, ignoredSegments, ignoredWords } = leftovers;
  return {
    missingHypotheses: { count: missingHypotheses.count, first: missingHypotheses.first },
    missingReferences: { count: missingReferences.count, first: missingReferences.first },
    ignoredSegments,
    ignoredWords,
  };
}
