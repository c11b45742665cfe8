import { badUsage } from '../../base/errors.ts';
import { canonicalJson } from '../../base/hash.ts';
import type { Json } from '../../base/json.ts';
import { nearestName } from '../../base/nearest-name.ts';
import type { HistoryRun, HistoryTrial } from '../../compare/count-runs.ts';
import { contentOf } from '../../compare/gate/baseline.ts';
import { historyFinding } from '../../compare/history.ts';
import type { Finding } from '../../model/finding.ts';
import { clean, conditionsInWords } from '../../model/trial.ts';
import { countEdits } from '../../scoring/alignment/align.ts';
import { errors } from '../../scoring/edit-counts.ts';
import { watched } from '../../scoring/normalizers/by-language.ts';
import type { RunReader, RunRecord } from '../../store/contract.ts';
import { listed, named } from '../../studies/shared/wording.ts';
import { countedAgain, leftOutOfCounts } from './study-counting.ts';
import { runDifferences } from './what-changed.ts';
import { isSameSeries } from './which-run.ts';

export interface HistoryChoice {
  /** Null: every recognizer of the newest run. */
  readonly recognizer: string | null;
  /** `all`: all conditions together. */
  readonly condition: string;
  /** Runs of this name; null: of the series of the newest one, or of `until`. */
  readonly name: string | null;
  /** Name of a normalizer, or the path of a module with one of the user's own; absent: as the study of the newest run has counted. */
  readonly normalizer?: string;
  readonly resamples?: number;
  /** A run after which those that follow do not count; absent: all count. */
  readonly until?: string;
}

/**
 * What recognizers did over the finished runs of a store: a finding for each.
 *
 * @param own the folder of the config, where the run is the user's own: there a module may be loaded with which its study counts words
 * @throws EarwitnessError `bad-usage` where there is no such run, recognizer or condition; `bad-config` where there is no such normalizer
 * @example await historyOf(store, { recognizer: null, condition: 'clean', name: null, normalizer: 'basic' })
 */
export async function historyOf(
  store: RunReader,
  choice: HistoryChoice,
  own: string | null = null,
): Promise<readonly Finding[]> {
  const finished = store.runs().filter(({ finishedAtMs }) => finishedAtMs !== null);
  const latest = finished.find(({ id }) => choice.until === undefined || id === choice.until);
  if (latest === undefined) {
    throw badUsage('expected a store with finished runs, but it has none; begin with `earwitness run`');
  }
  const name = choice.name ?? latest.name;
  const ofName = finished
    .filter((run) => (choice.name === null ? isSameSeries(run, latest) : run.name === name))
    .reverse();
  const last = choice.until === undefined ? -1 : ofName.findIndex(({ id }) => id === choice.until);
  const runs = last < 0 ? ofName : ofName.slice(0, last + 1);
  const newest = runs.at(-1);
  const expected = (what: string, wanted: string, known: readonly string[]) => {
    const near = nearestName(wanted, known);
    return badUsage(
      `expected ${what}, but got ${JSON.stringify(named(wanted))}; ${near === null ? `there is ${listed(known, 12)}` : `did you mean ${named(near)}?`}`,
    );
  };
  if (newest === undefined) throw expected('the name of a run', name, [...new Set(finished.map((run) => run.name))]);
  const recognizers = newest.recognizers.map((one) => one.name);
  if (choice.recognizer !== null && !recognizers.includes(choice.recognizer)) {
    throw expected(`a recognizer of run ${newest.id}`, choice.recognizer, recognizers);
  }
  const asked = store.conditions(newest.id);
  const conditions = asked.map((one) => one.name);
  if (choice.condition !== 'all' && !conditions.includes(choice.condition)) {
    throw expected(`a condition of run ${newest.id}, or all`, choice.condition, conditions);
  }
  const {
    words: normalizer,
    told,
    level,
    resamples,
    minimumSpeakers,
  } = await countedAgain(newest, store.findings(newest.id), choice, process.cwd(), own);
  // Whole corpora are read for it: once for all recognizers.
  const known = new Map<string, ReturnType<typeof runDifferences>>();
  const between = (before: RunRecord, after: RunRecord) => {
    const pair = `${before.id} ${after.id}`;
    const differences = known.get(pair) ?? runDifferences(store, before, after);
    known.set(pair, differences);
    return differences;
  };
  const condition = choice.condition === 'all' ? null : choice.condition;
  return recognizers
    .filter((one) => choice.recognizer === null || one === choice.recognizer)
    .map((recognizer) => {
      const own = runs.filter((run) => run.recognizers.some((one) => one.name === recognizer));
      const shown = own.map(
        (run, place): HistoryRun => ({
          ...{ id: run.id, begunAtMs: run.startedAtMs },
          changed: place === 0 ? [] : between(own[place - 1]!, run)(recognizer),
        }),
      );
      const { words, settled } = watched(normalizer);
      return historyFinding(
        shown,
        ({ id }) => trialsOf(store, own.find((run) => run.id === id)!, recognizer, condition, words),
        {
          ...{ recognizer, condition, normalizer: settled, seed: newest.seed },
          ...{ level, resamples, minimumSpeakers, counted: told },
          ...(condition !== null && { called: conditionsInWords(asked)[condition] }),
        },
      );
    });
}

/**
 * The history that the report of a run ends with, where its config says `report.history` and there are earlier runs of its name; on clean audio, or over all conditions where there is none.
 *
 * @example findings.push(...(await historyForReport(store, run)))
 */
export async function historyForReport(
  store: RunReader,
  run: RunRecord,
  own: string | null = null,
): Promise<readonly Finding[]> {
  const { config } = run.config as { readonly config?: { readonly report?: { readonly history?: boolean } } };
  if (config?.report?.history !== true || run.finishedAtMs === null) return [];
  const before = store.runs().filter((one) => isSameSeries(one, run) && one.finishedAtMs !== null);
  if (before.findIndex(({ id }) => id === run.id) === before.length - 1) return [];
  const hasClean = store.conditions(run.id).some((one) => one.name === clean.name);
  const choice = { recognizer: null, condition: hasClean ? clean.name : 'all', name: null };
  return historyOf(store, { ...choice, until: run.id }, own);
}

/** Without what studies made of their own, which was chosen by how a recognizer failed. */
function* trialsOf(
  store: RunReader,
  run: RunRecord,
  recognizer: string,
  condition: string | null,
  words: (text: string, language: string) => string[],
): Generator<HistoryTrial> {
  // A condition that is named is looked at although there is no speech in it.
  const isLeftOut = leftOutOfCounts(run, condition === null ? (store.findings(run.id) ?? []) : []);
  const steps = new Map(store.conditions(run.id).map((one) => [one.name, canonicalJson(one.steps as unknown as Json)]));
  let [current, said]: [string | null, readonly string[]] = [null, []];
  for (const trial of store.trials(run.id)) {
    const { utterance, conditionName, draw, repeat, observation } = trial;
    if (run.recognizers[trial.recognizer]!.name !== recognizer) continue;
    if (isLeftOut(trial) || utterance.reference === undefined) continue;
    if (condition !== null && conditionName !== condition) continue;
    const { reference, language } = utterance;
    if (current !== utterance.id) [current, said] = [utterance.id, words(reference, language)];
    const seconds = conditionName === clean.name ? observation.soundSeconds : null;
    const heard = observation.failure ? null : words(observation.transcript.text, language);
    const content = contentOf(reference, language, steps.get(conditionName) ?? '', seconds);
    yield {
      question: JSON.stringify([utterance.id, conditionName, draw, repeat, content]),
      utterance,
      words: said.length,
      ...(heard === null ? { errors: null } : { errors: errors(countEdits(said, heard)), heard }),
    };
  }
}
