import type { JsonObject } from '../base/json.ts';
import type { FailureKind } from './observation.ts';
import type { OpenVerdict, Reason } from './reason.ts';
import type { Scores } from './scores.ts';

/**
 * What tells the findings of one run from each other: what the config calls a study, or else its type, numbered where several have
 * the same.
 *
 * @param types by study, in order
 * @param given by study; undefined where there is none
 * @example findingNames(['robustness', 'robustness'], []) // ['robustness', 'robustness-2']
 */
export function findingNames(types: readonly string[], given: readonly (string | undefined)[]): string[] {
  // Letter case alone tells no files apart everywhere.
  const taken = new Set(given.flatMap((name) => name?.toLowerCase() ?? []));
  return types.map((type, place) => {
    const own = given[place];
    if (own !== undefined) return own;
    let name = type;
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${type}-${number}`;
    taken.add(name.toLowerCase());
    return name;
  });
}

/** How much data stands behind a number. */
export interface SampleSize {
  readonly utterances: number;
  readonly speakers: number;
  /** What `utterances` are where nobody speaks in them; `speakers` are then 0. */
  readonly unit?: 'recording';
  /** Reference words, where the number is a rate over words. */
  readonly words?: number;
  /** In a report, with `words`: what made them, with its version. */
  readonly normalizer?: string;
  /** Pairs, for a paired comparison. */
  readonly pairs?: number;
  /** Of ratings: how many there are, and of how many listeners. `utterances` are then those that were rated, or 0 where nobody says which; `speakers` are 0. */
  readonly ratings?: number;
  readonly listeners?: number;
}

/** A number with its uncertainty. `null` always comes with a reason. */
export interface Estimate {
  readonly value: number | null;
  /** Both null together, with `reason`, where no interval can be given. */
  readonly low: number | null;
  readonly high: number | null;
  /** Confidence level of the interval, .95 for 95 %. */
  readonly level: number;
  readonly n: SampleSize;
  /** Why value or interval is null. */
  readonly reason?: Reason;
  /** How the interval was made: `BCa bootstrap over speakers, 2,000 resamples`. */
  readonly method: string;
}

/** What a comparison may say: never more than its interval. */
export type Verdict = 'better' | 'worse' | 'cannot tell';

/** The difference between two estimates on the same trials, with a test that respects pairing and speakers. */
export interface Comparison {
  readonly difference: Estimate;
  /** By itself; two-sided, null with `reason` where no test can be made. */
  readonly pValue: number | null;
  /** After correction for the comparisons made together. */
  readonly adjustedPValue: number | null;
  /** What neither p value can be less than with so many speakers: one that is this is printed as "at most". Null or absent: not known. */
  readonly minPValue?: number | null;
  readonly test: string;
  readonly verdict: Verdict;
  /** With the verdict `cannot tell`, where it is known why. */
  readonly open?: OpenVerdict;
  readonly reason?: Reason;
}

/** How a column's cells are to be read and printed: `difference` with its sign, `points` what is a distance of rates and never below 0. */
export type ColumnKind =
  | 'text'
  | 'count'
  | 'rate'
  | 'difference'
  | 'points'
  | 'seconds'
  | 'ratio'
  | 'money'
  | 'decibels'
  | 'pvalue'
  | 'verdict'
  | 'number';

export interface Column {
  readonly key: string;
  readonly label: string;
  readonly kind: ColumnKind;
  /** One sentence for readers who do not know the term. */
  readonly help?: string;
  /** Holds words that were said: left out where a report must not show transcripts. */
  readonly transcript?: true;
  /**
   * The summary ranks by it what its table lists, lowest first or, by `size`, nearest to 0 first; at most one column of a finding. Of
   * comparisons it ranks by their differences.
   */
  readonly ranks?: true | 'size';
}

/** A cell: an estimate with its interval, a plain value, or null (printed as a dash; `reasons` may say why). */
export type Cell = Estimate | Comparison | string | number | null;

export interface Table {
  /** Unique in its finding; names the CSV and the JSON rows. */
  readonly id: string;
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Readonly<Record<string, Cell>>[];
  readonly note?: string;
  /** Stands on the first screen of its finding, a line a row, with this in its corner: `WER %`. */
  readonly leads?: string;
  /** Its two rates are of two names, not of two times: the first screen says who makes fewer errors. */
  readonly ofNames?: true;
}

/** A line chart over ordered places (the rungs of a ladder). Its table stands beneath it. */
export interface Chart {
  readonly title: string;
  readonly xLabel: string;
  readonly xTicks: readonly string[];
  readonly yLabel: string;
  readonly yKind: ColumnKind;
  /** The ticks are no scale: nothing stands between two of them, and points are not joined. */
  readonly unordered?: true;
  readonly series: readonly ChartSeries[];
}

export interface ChartSeries {
  readonly name: string;
  /** `x` is an index into `xTicks`. */
  readonly points: readonly { readonly x: number; readonly estimate: Estimate }[];
  /** What was measured, where `points` are of a function fitted to it: drawn as markers, which the line then has none of. `x` may lie between ticks. */
  readonly data?: readonly { readonly x: number; readonly value: number }[];
}

/** Where each of several things stands between two measures, of which less is better. Its table stands in the section. */
export interface Plane {
  readonly title: string;
  readonly xLabel: string;
  readonly xKind: ColumnKind;
  readonly yLabel: string;
  readonly yKind: ColumnKind;
  /** `log` for sizes; then every x is above 0. `linear` if absent. */
  readonly xScale?: 'linear' | 'log';
  readonly points: readonly PlanePoint[];
  /** Points joined by a line each, in the order given: indexes into `points`. */
  readonly lines?: readonly { readonly name: string; readonly points: readonly number[] }[];
  /** What it means that points are joined. */
  readonly linesLabel?: string;
  /** The points that no other beats, joined by steps: indexes into `points`. */
  readonly front?: readonly number[];
  /** Lines fitted through all points, straight on the axes as they are drawn: their ends, as [x, y]. */
  readonly fits?: readonly {
    readonly name: string;
    readonly ends: readonly [readonly [x: number, y: number], readonly [x: number, y: number]];
  }[];
}

/** A point of a scatter chart, with an interval in both directions. */
export interface PlanePoint {
  readonly name: string;
  readonly x: Estimate;
  readonly y: Estimate;
}

/** How values of several groups are spread: quartiles, range, and every value. Its table stands in the section. */
export interface BoxPlot {
  readonly title: string;
  readonly label: string;
  readonly kind: ColumnKind;
  readonly boxes: readonly {
    readonly name: string;
    readonly least: number;
    readonly firstQuartile: number;
    readonly median: number;
    readonly thirdQuartile: number;
    readonly most: number;
    readonly points: readonly { readonly name: string; readonly value: number }[];
  }[];
}

/** Bars for places that have no order: groups, values, categories. Its table stands in the section. */
export interface BarChart {
  readonly title: string;
  /** What the bars' lengths are. */
  readonly label: string;
  readonly kind: ColumnKind;
  readonly series: readonly string[];
  /** As many values as there are series; null: no bar. */
  readonly rows: readonly { readonly name: string; readonly values: readonly (Estimate | number | null)[] }[];
  /** Drawn through all rows: the mean of everybody. */
  readonly means?: readonly { readonly name: string; readonly value: number }[];
}

/** Differences (of groups, of attacks: rows) by recognizer (columns), each shaded by its size. Its table stands in the section. */
export interface HeatMap {
  readonly title: string;
  readonly kind: ColumnKind;
  /** What the rows are: `Group` if absent. */
  readonly rowLabel?: string;
  /** What they are worse or better than: `everybody` if absent. */
  readonly than?: string;
  readonly columns: readonly string[];
  /** As many cells as there are columns; above 0 is worse. Cells whose verdict is not `cannot tell` are marked. */
  readonly rows: readonly { readonly name: string; readonly cells: readonly Comparison[] }[];
}

/** One pair of aligned words. A missing side is a deletion or an insertion. */
export interface AlignedWord {
  readonly reference: string | null;
  readonly hypothesis: string | null;
}

/** A trial worth hearing. Sound is found by the report through utterance, condition and draw. */
export interface Example {
  readonly title: string;
  readonly utteranceId: string;
  readonly conditionName: string;
  /** What people call it; absent: by its name. */
  readonly conditionCalled?: string;
  readonly draw: number;
  /** Of what was said (BCP 47); absent where it is not known. */
  readonly language?: string;
  /** Whose transcript: one row for each recognizer, or for the run before and after. */
  readonly transcripts: readonly ExampleRow[];
  /** The stretch of the clean sound worth playing; the whole of it if absent. */
  readonly startSeconds?: number;
}

export interface ExampleRow {
  readonly label: string;
  /** Null: the trial failed, `failure` says how, or was not asked. */
  readonly aligned: readonly AlignedWord[] | null;
  /** Without a message where what was said stays out. */
  readonly failure?: { readonly kind: FailureKind; readonly message?: string };
  readonly note?: string;
}

/** A part of a finding, in the order in which a reader wants it. */
export interface Section {
  readonly id: string;
  readonly title: string;
  /** Whether the beginnings of its tables stand in the summary on the terminal too. */
  readonly summary?: true;
  readonly text?: readonly string[];
  readonly planes?: readonly Plane[];
  readonly charts?: readonly Chart[];
  readonly boxPlots?: readonly BoxPlot[];
  readonly bars?: readonly BarChart[];
  readonly heatMaps?: readonly HeatMap[];
  readonly tables?: readonly Table[];
  readonly examples?: readonly Example[];
}

/**
 * Which trials a sentence is about, so far as names tell them: whoever shows it looks there for the utterances that show it most, the
 * same way for every study. What is absent is not restricted.
 */
export interface About {
  readonly recognizer?: string;
  /** Names of conditions. */
  readonly conditions?: readonly string[];
  /** Values of the speakers' attributes, numbers in the ranges of `settings.bins`. */
  readonly group?: Readonly<Record<string, string>>;
  /** BCP 47. */
  readonly language?: string;
  /** What these trials stand beside: the same ones, but for what is named here. */
  readonly than?: { readonly recognizer?: string; readonly condition?: string; readonly repeat?: number };
  /**
   * What an utterance shows it by: `errors` in its reference (if absent), `words` that were recognized where nobody speaks,
   * `change` of the transcript beside that of `than`, `failures` of trials, `failed tests`, which its study shows itself.
   */
  readonly by?: 'errors' | 'words' | 'change' | 'failures' | 'failed tests';
}

/** One sentence of the answer, with the number it rests on. */
export interface Statement {
  readonly text: string;
  readonly verdict?: Verdict;
  readonly estimate?: Estimate;
  readonly comparison?: Comparison;
  /** How estimate and comparison are printed; `rate` if absent, in `timing` `number`. */
  readonly kind?: ColumnKind;
  /** Belongs to the few lines for whoever reads nothing else. Where none does, all are. */
  readonly headline?: true;
  /** What it is about, where it names a recognizer or a group. */
  readonly about?: About;
  /** In a report: the few utterances that show it most, chosen by `about`. Studies leave it out. */
  readonly examples?: readonly Example[];
}

/** What a study concludes. */
export interface Finding {
  readonly study: { readonly name: string; readonly version: number };
  /** In a report: tells it from all others there, and names its files. The study's name, or what the config calls it. */
  readonly name?: string;
  readonly title: string;
  /** In a report: what people call conditions and their families, by their names in tables: `noise 10 dB`. Absent: by these. */
  readonly conditionNames?: Readonly<Record<string, string>>;
  /** Two sides gave the same answers: a first screen says so in a line, after all others, and shows no table. */
  readonly unchanged?: true;
  /** Everything that decides the numbers: normalizer, alignment, confidence level, resamples, profile, … */
  readonly settings: JsonObject;
  /** Where the first table stands; absent where no recognizer is better than another. */
  readonly scores?: Scores;
  /** The answer, most important first. */
  readonly answer: readonly Statement[];
  readonly sections: readonly Section[];
  /** What the reader must know before believing it: failures left out, too few speakers, … */
  readonly warnings: readonly string[];
  /** Speed. Apart from the rest, because it differs from run to run. */
  readonly timing?: { readonly answer: readonly Statement[]; readonly sections: readonly Section[] };
}
