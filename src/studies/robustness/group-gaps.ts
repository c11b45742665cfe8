import { canonicalJson } from '../../base/json.ts';
import type { About, Comparison, Statement } from '../../model/finding.ts';
import { turned } from '../shared/comparisons.ts';
import { unlessUsual, whyOpen } from '../shared/open-verdict.ts';
import { gather, type Part } from '../shared/sliced-counts.ts';
import { judgeTests, testTogether } from '../shared/test-groups.ts';
import { counted, differenceInWords, listed, named } from '../shared/wording.ts';
import { groupTrials } from './answer.ts';
import type { Counts } from './counts.ts';
import type { Design } from './design.ts';
import { datasetName } from './levels.ts';
import type { RobustnessOptions } from './options.ts';

/** An attribute with more values is not compared pair by pair. */
export const maxGroups = 4;

interface Gap {
  readonly attribute: string;
  /** Where there are several data sets. */
  readonly dataset: string | null;
  readonly worse: string;
  readonly better: string;
  readonly comparison: Comparison;
}

/** A group that has speakers too few for anything to be said. */
interface SmallGroup {
  readonly attribute: string;
  /** Where there are several data sets. */
  readonly dataset: string | null;
  readonly value: string;
  readonly speakers: number;
}

/**
 * The widest gap between two groups of speakers on clean audio, of one recognizer; or why none can be told. All pairs of groups are
 * tested jointly by dealing speakers anew (`jointGroupTest`), and attributes share the error. Who is misheard in which condition is the study
 * `disparity`'s.
 *
 * @param recognizer its place in the design; null: none answered, so that there is nothing to say
 */
export function gapStatement(
  recognizer: number | null,
  counts: Counts,
  design: Design,
  options: RobustnessOptions,
  seed: number,
): Statement | null {
  if (recognizer === null || counts.slices.whole().rows.length < 2) return null;
  const name = named(design.recognizers[recognizer]!.name);
  const { gaps, ...others } = gapsOf(recognizer, counts, design, options, seed);
  if (gaps.length === 0) return { text: `${name}: no comparison of groups is possible: ${whyNone(others, options)}.` };
  const size = ({ comparison }: Gap) => comparison.difference.value ?? 0;
  const told = gaps.filter(({ comparison }) => comparison.verdict === 'worse');
  const [widest] = (told.length > 0 ? told : gaps).toSorted((a, b) => size(b) - size(a));
  const { attribute, dataset, worse, better, comparison } = widest!;
  const where = dataset === null ? '' : ` of ${named(dataset)}`;
  const than = `for ${named(attribute)} ${named(worse)} than for ${named(better)}, on clean audio${where}`;
  const text = `${name}: ${differenceInWords(comparison.difference, than)}.${whyOpen(comparison)}`;
  const about: About = {
    recognizer: design.recognizers[recognizer]!.name,
    conditions: [design.conditions[0]!.name],
    ...groupTrials(attribute, worse, dataset, design),
  };
  return { text, comparison, kind: 'difference', about };
}

function whyNone(
  { small, crowded, alone, undivided }: Omit<Gaps, 'gaps'>,
  { minimumSpeakers, groupBy }: Pick<RobustnessOptions, 'minimumSpeakers' | 'groupBy'>,
): string {
  const [nearest] = small.toSorted((a, b) => b.speakers - a.speakers);
  if (nearest !== undefined) {
    const { attribute, dataset } = nearest;
    const groups = small.filter((one) => one.attribute === attribute && one.dataset === dataset);
    const has = groups.map(({ value, speakers }) => `${named(value)} has ${speakers}`);
    const lacking = groups.reduce((sum, { speakers }) => sum + minimumSpeakers - speakers, 0);
    return `an interval needs ${minimumSpeakers} speakers${unlessUsual(minimumSpeakers)} of each group, and of ${named(attribute)} ${listed(has)}${dataset === null ? '' : ` in ${named(dataset)}`}; ${counted(lacking, 'more speaker')} would do`;
  }
  if (crowded.length > 0) {
    return `${listed(crowded.map((name) => named(name)))} ${crowded.length === 1 ? 'has' : 'have'} more than ${maxGroups} values, too many to compare pair by pair; the study disparity compares each with everybody`;
  }
  if (alone !== null) {
    return `of ${named(alone.attribute)} it answered ${named(alone.value)} alone${alone.dataset === null ? '' : ` in ${named(alone.dataset)}`}`;
  }
  if (undivided.length === 1)
    return `of ${named(undivided[0]!.attribute)} there is ${named(undivided[0]!.value)} alone`;
  if (undivided.length > 1) {
    const values = undivided.map(({ attribute, value }) => `${named(attribute)} ${named(value)}`);
    const apart = new Set(undivided.map(({ attribute }) => attribute)).size < undivided.length;
    return `no attribute has two values to compare${apart ? ' in one data set' : ''} (there is ${listed(values)})`;
  }
  return groupBy === null || groupBy.length > 0
    ? 'the corpus has no attributes of speakers (sex, age, accent, …)'
    : '`groupBy` names no attribute';
}

interface Gaps {
  /** Every two values of an attribute of which there are speakers enough, the one with the higher rate first. */
  readonly gaps: readonly Gap[];
  readonly small: readonly SmallGroup[];
  /** Attributes of more values than are compared. */
  readonly crowded: readonly string[];
  /** A group that is the only one of its attribute with an answer; null: there is none. */
  readonly alone: Omit<SmallGroup, 'speakers'> | null;
  /** Attributes that have one value in each data set, with it. */
  readonly undivided: readonly { readonly attribute: string; readonly value: string }[];
}

function gapsOf(
  recognizer: number,
  { datasets, series }: Counts,
  design: Design,
  options: RobustnessOptions,
  seed: number,
): Gaps {
  const { level, minimumSpeakers, resamples } = options;
  const side = (dataset: string | null) => (part: Part) => {
    const { counts, n } = gather(part, series.words(recognizer, 0));
    const { attribute, value } = part.group!;
    return { counts, n, clusters: part.rows.map((row) => part.clusterOf(row)), dataset, attribute, value };
  };
  // Languages and corpora differ in more than in who speaks: groups are compared within each.
  const divided = datasets.flatMap((set, number) => {
    const name = datasets.length < 2 ? null : datasetName(number, design);
    const parts = Map.groupBy(set.groups(), ({ group }) => group!.attribute);
    return [...parts.values()].map((values) => values.map(side(name)).filter(({ n }) => n.words > 0));
  });
  const compared = divided.filter((sides) => sides.length >= 2 && sides.length <= maxGroups);
  const enough = ({ n }: { readonly n: { readonly speakers: number } }) => n.speakers >= minimumSpeakers;
  const large = compared.map((sides) => sides.filter(enough)).filter((sides) => sides.length >= 2);
  const tested = large.flatMap((sides) => {
    const { attribute, dataset } = sides[0]!;
    const what = ['gap', design.recognizers[recognizer]!.name, attribute, ...(dataset === null ? [] : [dataset])];
    const settings = { level, minimumSpeakers, resamples, seed, study: 'robustness', what };
    return testTogether([sides], settings)[0]!.map((test) => ({
      ...{ attribute, dataset, one: sides[test.first]!.value, other: sides[test.second]!.value },
      test: {
        ...test,
        // Attributes, in each data set, share the error.
        ...(test.adjustedPValue == null ? {} : { adjustedPValue: Math.min(1, large.length * test.adjustedPValue) }),
        test: `${test.test}${large.length > 1 ? `, over ${large.length} attributes${datasets.length > 1 ? ' of data sets' : ''}` : ''}`,
      },
    }));
  });
  const comparisons = judgeTests(tested.map(({ test }) => test));
  const gaps = tested.map(({ attribute, dataset, one, other }, place): Gap => {
    const comparison = comparisons[place]!;
    return (comparison.difference.value ?? 0) >= 0
      ? { attribute, dataset, worse: other, better: one, comparison }
      : { attribute, dataset, worse: one, better: other, comparison: turned(comparison) };
  });
  const small = compared
    .flat()
    .filter((one) => !enough(one))
    .map(({ attribute, dataset, value, n }) => ({ attribute, dataset, value, speakers: n.speakers }));
  const crowded = new Set([
    ...divided.filter((sides) => sides.length > maxGroups).map(([first]) => first!.attribute),
    ...datasets.flatMap(({ manyValued }) => [...manyValued]),
  ]);
  const alone = divided.find((sides) => sides.length === 1)?.[0] ?? null;
  const single = datasets.flatMap((set) => set.undivided());
  const undivided = [...new Map(single.map((one) => [canonicalJson(one), one])).values()];
  return { gaps, small, crowded: [...crowded], alone, undivided };
}
