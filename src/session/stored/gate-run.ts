import { isoTime } from '../../base/clock.ts';
import { badConfig, badInput } from '../../base/errors.ts';
import { canonicalJson, type Json, type JsonObject } from '../../base/json.ts';
import { counted } from '../../base/wording.ts';
import { type Baseline, readBaseline } from '../../compare/gate/baseline.ts';
import { checkLimits } from '../../compare/gate/check-limits.ts';
import type { StudiedNumber } from '../../compare/gate/judge-fact.ts';
import { attributesOf, isSampled, isSampledLimit } from '../../compare/gate/limits.ts';
import type { LookedCheck } from '../../compare/gate/looks.ts';
import { type GateTally, type GateTrial, tallyTrials } from '../../compare/gate/tally-trials.ts';
import { byVerdict, worstVerdict } from '../../compare/gate/verdicts.ts';
import type { Finding } from '../../model/finding.ts';
import { estimateAt, rowsOf, textAt } from '../../model/finding-rows.ts';
import type { GateCheck, GateLimit, GateOptions, GateResult } from '../../model/gate.ts';
import type { Observation } from '../../model/observation.ts';
import { conditionsInWords } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import { byLanguage } from '../../scoring/normalizers/by-language.ts';
import { type Normalizer, normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { RunReader, RunRecord } from '../../store/contract.ts';
import { named } from '../../studies/shared/wording.ts';
import type { Config } from '../config/config.ts';
import { defaultMaxShare } from '../config/frame.ts';
import { packageVersion } from '../version.ts';
import { checkNames } from './gate-names.ts';
import { askedInWords, askingOf, judgedBy, type SequentialAsking } from './sequential-asking.ts';
import { type CountedAgain, leftOutOfCounts } from './study-counting.ts';
import { changedValues, optionsOf } from './what-changed.ts';

/** What a gate reads of a store. */
export type GateStore = Pick<RunReader, 'trials' | 'conditions' | 'findings'>;

/**
 * Counts the trials of a run, as its gate and its baseline need them.
 *
 * @param baseline null: there is none
 */
export function countTrials(
  store: GateStore,
  run: RunRecord,
  normalizer: Normalizer,
  groupBy: readonly string[],
  baseline: Baseline | null,
  onUtterance: (utterance: Utterance) => void = () => {},
): Promise<GateTally> {
  return tallyTrials(
    trialsOf(store, run, onUtterance),
    (text, language) => normalizer.words(text, language),
    groupBy,
    baseline?.trials ?? null,
  );
}

/**
 * The trials of a run, counted for the limits of a gate, with the utterances that they are about.
 *
 * @throws EarwitnessError `bad-config` for limits of recognizers, conditions or groups that the run does not have
 */
export async function countGate(
  store: GateStore,
  run: RunRecord,
  options: GateOptions,
  normalizer: Normalizer,
): Promise<{ readonly tally: GateTally; readonly utterances: ReadonlyMap<string, Utterance> }> {
  const utterances = new Map<string, Utterance>();
  const note = (utterance: Utterance) => utterances.set(utterance.id, utterance);
  const tally = await countTrials(store, run, normalizer, attributesOf(options.limits), null, note);
  checkNames(options.limits, tally, `run ${run.id}`);
  return { tally, utterances };
}

/**
 * In no rate of words are trials that another study asked beside, those that studies made of their own, which were chosen by how a recognizer
 * failed, and those in which no speech is left: no word is right there, and what the reference says is not to be heard.
 */
function* trialsOf(
  store: GateStore,
  run: RunRecord,
  onUtterance: (utterance: Utterance) => void,
): Generator<GateTrial> {
  const isLeftOut = leftOutOfCounts(run, store.findings(run.id) ?? []);
  const steps = new Map(
    store.conditions(run.id).map(({ name, steps: own }) => [name, canonicalJson(own as unknown as Json)]),
  );
  const { recognizers: prices = {} } = (run.config.config ?? {}) as Partial<Pick<Config, 'recognizers'>>;
  for (const trial of store.trials(run.id)) {
    const isBeside = isLeftOut(trial);
    if (!isBeside) onUtterance(trial.utterance);
    const { recognizer: place, ...rest } = trial;
    const recognizer = run.recognizers[place]!.name;
    const price = priceOf(trial.observation, prices[recognizer]?.pricePerMinute?.amount);
    const known = price === null ? {} : { price };
    yield { ...rest, ...known, recognizer, steps: steps.get(trial.conditionName) ?? '', isBeside };
  }
}

/** What its answer told, else by the minute. */
function priceOf({ transcript, soundSeconds }: Observation, perMinute: number | undefined): number | null {
  if (transcript?.price !== undefined) return transcript.price.amount;
  return perMinute === undefined || soundSeconds === null ? null : (perMinute * soundSeconds) / 60;
}

/** The baseline that a run is. */
export function baselineOf(name: string, run: RunRecord, normalizer: Normalizer, tally: GateTally): Baseline {
  const { name: normalizerName, version } = normalizer;
  return {
    ...{ name, run: run.id, earwitness: packageVersion(), trials: tally.trials },
    normalizer: { name: normalizerName, version },
    recognizers: run.recognizers.map(({ name: own, identity }) => ({
      name: own,
      identity: identity as unknown as JsonObject,
    })),
  };
}

/**
 * Holds a run against the limits of a config.
 *
 * @param baselineText of the file that the options name, with the name to show; null: they name none
 * @throws EarwitnessError `bad-config` for limits of recognizers, conditions or groups that the run does not have; `bad-input` for a
 * baseline that is damaged, counted by another normalizer, or of nothing that was asked here
 */
export async function gateRun(
  store: GateStore,
  run: RunRecord,
  options: GateOptions,
  { words: normalizer, told, isOther, resamples }: Pick<CountedAgain, 'words' | 'told' | 'isOther' | 'resamples'>,
  baselineText: { readonly text: string; readonly shown: string } | null,
): Promise<GateResult> {
  const baseline = baselineText === null ? null : readBaseline(baselineText.text, baselineText.shown);
  if (baseline === null && options.limits.some(({ worseBy }) => worseBy !== undefined)) {
    throw badConfig(
      'expected gate.baseline beside limits with worseBy, but there is none; write one with `earwitness baseline FILE` and name it',
    );
  }
  const identity = normalizerIdentity(normalizer);
  if (
    baseline !== null &&
    (baseline.normalizer.name !== normalizer.name || baseline.normalizer.version !== normalizer.version)
  ) {
    const words = ({ name, version }: { readonly name: string; readonly version: number }) => `${name} ${version}`;
    throw badInput(
      `${baselineText!.shown}: expected errors counted with the normalizer ${words(normalizer)}, but got ${words(baseline.normalizer)}${baseline.normalizer.name === byLanguage.name ? ', which counted otherwise; write' : '; name it with --normalizer, or write'} the baseline anew: earwitness baseline`,
    );
  }
  const findings = store.findings(run.id) ?? [];
  const asking = askingOf(findings);
  if (
    asking !== null &&
    asking.why !== 'no baseline' &&
    asking.judgedBy !== judgedBy(options, baselineText?.text ?? null, normalizer)
  ) {
    throw badInput(
      `expected the limits, baseline and normalizer by which run ${run.id} was asked until its verdict was certain, but these are others; ask again: earwitness run --new`,
    );
  }
  const tally = await countTrials(store, run, normalizer, attributesOf(options.limits), baseline);
  // Of a run that ended early they were checked at its first look: a small group may not have come up again.
  if (asking === null) checkNames(options.limits, tally, `run ${run.id}`);
  if (baseline !== null && tally.baseline!.compared === 0) {
    const why =
      tally.baseline!.otherContent > 0
        ? 'its trials are about other clips, references or conditions'
        : 'it has no trial of this run';
    throw badInput(
      `${baselineText!.shown}: expected a baseline of the same corpus and recognizers as run ${run.id}, but ${why}; write it anew with \`earwitness baseline\``,
    );
  }
  const judged = asking?.checks.filter(isSampled) ?? [];
  const own = judged.length === 0 ? options.limits : options.limits.filter((limit) => !isSampledLimit(limit));
  const limits = [...own, ...failuresOf(options.limits, tally, maxShareOf(run))];
  const { level, minimumSpeakers } = options;
  const facts = checkLimits(limits, tally, studiedNumbers(findings), {
    level,
    minimumSpeakers,
    resamples,
    seed: run.seed,
  });
  // Of a run that was judged as it went on the verdicts are those of that time; what is counted is that of the run.
  const checks = [...judged.map((check) => withoutLook(check, asking!)), ...facts].sort(byVerdict);
  return {
    ...{ earwitness: packageVersion(), run: run.id, runName: run.name, verdict: worstVerdict(checks) },
    runBegun: isoTime(run.startedAtMs),
    ...{ ifInconclusive: options.ifInconclusive, level: options.level, checks },
    normalizer: { name: identity.name as string, version: identity.version as number },
    baseline:
      baseline === null
        ? null
        : { name: baseline.name, run: baseline.run, compared: tally.baseline!.compared, of: baseline.trials.length },
    ...(asking !== null && { asking: askedInWords(asking) }),
    conditionNames: conditionsInWords(store.conditions(run.id)),
    notes: [...changedNotes(run, baseline), ...coverageNotes(tally), ...(isOther ? [told] : [])],
    worseUtterances: tally.worseUtterances,
  };
}

/** Whoever limits no failures must not have a recognizer pass that answered little: what a run calls too many are too many here. */
function failuresOf(limits: readonly GateLimit[], tally: GateTally, maxShare: number): GateLimit[] {
  const isLimited = (name: string) =>
    limits.some(({ failures, recognizer = name }) => failures !== undefined && recognizer === name);
  return tally.recognizers.flatMap((recognizer) => {
    const { failed, trials } = tally.facts(recognizer, null);
    return isLimited(recognizer) || failed <= maxShare * trials ? [] : [{ failures: maxShare, recognizer }];
  });
}

/** In what share of its trials a recognizer may fail before a run ends with an error. */
export function maxShareOf({ config }: Pick<RunRecord, 'config'>): number {
  const { config: written } = config as { readonly config?: Pick<Config, 'failures'> };
  return written?.failures?.maxShare ?? defaultMaxShare;
}

function withoutLook({ decidedAtLook, ...check }: LookedCheck, { why }: SequentialAsking): GateCheck {
  if (decidedAtLook !== null) return { ...check, decidedAtLook };
  return why === 'everything asked'
    ? check
    : { ...check, why: { code: 'not-certain', before: check.why?.code ?? null }, moreSpeakers: null };
}

/** What two studies of the run found. */
function studiedNumbers(findings: readonly Finding[]): StudiedNumber[] {
  const hallucinated = findings.flatMap((finding): StudiedNumber[] => {
    if (finding.study.name !== 'hallucination') return [];
    const [all, apart] = [rowsOf(finding, 'hallucination-recognizers'), rowsOf(finding, 'hallucination-conditions')];
    const told = (rows: typeof all, conditionOf: (row: (typeof all)[number]) => string | null) =>
      rows.map((row) => ({
        measure: 'hallucinatedWordsPerMinute' as const,
        recognizer: textAt(row, 'recognizer'),
        condition: conditionOf(row),
        estimate: estimateAt(row, 'pace'),
      }));
    // One kind of sound alone is all of them.
    return [...told(all.length > 0 ? all : apart, () => null), ...told(apart, (row) => textAt(row, 'condition'))];
  });
  // Rows without an attribute are of everybody.
  const thresholds = findings
    .filter(({ study }) => study.name === 'threshold')
    .flatMap((finding) => rowsOf(finding, 'threshold-thresholds'))
    .filter((row) => textAt(row, 'attribute') === '')
    .map((row): StudiedNumber => {
      const [recognizer, estimate] = [textAt(row, 'recognizer'), estimateAt(row, 'threshold')];
      return { measure: 'thresholdDb', recognizer, condition: null, estimate };
    });
  return [...hallucinated, ...thresholds];
}

/** What is another recognizer than in the baseline, key by key. */
function changedNotes(run: RunRecord, baseline: Baseline | null): string[] {
  const here = run.recognizers.map(({ name }) => name);
  const gone = (baseline?.recognizers ?? []).filter(({ name }) => !here.includes(name));
  const others = run.recognizers.flatMap(({ name, identity }) => {
    const before = baseline?.recognizers.find((one) => one.name === name)?.identity;
    if (before === undefined) return baseline === null ? [] : [`${named(name)} is not in the baseline.`];
    const changed = changedValues(before, identity, optionsOf(run, name));
    if (changed.length === 0) return [];
    // Hashes of contents say no more than that they differ.
    const told = changed
      .slice(0, 4)
      .map(({ what, before: old, after }) => (what.startsWith('contents of ') ? what : `${what} (${old} → ${after})`));
    return [`${named(name)} changed since the baseline: ${told.join(', ')}${changed.length > 4 ? ', …' : ''}.`];
  });
  return [
    ...others,
    ...gone.map(({ name }) => `${named(name)} is in the baseline alone: it was not asked in this run.`),
  ];
}

function coverageNotes({ baseline, withoutReference }: GateTally): string[] {
  const trials = (count: number) => `${counted(count, 'trial')} ${count === 1 ? 'is' : 'are'}`;
  const notes: string[] = [];
  if (baseline !== null) {
    const { failedHere, otherContent, onlyThere, onlyHere } = baseline;
    if (failedHere > 0) notes.push(`${trials(failedHere)} without a transcript in this run, and not compared.`);
    if (otherContent > 0)
      notes.push(
        `${trials(otherContent)} about another clip, reference or condition than in the baseline, and not compared.`,
      );
    if (onlyThere > 0) notes.push(`${trials(onlyThere)} in the baseline alone: they were not asked in this run.`);
    if (onlyHere > 0) notes.push(`${trials(onlyHere)} not in the baseline, and not compared.`);
  }
  if (withoutReference > 0) notes.push(`${counted(withoutReference, 'utterance')} without a reference left out.`);
  return notes;
}
