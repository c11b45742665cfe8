import type { Example } from '../../model/finding.ts';
import type { Observation } from '../../model/observation.ts';
import { clean, type Trial } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Answer } from '../contract.ts';
import type { Heard } from '../shared/cube/contract.ts';
import { alignedTranscript, keepBest, worstStretch } from '../shared/examples.ts';
import type { CaseValidity } from '../shared/validity/validity.ts';
import { named } from '../shared/wording.ts';
import type { RelationDesign } from './design.ts';
import { type FirstAnswers, type IdentityControl, identityControl } from './first-answers.ts';
import { expectedTokens, holds, type OutputRelation, primaryLanguage, same, type Unit } from './options.ts';
import type { RelationCube, Scored } from './relation-cube.ts';
import { type BleuVariant, type Case, countsOfCase, type Wrong } from './scoring.ts';

/** What cases are scored by, besides the answers. */
export interface CaseRules {
  readonly design: RelationDesign;
  readonly first: FirstAnswers;
  readonly validity: CaseValidity | null;
  readonly bleu: BleuVariant;
  readonly unitOf: (language: string) => Unit;
  readonly tokens: (text: string, unit: Unit, language: string) => readonly string[];
  /** Words that must not be lost. */
  readonly critical: (unit: Unit) => ReadonlySet<string>;
  /** Numbers of the utterances whose similarity of meaning is asked for. */
  readonly similaritySample: ReadonlySet<number>;
}

/** A case whose similarity of meaning is to be asked for. */
export interface SimilarityCase {
  /** Its place among the recognizers. */
  readonly recognizer: number;
  readonly utterance: Utterance;
  readonly scored: Pick<Scored, 'condition' | 'isKept'>;
  readonly reference: string;
  readonly hypothesis: string;
}

/** What came of the main batch, beside what the cube adds up. */
export interface ReadCases {
  /** By primary subtag (`en`), in the order in which they came. */
  readonly languages: ReadonlyMap<string, Unit>;
  readonly utterances: number;
  readonly withoutSpeaker: number;
  /** Clips that are recognized alike every time first, by the share of words that changed. */
  readonly worst: readonly Example[];
  readonly similarityCases: readonly SimilarityCase[];
}

/** One recognition of the clean clip in hand. */
interface Recognition {
  readonly observation: Heard['observation'];
  readonly tokens: readonly string[];
}

/** A recognizer whose declaration held on the sample is believed for the other clips. */
const asDeclared: IdentityControl = { recognitions: 1, differing: 0, steady: true };

/** Texts longer than this are cut before their meanings are compared: no model reads so much. */
const maxCharacters = 10_000;

/** Scores the answers as they come into the cube. Those about one utterance come one after another, clean clips first. */
export async function readCases(
  answers: AsyncIterable<Answer>,
  cube: RelationCube,
  rules: CaseRules,
): Promise<ReadCases> {
  const { design } = rules;
  const numbers = new Map(design.recognizers.map(({ name }, number) => [name, number]));
  const places = new Map(design.conditions.map(({ name }, place) => [name, place]));
  const languages = new Map<string, Unit>();
  const similarityCases: SimilarityCase[] = [];
  const worst = keepBest<Example>(20);
  let [utterances, withoutSpeaker] = [0, 0];
  let current = '';
  /** By recognizer. */
  let recognitions: Recognition[][] = [];
  let controls: readonly (IdentityControl | null)[] | null = null;

  const meet = ({ utterance, condition }: Trial) => {
    if (utterances === 0 || utterance.id !== current) {
      current = utterance.id;
      utterances++;
      if (utterance.speaker === undefined) withoutSpeaker++;
      languages.set(primaryLanguage(utterance.language), rules.unitOf(utterance.language));
      recognitions = design.recognizers.map(() => []);
      controls = null;
    }
    // The first changed clip: all recognitions of the clean one are there.
    if (condition.name !== clean.name) controls ??= control(utterance);
  };

  const control = (utterance: Utterance) => {
    const found = recognitions.map((own) => identityControl(own.flatMap(({ tokens }) => [tokens])));
    const facts = found.map((one): Scored | null => {
      if (one === null) return null;
      const { recognitions: count, differing, steady } = one;
      const unsteadyClips = Number(!steady);
      return { condition: clean.name, isKept: false, clips: 1, recognitions: count, differing, unsteadyClips };
    });
    cube.add(utterance, facts, 'beside');
    const isBelieved = (number: number) =>
      design.recognitions > 1 && design.checked[number]?.has(utterances - 1) === false;
    return found.map((one, number) => (isBelieved(number) ? asDeclared : one));
  };

  const score = ({ trial, observation }: Heard): Scored | null => {
    const { utterance, condition, draw, recognizer } = trial;
    const { language, reference } = utterance;
    const number = numbers.get(recognizer)!;
    const unit = rules.unitOf(language);
    const heard = rules.tokens(observation.transcript.text, unit, language);
    const place = places.get(condition.name);
    if (place === undefined) {
      recognitions[number]![trial.repeat] = { observation, tokens: heard };
      return null;
    }
    const { output } = design.relations[design.relationOf[place]!]!;
    const source = recognitions[number]![design.source(place, number)];
    const appended = appendedTokens(output, number, unit, rules);
    if (source === undefined || appended === undefined) return null;
    const expected = expectedTokens(output, source.tokens, appended.heard);
    const said =
      reference === undefined || appended.said === undefined
        ? null
        : expectedTokens(output, rules.tokens(reference, unit, language), appended.said);
    const found: Case = {
      expected,
      followUp: heard,
      isViolated: !holds(output, expected, heard),
      control: controls?.[number] ?? null,
      wrong: said === null ? null : whoIsWrong(expected, said, heard, output),
    };
    const judgement = rules.validity?.judge(utterance, condition, draw) ?? 'kept';
    const counts = countsOfCase(found, rules.bleu, rules.critical(unit));
    const scored = { condition: condition.name, isKept: rules.validity !== null && judgement === 'kept' };
    if (found.isViolated) {
      const share = Math.min(1, counts.edits / Math.max(1, expected.length));
      const steady = found.control?.steady === false ? 0 : 1;
      // Of equals the first recognizer's of the first utterance, whose answers come one after another by condition.
      const rank = [steady, share, Math.min(counts.edits, 1000), -utterances, -number];
      if (worst.wants(rank)) worst.offer(rank, exampleOf({ trial, observation }, source.observation, found));
    }
    if (rules.similaritySample.has(utterances - 1)) {
      const wanted = expectedText(output, source.observation.transcript.text, number, rules);
      const hypothesis = observation.transcript.text.slice(0, maxCharacters);
      similarityCases.push({ recognizer: number, utterance, scored, reference: wanted, hypothesis });
    }
    const gate = { excluded: Number(judgement === 'excluded'), unrated: Number(judgement === 'unrated') };
    return { ...scored, ...counts, ...gate, heard };
  };

  await cube.fill(answers, score, meet);
  return { languages, utterances, withoutSpeaker, worst: worst.items(), similarityCases };
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

/**
 * The tokens that a relation appends, as the recognizer heard them and as they were said; null where it appends none.
 * Undefined where they are not known.
 */
function appendedTokens(
  output: OutputRelation,
  recognizer: number,
  unit: Unit,
  { first, tokens }: CaseRules,
): { heard: readonly string[] | null; said: readonly string[] | null | undefined } | undefined {
  if (typeof output === 'string' || !('followedBy' in output)) return { heard: null, said: null };
  const text = first.appendedText(output.followedBy, recognizer);
  const appended = first.appendedUtterance(output.followedBy);
  if (text === null || appended === undefined) return undefined;
  const { language, reference } = appended;
  return {
    heard: tokens(text, unit, language),
    said: reference === undefined ? undefined : tokens(reference, unit, language),
  };
}

/** The text that the transcript of the changed clip should mean. */
function expectedText(output: OutputRelation, source: string, recognizer: number, { first }: CaseRules): string {
  const text = source.slice(0, maxCharacters);
  if (typeof output === 'string') return text;
  const whole =
    'repeated' in output
      ? Array.from({ length: output.repeated }, () => text).join(' ')
      : `${text} ${first.appendedText(output.followedBy, recognizer)}`;
  return whole.slice(0, maxCharacters);
}

function exampleOf(
  { trial, observation }: Heard,
  source: Observation,
  { expected, followUp, control, wrong }: Case,
): Example {
  const { id, speaker } = trial.utterance;
  const name = named(trial.recognizer);
  const row = (label: string, of: Observation, tokens: readonly string[]) =>
    alignedTranscript(label, expected, of, () => [...tokens]);
  const changed = row(`${name}, ${named(trial.condition.name)}`, observation, followUp);
  const startSeconds = worstStretch(changed.aligned ?? [], source.soundSeconds);
  const notes = [
    changed.note,
    wrong === null ? undefined : wrongInWords[wrong],
    control === null || control.recognitions < 2
      ? undefined
      : control.steady
        ? `${control.recognitions} recognitions of the clean clip agree`
        : 'recognitions of the clean clip differ by themselves',
  ].filter((note) => note !== undefined);
  return {
    title: `${named(id)}${speaker === undefined ? '' : `, speaker ${named(speaker)}`}: ${name}`,
    utteranceId: id,
    conditionName: trial.condition.name,
    draw: trial.draw,
    transcripts: [
      row(`${name}, expected from the clean clip`, source, expected),
      notes.length === 0 ? changed : { ...changed, note: notes.join('; ') },
    ],
    ...(startSeconds === undefined ? {} : { startSeconds }),
  };
}

const wrongInWords = {
  source: 'by the reference, the clean clip was misrecognized and the changed one was not',
  'follow-up': 'by the reference, the changed clip was misrecognized',
  both: 'by the reference, both were misrecognized, in different ways',
  neither: 'by the reference, neither was misrecognized',
} as const;
