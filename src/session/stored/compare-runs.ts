import { badUsage } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { printable } from '../../base/printable.ts';
import { type CompareOptions, compareAnswers } from '../../compare/compare-answers.ts';
import { refuseMargin } from '../../compare/refuse-margin.ts';
import { countFamily, type RunFamily } from '../../compare/run-family.ts';
import { groupsInRun, testedInRun } from '../../compare/tested-in-run.ts';
import type { Finding } from '../../model/finding.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { PairedAnswers, RunReader, RunRecord, Side, StoredTrial } from '../../store/contract.ts';
import { countedAgain, countedOtherwise, leftOutOfCounts } from './study-counting.ts';
import { differingConditions, runDifferences } from './what-changed.ts';
import { findRun } from './which-run.ts';

/** One side of a comparison as somebody names it: a run, or one recognizer of a run. */
interface NamedSide {
  readonly run: RunRecord;
  /** Null: every recognizer that both sides have. */
  readonly recognizer: string | null;
}

export interface ComparisonChoice extends Pick<CompareOptions, 'level' | 'resamples' | 'margin'> {
  /** Name of a normalizer, or the path of a module with one of the user's own; absent: as the study of the run (of the second of two) has counted. */
  readonly normalizer?: string;
  /** That path is meant from here. Default: the current folder. */
  readonly baseFolder?: string;
  /** The folder of the user's config, where a module may be loaded with which the study counts words; null or absent: none may be. */
  readonly own?: string | null;
  /** Is called now and then with how many pairs of answers are read, and waited for. */
  told?(pairs: number): void | Promise<void>;
}

const toldEvery = 1000;

/**
 * Compares two runs, or two recognizers of one.
 *
 * @param before `RUN` or `RUN:RECOGNIZER`, where a run is its id, the beginning of it, or `last`
 * @returns a finding for each recognizer that is compared
 * @throws EarwitnessError `bad-usage` where a side does not exist, the two have nothing in common, or the margin is none; `bad-config`
 * where there is no such normalizer
 * @example await compareRuns(store, 'last:default', 'last:narrow', choice)
 */
export async function compareRuns(
  store: RunReader,
  before: string,
  after: string,
  choice: ComparisonChoice,
): Promise<readonly Finding[]> {
  const { margin } = choice;
  refuseMargin(margin);
  const [first, second] = [parseSide(store, before), parseSide(store, after)];
  const { baseFolder = process.cwd(), own = null, told = () => {}, ...given } = choice;
  let read = 0;
  const count = () => (++read % toldEvery === 0 ? told(read) : undefined);
  const {
    words: normalizer,
    told: counted,
    level,
    resamples,
    minimumSpeakers,
  } = await countedAgain(second.run, store.findings(second.run.id), given, baseFolder, own);
  const sameRun = first.run.id === second.run.id;
  const then = sameRun ? null : countedOtherwise(first.run, store.findings(first.run.id), normalizer);
  const otherwise =
    then === null
      ? []
      : [
          {
            ...{ what: 'normalizer', before: `${printable(then.name)} ${then.version}` },
            after: `${printable(normalizer.name)} ${normalizer.version}, which counts both here`,
          },
        ];
  const foundIn = [first, second].flatMap(({ run }) => store.findings(run.id) ?? []);
  const leftOut = [first, second].map(({ run }) => leftOutOfCounts(run, foundIn));
  const differingNames = differingConditions(store, first.run, second.run);
  const isLeftOut = (trial: Pick<PairedAnswers, 'conditionName' | 'utterance' | 'draw' | 'repeat'>) =>
    leftOut.some((isOut) => isOut(trial)) || differingNames.has(trial.conditionName);
  const differing = runDifferences(store, first.run, second.run);
  const findings: Finding[] = [];
  for (const [one, other] of commonSides(first, second)) {
    const { unpaired, pairs } = store.pairs(sideOf(first.run, one), sideOf(second.run, other));
    const isNamed = first.run.name !== second.run.name;
    // Ids of runs say nothing to whoever reads: which is which is said once.
    const isBefore = !sameRun && !isNamed && one === other;
    const label = ({ run }: NamedSide, recognizer: string, time: string) =>
      isBefore ? time : one !== other ? recognizer : `${recognizer} in ${run.name}`;
    findings.push(
      await compareAnswers(only(pairs, isLeftOut, count), {
        ...{ normalizer, level, resamples, minimumSpeakers, counted },
        ...(margin !== undefined && { margin }),
        ...(sameRun && { family: await familyOf(store, second.run, [one, other], normalizer, isLeftOut, count) }),
        beforeLabel: label(first, one, 'before'),
        afterLabel: label(second, other, 'after'),
        ...(isBefore && { recognizer: one }),
        seed: first.run.seed,
        conditions: store.conditions(second.run.id),
        unpaired,
        differing: [...otherwise, ...differing(one === other ? one : null)],
      }),
    );
  }
  return findings;
}

/**
 * What the run said of groups of speakers for two recognizers of it, to be shown beside their comparison; null where the sides are of two runs, or it said
 * nothing.
 *
 * @example groupsBeside(store, 'last:default', 'last:narrow')?.scores?.gaps
 */
export function groupsBeside(store: RunReader, before: string, after: string): Finding | null {
  const sides = [parseSide(store, before), parseSide(store, after)] as const;
  const names = sides.flatMap(({ recognizer }) => recognizer ?? []);
  const [{ run }, other] = sides;
  return run.id !== other.run.id || names.length < 2 ? null : groupsInRun(store.findings(run.id) ?? [], names);
}

function parseSide(store: RunReader, text: string): NamedSide {
  const colon = text.indexOf(':');
  const run = findRun(store, colon < 0 ? text : text.slice(0, colon));
  if (colon < 0) return { run, recognizer: null };
  const recognizer = text.slice(colon + 1);
  const names = run.recognizers.map(({ name }) => name);
  if (!names.includes(recognizer)) {
    const near = nearestName(recognizer, names);
    throw badUsage(
      `expected a recognizer of run ${run.id}, but got ${JSON.stringify(recognizer)}; ${near ? `did you mean ${near}?` : `it has ${names.join(', ')}`}`,
    );
  }
  return { run, recognizer };
}

function commonSides(first: NamedSide, second: NamedSide): (readonly [string, string])[] {
  if (first.recognizer !== null && second.recognizer !== null) return [[first.recognizer, second.recognizer]];
  const named = first.recognizer ?? second.recognizer;
  if (named !== null) return [[first.recognizer ?? named, second.recognizer ?? named]];
  const names = second.run.recognizers.map(({ name }) => name);
  const common = first.run.recognizers.filter(({ name }) => names.includes(name));
  if (first.run.id === second.run.id) {
    const [one, other] = names.map((name) => printable(`last:${name}`));
    const within = other === undefined ? '' : `, or two recognizers of this one: earwitness compare ${one} ${other}`;
    throw badUsage(
      `expected two runs, but both are ${first.run.id}; name another one (earwitness store list)${within}`,
    );
  }
  if (common.length === 0) {
    throw badUsage(
      'expected two runs with a recognizer in common, or RUN:RECOGNIZER on both sides, as in `earwitness compare last:one last:other`',
    );
  }
  return common.map(({ name }) => [name, name]);
}

function sideOf(run: RunRecord, recognizer: string): Side {
  return { run: run.id, recognizer: run.recognizers.findIndex(({ name }) => name === recognizer) };
}

/** Two recognizers of one run among all of it, with what its study said of them. */
async function familyOf(
  store: RunReader,
  run: RunRecord,
  [before, after]: readonly [string, string],
  { words }: Normalizer,
  isLeftOut: (trial: StoredTrial) => boolean,
  count: () => void | Promise<void>,
): Promise<RunFamily> {
  const recognizers = run.recognizers.map(({ name }) => name);
  const looked = [recognizers.indexOf(before), recognizers.indexOf(after)] as const;
  const tested = testedInRun(store.findings(run.id) ?? [], before, after);
  const trials = only(store.trials(run.id), isLeftOut, count);
  return {
    ...{ recognizers, by: 'the run' as const, studies: tested?.studies ?? 0, known: tested?.known ?? (() => null) },
    ranks: tested?.ranks ?? null,
    counts: await countFamily(trials, recognizers.length, looked, (text, language) => words(text, language)),
  };
}

async function* only<One>(
  all: Iterable<One>,
  isLeftOut: (one: One) => boolean,
  count: () => void | Promise<void>,
): AsyncGenerator<One> {
  for (const one of all) {
    const told = count();
    if (told !== undefined) await told;
    if (!isLeftOut(one)) yield one;
  }
}
