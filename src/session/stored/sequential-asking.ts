import { badInput, EarwitnessError } from '../../base/errors.ts';
import { asJson, canonicalJson, type Json, type JsonObject } from '../../base/json.ts';
import type { Schema } from '../../base/schema.ts';
import { sha256Digits } from '../../base/sha256.ts';
import { counted } from '../../base/wording.ts';
import { type Baseline, questionOf, readBaseline } from '../../compare/gate/baseline.ts';
import { checkLimits } from '../../compare/gate/check-limits.ts';
import { attributesOf, isSampled } from '../../compare/gate/limits.ts';
import {
  decideAtLook,
  isCertain,
  type Look,
  type LookedCheck,
  looksMethod,
  orderSpeakers,
  planLooks,
  speakerOf,
} from '../../compare/gate/looks.ts';
import { createTrialTally, type GateTrial } from '../../compare/gate/tally-trials.ts';
import type { RunSetup } from '../../engine/setup.ts';
import type { Finding } from '../../model/finding.ts';
import type { GateOptions } from '../../model/gate.ts';
import type { Utterance } from '../../model/utterance.ts';
import { checkName } from '../../report/gate/render-gate.ts';
import { type Normalizer, normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Batch, Question, Study, StudyContext } from '../../studies/contract.ts';
import { column, tableOf } from '../../studies/shared/tables.ts';

import { checkNames } from './gate-names.ts';
import { normalizerOfStudies } from './study-counting.ts';

/** The name of the study that asks until the verdict is certain. */
export const sequentialAskingName = 'sequential-asking';
/** Raised when the same answers are judged otherwise: verdicts of before are not taken then. */
const version = 3;

/** A study of the run, as the plan has it. */
export interface AskedStudy {
  readonly name: string;
  readonly options: Json;
  readonly module: { readonly path: string; readonly hash: string } | null;
}

interface Options {
  readonly gate: GateOptions & { readonly askUntil: 'verdict' | 'limits' };
  readonly studies: readonly AskedStudy[];
}

/** What the finding has in its settings: what was decided while the run went on, and by what. */
export interface SequentialAsking {
  /** Of limits, baseline and normalizer: a gate takes these verdicts only where all are its own. */
  readonly judgedBy: string;
  readonly askUntil: 'verdict' | 'limits';
  readonly method: string;
  readonly seed: number;
  /** Whose groups are balanced in the order of the speakers. */
  readonly attributes: readonly string[];
  readonly looks: readonly {
    readonly number: number;
    readonly speakers: number;
    readonly recognitions: number;
  }[];
  readonly looksPlanned: number;
  readonly speakers: { readonly asked: number; readonly of: number };
  readonly utterances: { readonly asked: number; readonly of: number };
  readonly recognitions: number;
  /** `no baseline`: nothing could be judged, and everything was asked. */
  readonly why: 'verdict' | 'limits' | 'everything asked' | 'no baseline';
  /** As they stood when asking stopped; empty where nothing could be judged. */
  readonly checks: readonly LookedCheck[];
}

/** Its options come from the config's gate and studies, which were checked. */
const options: Schema<Options> = {
  parse: (data) => data as Options,
  safeParse: (data) => ({ success: true, data: data as Options }),
};

/**
 * A study that asks what the other studies of a run ask first, speaker by speaker in looks, judges the limits of the gate after each, and stops as soon as they are
 * certain. Being a study, it is journaled as one: what goes on after a kill decides the same, and a bundle can be verified.
 *
 * @param load finds a study of the run
 */
export function sequentialAsking(load: (study: AskedStudy) => Promise<Study<unknown>>): Study<Options> {
  return {
    name: sequentialAskingName,
    version,
    about: 'Asks until the verdict of the gate is certain',
    options,
    async *run({ gate, studies }, context) {
      const normalizer = await normalizerOfStudies(studies, context);
      const baseline = await baselineFor(gate, context);
      const attributes = attributesOf(gate.limits);
      const tally = createTrialTally(
        (text, language) => normalizer.words(text, language),
        attributes,
        baseline?.read.trials ?? null,
      );
      const said = new Map<string, number>();
      const order = await orderOf(context, attributes, context.seed, (utterance) => {
        said.set(speakerOf(utterance), (said.get(speakerOf(utterance)) ?? 0) + 1);
        tally.expect(utterance);
      });
      const saidBy = (asked: Iterable<string>) => [...asked].reduce((sum, speaker) => sum + said.get(speaker)!, 0);
      const planned = planLooks(order.length, gate.minimumSpeakers);
      const canJudge = baseline !== null || gate.limits.every(({ worseBy }) => worseBy === undefined);
      const loaded = await Promise.all(
        studies.map(async (one) => {
          const study = await load(one);
          return { study, options: study.options.parse(one.options) };
        }),
      );
      const looks: { number: number; speakers: number; recognitions: number }[] = [];
      let checks: readonly LookedCheck[] = [];
      let isSure = false;
      for (const look of canJudge ? planned : planned.slice(-1)) {
        const until = new Set(order.slice(0, look.speakers));
        const fresh = new Set(order.slice(looks.at(-1)?.speakers ?? 0, look.speakers));
        const about = `look ${look.number} of ${look.of}, ${counted(look.speakers, 'speaker')} of ${order.length}`;
        const restricted = only(context, until, saidBy(until));
        const batch: Batch = { about, size: null, questions: () => firstQuestions(loaded, restricted, fresh) };
        const trials = new Map<string, Map<string, GateTrial>>();
        for await (const answer of yield batch) {
          if (answer.ask !== 'recognition') continue;
          const { utterance, condition, draw, repeat, recognizer } = answer.trial;
          const steps = canonicalJson(condition.steps as unknown as Json);
          const about = { conditionName: condition.name, steps, draw, repeat, recognizer };
          const own = trials.get(utterance.id) ?? new Map<string, GateTrial>();
          trials.set(utterance.id, own);
          const key = questionOf({ ...about, condition: condition.name, utterance: utterance.id });
          own.set(key, { utterance, ...about, observation: answer.observation });
        }
        let recognitions = 0;
        for (const own of trials.values()) {
          for (const trial of own.values()) tally.add(trial);
          for (const { observation } of own.values()) if (observation.failure?.kind !== 'inapplicable') recognitions++;
        }
        looks.push({ number: look.number, speakers: look.speakers, recognitions });
        if (!canJudge) break;
        const known = tally.tally();
        if (look.number === 1) checkNames(gate.limits, known, 'this run');
        checks = decideAtLook(checks, judge(gate, known, context.seed, look), look);
        isSure = isCertain(checks, gate.askUntil);
        if (isSure) break;
      }
      const asked = order.slice(0, looks.at(-1)?.speakers ?? 0);
      return findingOf({
        judgedBy: judgedBy(gate, baseline?.text ?? null, normalizer),
        askUntil: gate.askUntil,
        method: looksMethod,
        ...{ seed: context.seed, attributes, looks, looksPlanned: planned.length },
        speakers: { asked: asked.length, of: order.length },
        utterances: { asked: saidBy(asked), of: context.utteranceCount },
        recognitions: looks.reduce((sum, one) => sum + one.recognitions, 0),
        why: !canJudge ? 'no baseline' : isSure ? gate.askUntil : 'everything asked',
        checks,
      });
    },
  };
}

/** The speakers of a run in the order in which they are asked. */
async function orderOf(
  { utterances }: Pick<StudyContext, 'utterances'>,
  attributes: readonly string[],
  seed: number,
  met: (utterance: Utterance) => void = () => {},
): Promise<string[]> {
  const speakers = new Map<string, Utterance>();
  for await (const utterance of utterances()) {
    if (!speakers.has(speakerOf(utterance))) speakers.set(speakerOf(utterance), utterance);
    met(utterance);
  }
  return orderSpeakers(speakers.values(), attributes, seed);
}

function judge(gate: GateOptions, tally: Parameters<typeof checkLimits>[1], seed: number, look: Look) {
  const { level, minimumSpeakers } = gate;
  return checkLimits(gate.limits, tally, [], { level, minimumSpeakers, seed, look });
}

/** What a gate is judged by, as a hash: other limits are other verdicts. */
export function judgedBy(gate: GateOptions, baseline: string | null, normalizer: Normalizer): string {
  const { level, minimumSpeakers, limits } = gate;
  const all = { version, level, minimumSpeakers, limits, baseline, normalizer: normalizerIdentity(normalizer) };
  const text = canonicalJson(JSON.parse(JSON.stringify(all)) as Json);
  return sha256Digits(new TextEncoder().encode(text));
}

/** Null: there is none yet, or no limit needs one. */
async function baselineFor({ baseline, limits }: GateOptions, { readText }: StudyContext) {
  if (baseline === undefined || limits.every(({ worseBy }) => worseBy === undefined)) return null;
  let text: string;
  try {
    text = await readText!(baseline);
  } catch (error) {
    if (error instanceof EarwitnessError) return null;
    throw error;
  }
  return { text, read: readBaseline(text, baseline) satisfies Baseline };
}

/** The study of silence asks about audio in which no word can be right: it takes no part in limits on words. */
const apart = 'hallucination';

/** What studies ask first of these speakers, each recognition of those who were not asked before. */
async function* firstQuestions(
  studies: readonly { readonly study: Study<unknown>; readonly options: unknown }[],
  context: StudyContext,
  fresh: ReadonlySet<string>,
): AsyncGenerator<Question> {
  for (const { study, options } of studies) {
    if (study.name === apart) continue;
    const asking = study.run(options, { ...context, findings: [] });
    const { value: batch, done } = await asking.next();
    if (done) continue;
    for await (const question of batch.questions()) {
      if (question.ask !== 'recognition' || question.trial.utterance.made !== undefined) continue;
      if (fresh.has(speakerOf(question.trial.utterance))) yield question;
    }
    await asking.return(undefined as never);
  }
}

/** A context with the utterances of some speakers alone. */
function only(context: StudyContext, speakers: ReadonlySet<string>, utteranceCount: number): StudyContext {
  return {
    ...context,
    utteranceCount,
    async *utterances() {
      for await (const utterance of context.utterances()) if (speakers.has(speakerOf(utterance))) yield utterance;
    },
  };
}

type RunStudies = RunSetup['studies'];

/** The studies of a run that asks until its gate is certain: first the one that asks, then the others, of whom was asked. */
export function askedUntilCertain(gate: GateOptions, studies: RunStudies): RunStudies {
  const planned = studies.map(({ study, options, module }) => ({
    asked: { name: study.name, options: JSON.parse(JSON.stringify(options)) as Json, module: module ?? null },
    study,
  }));
  const load = async (wanted: AskedStudy) => planned.find(({ asked }) => asked === wanted)!.study;
  const asking = sequentialAsking(load);
  return [
    { study: asking as Study<unknown>, options: { gate, studies: planned.map(({ asked }) => asked) } },
    ...studies.map((one) => ({ ...one, study: amongAsked(one.study) })),
  ];
}

/** What `sequentialAsking` concluded; null where a run asked everything at once. */
export function askingOf(findings: readonly Finding[]): SequentialAsking | null {
  const found = findings.find(({ study }) => study.name === sequentialAskingName);
  return found === undefined ? null : (found.settings as unknown as SequentialAsking);
}

/**
 * Sees to it that a run is not one that stopped early.
 *
 * @param what needs all of it
 * @throws EarwitnessError `bad-input` where it is
 */
export function requireWhole(findings: readonly Finding[], what: string): void {
  const asking = askingOf(findings);
  if (asking === null || asking.speakers.asked === asking.speakers.of) return;
  const { asked, of } = asking.speakers;
  throw badInput(
    `expected a run that asked everything, but this one asked ${asked} of ${of} speakers, and ${what}; run without gate.askUntil: answers that are there are not asked again`,
  );
}

/** The same study, of the speakers that were asked: it asks nothing of the others. */
export function amongAsked<Own>(study: Study<Own>): Study<Own> {
  return {
    ...study,
    async *run(own, context) {
      const asking = askingOf(context.findings ?? []);
      if (asking === null || asking.speakers.asked === asking.speakers.of) return yield* study.run(own, context);
      const order = await orderOf(context, asking.attributes, asking.seed);
      const asked = new Set(order.slice(0, asking.speakers.asked));
      return yield* study.run(own, only(context, asked, asking.utterances.asked));
    },
  };
}

/** `60 of 200 speakers (600 of 2,000 utterances) were asked: the verdict was certain after look 3 of 10.` */
export function askedInWords({ speakers, utterances, why, looks, looksPlanned }: SequentialAsking): string {
  const amount = (value: number) => value.toLocaleString('en-US');
  const asked = `${amount(speakers.asked)} of ${amount(speakers.of)} speakers (${amount(utterances.asked)} of ${amount(utterances.of)} utterances) were asked`;
  const after = `after look ${looks.at(-1)?.number ?? 0} of ${looksPlanned}`;
  if (why === 'no baseline') return `${asked}: there was no baseline to judge by.`;
  if (why === 'everything asked') return `${asked}, in ${looksPlanned} looks: until the end a limit was not certain.`;
  return `${asked}: the verdict ${why === 'limits' ? 'of every limit ' : ''}was certain ${after}.`;
}

function findingOf(asking: SequentialAsking): Finding {
  const { speakers, utterances, looks, checks, method } = asking;
  const left = { speakers: speakers.of - speakers.asked, utterances: utterances.of - utterances.asked };
  return {
    study: { name: sequentialAskingName, version: 3 },
    title: 'How much was asked',
    settings: asJson(asking) as JsonObject,
    answer: [{ text: askedInWords(asking), headline: true }],
    sections: [
      {
        id: 'looks',
        title: 'Looks',
        text: [
          `Whole speakers in an order fixed by the seed; after each look the limits of the gate are judged (${method}).`,
          ...(left.utterances === 0
            ? []
            : [`Not asked: ${counted(left.utterances, 'utterance')} of ${counted(left.speakers, 'speaker')}.`]),
        ],
        tables: [
          tableOf('looks', 'What was asked', looks, [
            column('look', 'Look', 'count', ({ number }) => number),
            { key: 'speakers', label: 'Speakers until then', kind: 'count' },
            { key: 'recognitions', label: 'Recognitions at this look', kind: 'count' },
          ]),
          tableOf('decided', 'When limits were certain', checks.filter(isSampled), [
            column('limit', 'Limit on', 'text', checkName),
            column('look', 'Look', 'count', ({ decidedAtLook }) => decidedAtLook),
          ]),
        ],
      },
    ],
    warnings:
      left.utterances === 0
        ? []
        : [
            'What follows is of the speakers that were asked: their number was decided by what they gave, so that intervals of other studies are a little too short.',
          ],
  };
}
