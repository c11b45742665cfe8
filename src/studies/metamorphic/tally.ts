import type { Observation } from '../../model/observation.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Answer } from '../contract.ts';
import { FailureCounts } from '../shared/failures.ts';
import { createSpeakerClusters, type SpeakerClusters } from '../shared/speaker-clusters.ts';
import type { Judgement } from '../shared/validity/validity.ts';
import {
  ClusterSums,
  type Field,
  fields,
  type IdentityField,
  identityFields,
  type JointField,
  jointFields,
  jointPlace,
  placeOf,
  trialPlace,
} from './cluster-sums.ts';
import { type Design, recognitionsOf } from './design.ts';
import { type IdentityControl, identityControl } from './first-answers.ts';
import { expectedTokens, holds, type OutputRelation, primaryLanguage, same, type Unit } from './options.ts';
import { addCase, type Scoring, type Wrong } from './scoring.ts';
import { type CaseSheet, createCaseSheet, type WorstCaseWatch, watchWorstCases } from './worst-cases.ts';

/** A recognizer whose declaration held on the sample is believed for the other clips. */
const asDeclared: IdentityControl = { recognitions: 1, differing: 0, steady: true };

type Counted = Pick<Tally, 'clusters' | 'joint' | 'worst' | 'excluded' | 'unrated'> & {
  judged: number;
  readonly similarityCases: Tally['similarityCases'][number][];
};

/** Scores every case of an utterance and adds it up. */
function scoreUtterance(sheet: CaseSheet, scoring: Scoring, language: LanguageTally, tally: Counted): void {
  const { design } = scoring;
  const { utterance } = sheet;
  const cluster = tally.clusters.clusterOf(utterance);
  const unit = scoring.unit(utterance);
  const tokensOfAnswer = (observation: Observation | undefined): readonly string[] | null =>
    observation?.transcript === undefined
      ? null
      : scoring.tokens(observation.transcript.text, unit, utterance.language);
  const reference =
    utterance.reference === undefined ? null : scoring.tokens(utterance.reference, unit, utterance.language);
  const violated: Violated = [];

  for (let recognizer = 0; recognizer < design.recognizers.length; recognizer++) {
    const clean = Array.from({ length: recognitionsOf(design, recognizer, sheet.number) }, (_, repeat) =>
      tokensOfAnswer(sheet.clean(recognizer, repeat)),
    );
    const checked = identityControl(clean.filter((tokens) => tokens !== null));
    addIdentity(language.identity[recognizer]!, cluster, checked);
    const believed = design.recognitions > 1 && design.checked[recognizer]?.has(sheet.number) === false;
    const control = believed ? asDeclared : checked;
    for (let condition = 0; condition < design.conditions.length; condition++) {
      const { output } = design.relations[design.relationOf[condition]!]!;
      const source = clean[design.source(condition, recognizer)] ?? null;
      const appended = appendedTokens(output, recognizer, unit, scoring);
      if (source === null || appended === undefined) continue;
      const expected = expectedTokens(output, source, appended.heard);
      const said =
        reference === null || appended.said === undefined ? null : expectedTokens(output, reference, appended.said);
      const place = placeOf(design, recognizer, condition);
      let first = true;
      for (let draw = 0; draw < design.draws(condition, recognizer); draw++) {
        const observation = sheet.followUp(condition, draw, recognizer);
        const followUp = tokensOfAnswer(observation);
        if (followUp === null) continue;
        const judgement: Judgement = scoring.validity?.judge(utterance, design.conditions[condition]!, draw) ?? 'kept';
        tally.judged++;
        if (judgement === 'excluded') tally.excluded[condition]!++;
        if (judgement === 'unrated') tally.unrated[condition]!++;
        const sums = [language.all[place]!];
        if (language.valid !== null && judgement === 'kept') sums.push(language.valid[place]!);
        const isViolated = !holds(output, expected, followUp);
        const wrong = said === null ? null : whoIsWrong(expected, said, followUp, output);
        const found = addCase(
          sums,
          { cluster, expected, followUp, control, wrong, isViolated, first },
          { bleu: scoring.bleu, critical: scoring.critical(unit) },
        );
        first = false;
        violated[violatedPlace(design, condition, draw, recognizer)] = isViolated;
        if (isViolated) {
          tally.worst.see(sheet, { recognizer, condition, draw, expected, followUp, edits: found, control, wrong });
        }
        if (scoring.similaritySample.has(sheet.number)) {
          tally.similarityCases.push({
            utterance,
            reference: expectedText(
              output,
              sheet.clean(recognizer, design.source(condition, recognizer))!,
              recognizer,
              scoring,
            ),
            hypothesis: observation!.transcript!.text.slice(0, maxCharacters),
            cluster,
            sums,
          });
        }
      }
    }
  }
  addJoint(violated, cluster, design, tally.joint);
}

function addIdentity(sums: LanguageTally['identity'][number], cluster: number, control: IdentityControl | null): void {
  if (control === null) return;
  sums.add(cluster, 'utterances', 1);
  sums.add(cluster, 'recognitions', control.recognitions);
  sums.add(cluster, 'differing', control.differing);
  sums.add(cluster, 'unsteady', control.steady ? 0 : 1);
}

/** @param said what should have been heard in the changed clip, by the references */
function whoIsWrong(
  expected: readonly string[],
  said: readonly string[],
  followUp: readonly string[],
  output: OutputRelation,
): Wrong {
  const followUpRight = holds(output, said, followUp);
  if (same(said, expected)) return followUpRight ? 'neither' : 'follow-up';
  return followUpRight ? 'source' : 'both';
}

/** Whether the cases of an utterance were answered, and violated: by condition, draw and recognizer. */
type Violated = (boolean | null)[];

/** Where a case stands among them. */
function violatedPlace({ maxDraws, recognizers }: Design, condition: number, draw: number, recognizer: number) {
  return (condition * maxDraws + draw) * recognizers.length + recognizer;
}

/** Adds the cases of an utterance that two recognizers both answered, pair by pair. */
function addJoint(violated: Violated, cluster: number, design: Design, joint: Tally['joint']): void {
  const recognizers = design.recognizers.length;
  for (let condition = 0; condition < design.conditions.length; condition++) {
    for (let first = 0; first < recognizers; first++) {
      for (let second = first + 1; second < recognizers; second++) {
        const sums = joint[jointPlace(design, first, second, condition)]!;
        let pairs = 0;
        for (let draw = 0; draw < design.maxDraws; draw++) {
          const one = violated[violatedPlace(design, condition, draw, first)];
          const other = violated[violatedPlace(design, condition, draw, second)];
          if (one == null || other == null) continue;
          pairs++;
          sums.add(cluster, 'firstViolations', Number(one));
          sums.add(cluster, 'secondViolations', Number(other));
        }
        sums.add(cluster, 'pairs', pairs);
        sums.add(cluster, 'utterances', Math.min(1, pairs));
      }
    }
  }
}

/** Texts longer than this are cut before their meanings are compared: no model reads so much. */
const maxCharacters = 10_000;

/**
 * The tokens that a relation appends, as the recognizer heard them and as they were said; null where it appends none.
 * Undefined where they are not known.
 */
function appendedTokens(
  output: OutputRelation,
  recognizer: number,
  unit: Unit,
  scoring: Scoring,
): { heard: readonly string[] | null; said: readonly string[] | null | undefined } | undefined {
  if (typeof output === 'string' || !('followedBy' in output)) return { heard: null, said: null };
  const text = scoring.first.appendedText(output.followedBy, recognizer);
  if (text === null) return undefined;
  const { language, reference } = scoring.first.appendedUtterance(output.followedBy) ?? {};
  const tokens = (of: string) => scoring.tokens(of, unit, language);
  return { heard: tokens(text), said: reference === undefined ? undefined : tokens(reference) };
}

/** The text that the transcript of the changed clip should mean. */
function expectedText(output: OutputRelation, source: Observation, recognizer: number, { first }: Scoring): string {
  const text = source.transcript!.text.slice(0, maxCharacters);
  if (typeof output === 'string') return text;
  const whole =
    'repeated' in output
      ? Array.from({ length: output.repeated }, () => text).join(' ')
      : `${text} ${first.appendedText(output.followedBy, recognizer)}`;
  return whole.slice(0, maxCharacters);
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
  /** Changed clips, once for each recognizer. */
  readonly judged: number;
  /** By condition: those of them that the gate did not keep. */
  readonly excluded: Float64Array;
  readonly unrated: Float64Array;
  readonly utterances: number;
  readonly withoutSpeaker: number;
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
    judged: 0,
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
