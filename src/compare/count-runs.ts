import type { Utterance } from '../model/utterance.ts';
import { SlicedCounts } from '../studies/shared/sliced-counts.ts';
import type { SideDifference } from './comparison-sections.ts';
import type { HistorySeries } from './conclude-history.ts';

/** A run as a history shows it. */
export interface HistoryRun {
  readonly id: string;
  readonly begunAtMs: number;
  /** Besides answers, what is another than in the run before. */
  readonly changed: readonly SideDifference[];
}

/** What was asked in a run and how often it was wrong. */
export interface HistoryTrial {
  /** The same for the same question of another run: about the same words, sound and condition. */
  readonly question: string;
  readonly utterance: Utterance;
  /** Null: no answer. */
  readonly errors: number | null;
  readonly words: number;
  /** The words of the answer. */
  readonly heard?: readonly string[];
}

/** Runs that share fewer of the newest run's questions than this are shown, and not compared. */
const minShared = 0.5;

/** Runs that are compared, and what was counted of them. */
export interface Counted {
  /** Of each compared run, and of what it shares with another: trials of the newest run's questions. */
  readonly slices: SlicedCounts;
  readonly seriesOf: HistorySeries;
  /** Whether every compared run answered all of them. */
  readonly isWhole: boolean;
  readonly compared: readonly HistoryRun[];
  /** Those that the newest run answered. */
  readonly questions: number;
}

/** Counts the runs that share enough of the newest run's questions. */
export function countRuns(runs: readonly HistoryRun[], trialsOf: (run: HistoryRun) => Iterable<HistoryTrial>): Counted {
  const places = new Map<string, number>();
  const heardOf = new Map<string, readonly string[]>();
  const asked = runs.map((run) => {
    const errors = new Map<number, number>();
    for (const { question, errors: wrong, words, heard } of trialsOf(run)) {
      let place = places.get(question);
      if (place === undefined) {
        place = places.size;
        places.set(question, place);
      }
      if (wrong === null) continue;
      errors.set(place, wrong);
      // Of a loop alone it is asked what was heard.
      if (wrong > words && heard !== undefined) heardOf.set(JSON.stringify([run.id, place]), heard);
    }
    return errors;
  });
  const newest = asked.at(-1) ?? new Map<number, number>();
  const shared = (errors: ReadonlyMap<number, number>) =>
    [...newest.keys()].filter((place) => errors.has(place)).length;
  const alike = runs.flatMap((_, index) =>
    newest.size > 0 && shared(asked[index]!) >= minShared * newest.size ? [index] : [],
  );
  const answered = alike.map((index) => shared(asked[index]!));
  const all = answered.map((count) => count === newest.size);
  // Two runs that answered everything share everything.
  const seriesOf: HistorySeries = (run, sharedWith) =>
    run === sharedWith || (all[run] === true && all[sharedWith] === true) ? run : (1 + sharedWith) * alike.length + run;
  const slices = new SlicedCounts(null);
  let current: string | null = null;
  for (const { question, utterance, words } of runs.length === 0 ? [] : trialsOf(runs.at(-1)!)) {
    const place = places.get(question)!;
    if (!newest.has(place)) continue;
    if (utterance.id !== current) slices.enter(utterance);
    current = utterance.id;
    for (const [run, index] of alike.entries()) {
      const errors = asked[index]!.get(place);
      if (errors === undefined) continue;
      slices.add(run, errors, words);
      slices.watch(run, errors, words, () => heardOf.get(JSON.stringify([runs[index]!.id, place])) ?? []);
      for (const [other, there] of alike.entries()) {
        const series = seriesOf(run, other);
        if (series !== run && asked[there]!.has(place)) slices.add(series, errors, words);
      }
    }
  }
  const isWhole = all.every((one) => one);
  return { slices, seriesOf, isWhole, compared: alike.map((index) => runs[index]!), questions: newest.size };
}
