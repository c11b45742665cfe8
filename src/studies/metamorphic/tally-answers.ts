import type { Utterance } from '../../model/utterance.ts';
import type { Answer } from '../contract.ts';
import { FailureCounts } from '../shared/failures.ts';
import { createSpeakerClusters } from '../shared/speaker-clusters.ts';
import { type CaseSheet, createCaseSheet } from './case-sheet.ts';
import { ClusterSums, fields, identityFields, jointFields } from './cluster-sums.ts';
import { trialPlace } from './places.ts';
import { scoreUtterance } from './score-utterance.ts';
import type { Scoring } from './scoring.ts';
import type { LanguageTally, SimilarityCase, Tally } from './tally.ts';
import { primaryLanguage } from './tokens.ts';
import { watchWorstCases } from './worst-cases.ts';

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
