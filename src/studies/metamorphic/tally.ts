import type { Utterance } from '../../model/utterance.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { Answer } from '../contract.ts';
import type { CaseValidity } from '../shared/case-judgement.ts';
import { FailureCounts } from '../shared/failure-counts.ts';
import { createSpeakerClusters, type SpeakerClusters } from '../shared/speaker-clusters.ts';
import { type CaseSheet, createCaseSheet } from './case-sheet.ts';
import {
  ClusterSums,
  type Field,
  fields,
  type IdentityField,
  identityFields,
  type JointField,
  jointFields,
} from './cluster-sums.ts';
import type { Design } from './design.ts';
import type { FirstAnswers } from './first-answers.ts';
import type { MetamorphicOptions } from './options.ts';
import { type BleuVariant, publishedBleu, soundBleu } from './pair-scores.ts';
import { trialPlace } from './places.ts';
import { scoreUtterance } from './score-utterance.ts';
import { primaryLanguage, tokensOf, type Unit, unitOf } from './tokens.ts';
import { type WorstCaseWatch, watchWorstCases } from './worst-cases.ts';

/** Everything that scoring needs besides the answers. */
export interface Scoring {
  readonly design: Design;
  readonly options: MetamorphicOptions;
  readonly bleu: BleuVariant;
  readonly first: FirstAnswers;
  readonly validity: CaseValidity | null;
  readonly critical: (unit: Unit) => ReadonlySet<string>;
  readonly unit: (utterance: Utterance) => Unit;
  readonly tokens: (text: string, unit: Unit) => readonly string[];
  /** Numbers of the utterances whose similarity of meaning is asked for. */
  readonly similaritySample: ReadonlySet<number>;
}

/** A case whose similarity of meaning is to be asked for. */
export interface SimilarityCase {
  readonly utterance: Utterance;
  readonly reference: string;
  readonly hypothesis: string;
  /** Where the answer is added. */
  readonly cluster: number;
  readonly sums: readonly ClusterSums<Field>[];
}

/** The cases of one language, by `place(recognizer, condition)`. */
export interface LanguageTally {
  /** Primary subtag: `en`. */
  readonly language: string;
  readonly unit: Unit;
  readonly all: readonly ClusterSums<Field>[];
  /** Of the cases that a validity gate keeps; null without one. */
  readonly valid: readonly ClusterSums<Field>[] | null;
  /** By recognizer. */
  readonly identity: readonly ClusterSums<IdentityField>[];
}

/** What was counted in one pass; its size follows recognizers, conditions and speakers. */
export interface Tally {
  readonly clusters: SpeakerClusters;
  /** In the order in which they came. */
  readonly languages: readonly LanguageTally[];
  /** By `joint(first, second, condition)`. */
  readonly joint: readonly ClusterSums<JointField>[];
  /** By `trialPlace`. */
  readonly trials: FailureCounts;
  readonly worst: WorstCaseWatch;
  readonly similarityCases: readonly SimilarityCase[];
  /** By condition: changed clips (once for each recognizer) that the gate did not keep. */
  readonly excluded: Float64Array;
  readonly unrated: Float64Array;
  readonly utterances: number;
  readonly withoutSpeaker: number;
}

/** Puts together what scoring needs. */
export function prepareScoring(known: {
  readonly design: Design;
  readonly options: MetamorphicOptions;
  readonly first: FirstAnswers;
  readonly validity: CaseValidity | null;
  readonly normalizer: Normalizer;
  readonly similaritySample: ReadonlySet<number>;
}): Scoring {
  const { options, normalizer } = known;
  const tokens = (text: string, unit: Unit) => tokensOf(text, unit, normalizer);
  const critical = {
    words: new Set(options.robustness.criticalWords.flatMap((word) => tokens(word, 'words'))),
    characters: new Set(options.robustness.criticalWords.flatMap((word) => tokens(word, 'characters'))),
  };
  return {
    ...known,
    bleu: options.profile === 'sr-mt' ? publishedBleu : soundBleu,
    critical: (unit) => critical[unit],
    unit: ({ language }) => unitOf(language, options.unit),
    tokens,
  };
}

/** Scores the answers as they come. Those about one utterance come one after another. */
export async function tallyAnswers(answers: AsyncIterable<Answer>, scoring: Scoring): Promise<Tally> {
  const { design } = scoring;
  const places = design.recognizers.length * design.conditions.length;
  const many = <Name extends string>(count: number, names: readonly Name[]) =>
    Array.from({ length: count }, () => new ClusterSums(names));
  const languages = new Map<string, LanguageTally>();
  const tally = {
    clusters: createSpeakerClusters(),
    joint: many(design.recognizers.length * places, jointFields),
    trials: new FailureCounts(design.recognizers.length * (design.conditions.length + 1)),
    worst: watchWorstCases(scoring),
    similarityCases: [] as SimilarityCase[],
    excluded: new Float64Array(design.conditions.length),
    unrated: new Float64Array(design.conditions.length),
    utterances: 0,
    withoutSpeaker: 0,
  };
  const languageOf = (utterance: Utterance): LanguageTally => {
    const language = primaryLanguage(utterance.language);
    let known = languages.get(language);
    if (known === undefined) {
      known = {
        language,
        unit: scoring.unit(utterance),
        all: many(places, fields),
        valid: scoring.validity === null ? null : many(places, fields),
        identity: many(design.recognizers.length, identityFields),
      };
      languages.set(language, known);
    }
    return known;
  };
  const leave = (sheet: CaseSheet) => {
    tally.utterances++;
    if (sheet.utterance.speaker === undefined) tally.withoutSpeaker++;
    scoreUtterance(sheet, scoring, languageOf(sheet.utterance), tally);
  };

  const recognizerNumbers = new Map(design.recognizers.map(({ name }, index) => [name, index]));
  const conditionNumbers = new Map(design.conditions.map(({ name }, index) => [name, index]));
  let sheet: CaseSheet | null = null;
  for await (const answer of answers) {
    if (answer.ask !== 'recognition') continue;
    const { utterance, condition, draw, recognizer: name, repeat } = answer.trial;
    if (sheet === null) sheet = createCaseSheet(design, utterance);
    else if (sheet.utterance.id !== utterance.id) {
      leave(sheet);
      sheet.wipe(utterance);
    }
    const recognizer = recognizerNumbers.get(name)!;
    const number = conditionNumbers.get(condition.name) ?? null;
    const { observation } = answer;
    if (number === null) sheet.setClean(recognizer, repeat, observation);
    else sheet.setFollowUp(number, draw, recognizer, observation);
    const place = trialPlace(design, recognizer, number);
    if (observation.failure) tally.trials.addFailure(place, observation.failure.kind);
    else tally.trials.addAnswer(place);
  }
  if (sheet !== null) leave(sheet);
  return { ...tally, languages: [...languages.values()] };
}
