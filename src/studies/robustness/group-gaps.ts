import { canonicalJson } from '../../base/json.ts';
import { counted } from '../../base/wording.ts';
import { turned } from '../../model/comparison.ts';
import type { About, Comparison, Statement } from '../../model/finding.ts';
import { clean } from '../../model/trial.ts';
import { claimFrom } from '../shared/claims.ts';
import type { GroupSide } from '../shared/group-pairs.ts';
import { unlessUsual } from '../shared/open-verdict.ts';
import { unitOf } from '../shared/shortages.ts';
import { judgeTests, testTogether } from '../shared/test-groups.ts';
import { aboveOrBelow, listed, named } from '../shared/wording.ts';
import { type Counts, everywhere, type GroupPart, heardOf } from './counts.ts';
import type { Design } from './design.ts';
import type { Known } from './level-estimates.ts';
import { datasetName } from './levels.ts';

const noAttributes: Readonly<Record<Design['speakersFrom'], string>> = {
  corpus: 'the corpus has no attributes of speakers',
  files: 'the files have no attributes of speakers',
  python: 'no utterance has an attribute of its speaker; pass them as groups=',
};

/** An attribute with more values is not compared pair by pair. */
export const maxGroups = 4;

/** What a recognizer makes more errors of in one group than in another, on clean audio. */
export interface Gap {
  readonly attribute: string;
  /** Where there are several data sets. */
  readonly dataset: string | null;
  readonly recognizer: number;
  /** `comparison` is about this one, which has the higher rate: its rate less that of `comparedWith`. */
  readonly group: string;
  readonly comparedWith: string;
  readonly comparison: Comparison;
}

/** More recognizers than this have their gaps in the table alone, but for those that are told apart. */
const maxGaps = 4;

/**
 * The widest gap between two groups of speakers on clean audio, of each recognizer; or why none can be told. The widest of all that are told
 * stands first. Who is misheard in which condition is the study `disparity`'s.
 */
export function gapStatements({ gaps, why }: Gaps, design: Design): Statement[] {
  if (gaps.length === 0) return why === null ? [] : [{ text: `No comparison of groups: ${why}.` }];
  const size = ({ comparison }: Gap) => comparison.difference.value ?? 0;
  const isTold = ({ comparison }: Gap) => comparison.verdict === 'worse';
  const byRank = (a: Gap, b: Gap) => Number(isTold(b)) - Number(isTold(a)) || size(b) - size(a);
  const widest = [...Map.groupBy(gaps.toSorted(byRank), ({ recognizer }) => recognizer).values()].map(
    ([first]) => first!,
  );
  const told = widest.filter(isTold);
  const shown =
    widest.length <= maxGaps ? widest : [...told.slice(0, maxGaps), ...(told.length === 0 ? widest.slice(0, 1) : [])];
  const found = told.length === 0 ? 'none has' : `${told.length} ${told.length === 1 ? 'has' : 'have'}`;
  const rest: Statement[] =
    shown.length === widest.length
      ? []
      : [
          {
            text: `Of ${widest.length} recognizers ${found} a gap between groups on clean audio that can be told from chance; all were tested together.`,
          },
        ];
  return [...shown.map((gap) => gapStatement(gap, design)), ...rest];
}

function gapStatement(
  { attribute, dataset, recognizer, group, comparedWith, comparison }: Gap,
  design: Design,
): Statement {
  const { name } = design.recognizers[recognizer]!;
  const where = dataset === null ? '' : ` of ${named(dataset)}`;
  const about: About = {
    recognizer: name,
    conditions: [design.conditions[0]!.name],
    ...groupTrials(attribute, group, dataset, design),
  };
  const who = `${named(name)}, WER by ${named(attribute)} on clean audio${where}: ${named(group)}`;
  const quoted = { comparison, kind: 'difference', about } as const;
  return claimFrom(quoted, named(comparedWith), (apart) => `${who} is ${apart}`, aboveOrBelow);
}

/** What groups differ by on clean audio. */
export interface Gaps {
  /** Of every recognizer: every two values of an attribute of which there are speakers enough. */
  readonly gaps: readonly Gap[];
  /** Why no groups can be compared; null where some are, or where nobody asks: nobody answered clean audio, or there is one speaker. */
  readonly why: string | null;
}

/** What every recognizer made of one group. */
interface DividedGroup {
  readonly attribute: string;
  readonly value: string;
  readonly dataset: string | null;
  /** By recognizer. */
  readonly sides: readonly GroupSide[];
  /** Speakers, or utterances where nobody says who speaks, of the recognizer that answered most of them. */
  readonly units: number;
}

/**
 * All pairs of groups of all recognizers are tested jointly by dealing speakers anew (`jointGroupTest`), so that whichever of them is looked at is
 * corrected for the others; attributes share the error.
 */
export function groupGaps({ groups: byDataset }: Counts, { cells, design, options, seed }: Known): Gaps {
  const { level, minimumSpeakers, resamples } = options;
  const sidesOf =
    (dataset: string | null) =>
    (part: GroupPart): DividedGroup => {
      const sides = design.recognizers.map((_, series) => part.side({ series, path: [clean.name], ratio: 'wer' }));
      return { ...part.group!, dataset, sides, units: Math.max(0, ...sides.map(unitsWithWords)) };
    };
  // Languages and corpora differ in more than in who speaks: groups are compared within each.
  const divided = byDataset.flatMap((cube, number) => {
    const name = byDataset.length < 2 ? null : datasetName(number, design);
    const parts = Map.groupBy(cube.parts('group'), ({ group }) => group!.attribute);
    return [...parts.values()].map((values) => values.map(sidesOf(name)).filter(({ sides }) => sides.some(hasWords)));
  });
  const compared = divided.filter((groups) => groups.length >= 2 && groups.length <= maxGroups);
  const enough = (side: GroupSide) => unitsWithWords(side) >= minimumSpeakers;
  const large = compared
    .map((groups) => groups.filter(({ sides }) => sides.some(enough)))
    .filter((groups) => groups.length >= 2);
  const tested = large.flatMap((groups) => {
    const { attribute, dataset } = groups[0]!;
    const measures = design.recognizers.map((_, recognizer) =>
      groups.map(({ sides }) => (enough(sides[recognizer]!) ? sides[recognizer]! : null)),
    );
    const what = ['gaps', attribute, ...(dataset === null ? [] : [dataset])];
    const tests = testTogether(measures, { level, minimumSpeakers, resamples, seed, study: 'robustness', what });
    return tests.flatMap((own, recognizer) =>
      own.map((test) => ({
        ...{ attribute, dataset, recognizer, one: groups[test.first]!.value, other: groups[test.second]!.value },
        test: {
          ...test,
          // Attributes, in each data set, share the error.
          ...(test.adjustedPValue == null ? {} : { adjustedPValue: Math.min(1, large.length * test.adjustedPValue) }),
          test: `${test.test}${large.length > 1 ? `, over ${large.length} attributes${byDataset.length > 1 ? ' of data sets' : ''}` : ''}`,
        },
      })),
    );
  });
  const comparisons = judgeTests(tested.map(({ test }) => test));
  const gaps = tested.map(({ attribute, dataset, recognizer, one, other }, place): Gap => {
    const comparison = comparisons[place]!;
    const about = { attribute, dataset, recognizer };
    return (comparison.difference.value ?? 0) >= 0
      ? { ...about, group: other, comparedWith: one, comparison }
      : { ...about, group: one, comparedWith: other, comparison: turned(comparison) };
  });
  const heard = design.recognizers.map((_, series) => heardOf(cells, 'condition', everywhere(0, design), series));
  const unasked = cells.units.count < 2 || !heard.some(hasWords);
  return { gaps, why: gaps.length > 0 || unasked ? null : whyNone() };

  function whyNone(): string {
    const small = compared.flat().filter(({ sides }) => !sides.some(enough));
    const [nearest] = small.toSorted((a, b) => b.units - a.units);
    if (nearest !== undefined) {
      const { attribute, dataset } = nearest;
      const groups = small.filter((one) => one.attribute === attribute && one.dataset === dataset);
      const unit = unitOf(cells.units);
      const few = groups.map(({ value, units }) => `${named(value)} (${counted(units, unit)})`);
      return `an interval needs ${counted(minimumSpeakers, unit)}${unlessUsual(minimumSpeakers)} of each, and by ${named(attribute)} there are too few: ${listed(few)}${dataset === null ? '' : ` in ${named(dataset)}`}`;
    }
    const met = byDataset.map((cube) => cube.groupsIn('group'));
    const crowded = new Set([
      ...divided.filter((groups) => groups.length > maxGroups).map(([first]) => first!.attribute),
      ...met.flatMap(({ manyValued }) => [...manyValued]),
    ]);
    if (crowded.size > 0) {
      return `${listed([...crowded].map((name) => named(name)))} ${crowded.size === 1 ? 'has' : 'have'} more than ${maxGroups} values, too many to compare pair by pair; the study disparity compares each with everybody`;
    }
    const alone = divided.find((groups) => groups.length === 1)?.[0];
    if (alone !== undefined) {
      return `of ${named(alone.attribute)} there are answers of ${named(alone.value)} alone${alone.dataset === null ? '' : ` in ${named(alone.dataset)}`}`;
    }
    const single = met.flatMap((set) => set.undivided());
    const undivided = [...new Map(single.map((one) => [canonicalJson(one), one])).values()];
    if (undivided.length === 1)
      return `of ${named(undivided[0]!.attribute)} there is ${named(undivided[0]!.value)} alone`;
    if (undivided.length > 1) {
      const values = undivided.map(({ attribute, value }) => `${named(attribute)} ${named(value)}`);
      const apart = new Set(undivided.map(({ attribute }) => attribute)).size < undivided.length;
      return `no attribute has two values to compare${apart ? ' in one data set' : ''} (there is ${listed(values)})`;
    }
    return options.groupBy === null || options.groupBy.length > 0
      ? `${noAttributes[design.speakersFrom]} (sex, age, accent, …)`
      : '`groupBy` names no attribute';
  }
}

/** As they are resampled: an utterance of a speaker whom nobody knows is one of its own. */
function unitsWithWords({ counts }: GroupSide): number {
  return counts.denominators.reduce((units, words) => units + Number(words > 0), 0);
}

function hasWords({ n }: { readonly n: { readonly words?: number } }): boolean {
  return (n.words ?? 0) > 0;
}

/** The trials behind a statement, but for the recognizer. */
export type Trials = Pick<About, 'conditions' | 'group' | 'language'>;

/** The trials of a group, within one data set where there are several. */
export function groupTrials(attribute: string, value: string, dataset: string | null, design: Design): Trials {
  const { datasets, corpusBy } = design.survey;
  const one = dataset === null ? undefined : datasets.find((_, place) => datasetName(place, design) === dataset);
  if (one === undefined) return { group: { [attribute]: value } };
  const { corpus, language } = one;
  return {
    group: { [attribute]: value, ...(corpus !== null && { [corpusBy]: corpus }) },
    ...(language !== 'several' && { language }),
  };
}
