import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { badUsage } from '../base/errors.ts';
import { canonicalJson } from '../base/hash.ts';
import type { Json, JsonObject } from '../base/json.ts';
import type { RunRecognizer } from '../model/run.ts';
import type { NewRun, RunKeeper, RunReader, RunRecord } from '../store/contract.ts';

/** A recognizer as it is today, before it has its epoch. */
export interface WishedRecognizer {
  readonly name: string;
  readonly identity: JsonObject;
  /** Whether it stays what it is behind its name. */
  readonly pinned: boolean;
  /** The epoch that the config pins, if it does. */
  readonly epoch: string | null;
}

/** What somebody wants run. */
export interface RunWish {
  readonly name: string;
  readonly purpose: string;
  /** The purpose that a preview of it has, whose answers are used again also where a recognizer can change behind its name. */
  readonly preview?: string;
  readonly config: JsonObject;
  readonly seed: number;
  readonly recognizers: readonly WishedRecognizer[];
}

/**
 * - `continue`: goes on with the newest unfinished run of the same purpose, if there is one, or writes the report that the newest lacks
 * - `new`: begins one, answers stored before are used again
 * - `fresh`: begins one, answers stored before are not used (an unfinished fresh one goes on)
 * - `retry-failed`: begins one that asks again what failed in the newest finished run of the same purpose (an unfinished one goes on)
 */
export type RunMode = 'continue' | 'new' | 'fresh' | 'retry-failed';

/**
 * Finds the run to go on with, or begins one. Epochs are given here: a new run asks recognizers that can change behind
 * their names anew, a run that goes on does not, nor one that completes a preview of it.
 *
 * @throws EarwitnessError `bad-usage` where there is nothing to retry
 */
export function openRun(store: RunKeeper & RunReader, wish: RunWish, mode: RunMode, clock: Clock): RunRecord {
  const alike = store.runs().filter((run) => run.purpose === wish.purpose && sameRecognizers(run, wish));
  const unfinished = alike.find((run) => run.finishedAtMs === null && run.fresh === (mode === 'fresh'));
  // A kill came between its end and its report: that is written, and nobody is asked again.
  if (mode === 'continue' && alike[0]?.reportMissing && alike[0].finishedAtMs !== null) return alike[0];
  if ((mode === 'continue' || mode === 'fresh') && unfinished) return unfinished;

  const epoch = randomUUID();
  const previewed = mode === 'continue' ? previewBefore(store, wish, alike, clock) : undefined;
  let recognizers: readonly RunRecognizer[] = wish.recognizers.map(
    ({ name, identity, pinned, epoch: wished }, index) => ({
      name,
      identity,
      epoch: wished ?? (pinned ? null : (previewed?.recognizers[index]?.epoch ?? epoch)),
    }),
  );
  let parent: string | null = null;
  if (mode === 'retry-failed') {
    const before = alike.find((run) => run.finishedAtMs !== null);
    if (!before) {
      throw badUsage('expected a finished run of this config with failures to retry, but there is none; run it first');
    }
    // One that was stopped goes on, with what it has spent.
    const begun = alike.find((run) => run.finishedAtMs === null && run.parent === before.id);
    if (begun) return begun;
    parent = before.id;
    recognizers = before.recognizers;
  }
  const { name, purpose, config, seed } = wish;
  const run: NewRun = {
    name,
    purpose,
    config,
    seed,
    fresh: mode === 'fresh',
    parent,
    recognizers,
    startedAtMs: clock.wallMs(),
  };
  return store.createRun(run);
}

/** A recognizer may have changed since a preview that is older: its answers are asked anew. */
const previewHoldsMs = 24 * 60 * 60 * 1000;

/** The preview that a run completes: of the last day, and not yet followed by a run of the whole. */
function previewBefore(
  store: RunKeeper & RunReader,
  wish: RunWish,
  alike: readonly RunRecord[],
  clock: Clock,
): RunRecord | undefined {
  const since = clock.wallMs() - previewHoldsMs;
  const runs = store.runs();
  const followed = wish.purpose === wish.preview ? -1 : runs.findIndex(({ id }) => id === alike[0]?.id);
  // One from a time to come is of a clock that was set back: nobody knows how old it is.
  const holds = ({ startedAtMs }: RunRecord) => startedAtMs >= since && startedAtMs <= clock.wallMs();
  return (followed < 0 ? runs : runs.slice(0, followed)).find(
    (run) => run.purpose === wish.preview && holds(run) && sameRecognizers(run, wish),
  );
}

/** The previews whose answers a run uses: begun since the last run of the same purpose, with the same recognizers. */
export function previewsOf(store: Pick<RunReader, 'runs'>, run: RunRecord, wish: RunWish): RunRecord[] {
  if (run.fresh || run.parent !== null || run.purpose === wish.preview) return [];
  const runs = store.runs();
  const older = runs.slice(runs.findIndex(({ id }) => id === run.id) + 1);
  const last = older.findIndex(({ purpose }) => purpose === run.purpose);
  const between = last < 0 ? older : older.slice(0, last);
  const epochs = ({ recognizers }: RunRecord) => canonicalJson(recognizers.map(({ epoch }) => epoch));
  return between.filter(
    (one) => one.purpose === wish.preview && sameRecognizers(one, wish) && epochs(one) === epochs(run),
  );
}

/** Whether the recognizers are still those that the run was begun with. */
export function sameRecognizers(run: RunRecord, wish: Pick<RunWish, 'recognizers'>): boolean {
  const of = (recognizers: readonly { name: string; identity: JsonObject }[]): Json =>
    recognizers.map(({ name, identity }) => ({ name, identity }));
  return canonicalJson(of(run.recognizers)) === canonicalJson(of(wish.recognizers));
}

/** A recognizer that a run asks again what it answered before. */
export interface AskedAnew {
  readonly recognizer: string;
  /** When the newest run that asked it was begun. */
  readonly beforeMs: number;
  /** The epoch of that run: whoever pins it has its answers. */
  readonly epoch: string;
}

/**
 * The recognizers that a run which is only begun asks anew, because they can change behind their names and an earlier run of this
 * store has asked them; not those whose epoch the config pins. None of a run that is to be fresh, or that asks again what failed.
 */
export function askedAnew(
  store: Pick<RunReader, 'runs' | 'batches'>,
  run: RunRecord,
  wish: Pick<RunWish, 'recognizers'>,
): AskedAnew[] {
  if (run.fresh || run.parent !== null || store.batches(run.id).length > 0) return [];
  const earlier = store.runs().filter(({ id }) => id !== run.id);
  return run.recognizers.flatMap(({ name, identity, epoch }, index) => {
    if (epoch === null || wish.recognizers[index]!.epoch !== null) return [];
    const same = canonicalJson(identity);
    for (const { recognizers, startedAtMs } of earlier) {
      const before = recognizers.find((one) => canonicalJson(one.identity) === same);
      if (before === undefined) continue;
      if (before.epoch === null || before.epoch === epoch) return [];
      return [{ recognizer: name, beforeMs: startedAtMs, epoch: before.epoch }];
    }
    return [];
  });
}
