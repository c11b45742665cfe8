import { formatFixed, grouped } from '../../../base/number-format.ts';
import { createRandom } from '../../../base/random.ts';
import { counted } from '../../../base/wording.ts';
import type { Chart, Estimate, Finding, Section, Statement, Table } from '../../../model/finding.ts';
import { reasonText } from '../../../model/reason.ts';
import { krippendorffAlphaInterval, type Rating } from '../../../statistics/agreement/krippendorff-alpha.ts';
import { randomOfData } from '../../../statistics/bootstrap/random-of-data.ts';
import {
  minimumClips,
  minimumListenersAlone,
  ratingPrecision,
  ratingSpreads,
} from '../../../statistics/planning/rating-precision.ts';
import { toEstimate } from '../estimates.ts';
import { column, tableOf } from '../tables.ts';

import { type GivenRating, type RatingMean, ratingMeans } from './ratings.ts';

/** How a table of ratings is looked at. */
export interface RatingsOptions {
  /** A mean of at least this passes, on each scale; null: nothing is judged. */
  readonly atLeast: number | null;
  /** What is judged as a whole: `relation` (SR-MT, by corpus) where rows name one, or `condition` (AequeVox). */
  readonly per: 'condition' | 'relation';
  /** How severe a condition is, in words; null: not known. */
  labelOf(condition: string): string | null;
}

/** What a mean with its interval allows to say of a threshold. */
export type GateVerdict = 'pass' | 'fail' | 'cannot tell';

const level = 0.95;
const means = { level, resamples: 2000, minimumSpeakers: minimumListenersAlone };

/**
 * Whether a mean is at least a threshold: only where its whole interval says so.
 *
 * @example passes({ value: 4.3, low: 3.9, high: 4.7 }, 4) // 'cannot tell'
 */
export function passes({ low, high }: Pick<Estimate, 'low' | 'high'>, atLeast: number): GateVerdict {
  if (low === null || high === null) return 'cannot tell';
  return low >= atLeast ? 'pass' : high < atLeast ? 'fail' : 'cannot tell';
}

/** Each scale must pass; one that fails decides. */
function together(verdicts: readonly GateVerdict[]): GateVerdict {
  if (verdicts.includes('fail')) return 'fail';
  return verdicts.every((verdict) => verdict === 'pass') ? 'pass' : 'cannot tell';
}

/**
 * What listeners said: mean ratings with intervals in which listeners and clips are clusters, what passes a threshold, how far listeners agree, who was left out, and how many
 * listeners and clips would say more. AequeVox' Table 10 and Fig. 5, SR-MT's Table 1 and its gate.
 *
 * @example findingOfRatings(readAllRatings('ratings.csv', text), { atLeast: 4, per: 'relation', labelOf: () => null })
 */
export function findingOfRatings(rows: readonly GivenRating[], options: RatingsOptions): Finding {
  const { atLeast, per, labelOf } = options;
  const there = rows.filter(({ excluded }) => excluded === null);
  const counting = there.filter(({ kind }) => kind === 'rated');
  const about = ({ condition, relation }: GivenRating) =>
    per === 'relation' ? (relation ?? condition) : (condition ?? relation);
  const of = (own: readonly GivenRating[], nameOf: (row: GivenRating) => string | null) =>
    ratingMeans(own, (row) => nameOf(row as GivenRating), { ...means, random: randomOfData(0) });
  const rated = of(counting, about);
  const known = (['original', 'anchor'] as const).flatMap((kind) =>
    of(
      there.filter((row) => row.kind === kind).map((row) => ({ ...row, corpus: null })),
      () => (kind === 'original' ? 'hidden originals' : 'anchors'),
    ),
  );
  const judged = rated.map((mean) => ({ ...mean, verdict: atLeast === null ? null : passes(mean.mean, atLeast) }));
  const groups = [...Map.groupBy(judged, ({ about: name, corpus }) => JSON.stringify([name, corpus])).values()].map(
    (own) => ({
      about: own[0]!.about,
      corpus: own[0]!.corpus,
      verdict: atLeast === null ? null : together(own.map(({ verdict }) => verdict!)),
    }),
  );
  const listeners = new Set(rows.flatMap(({ listener }) => listener ?? [])).size;
  const left = leftOut(rows);
  const sections: Section[] = [
    {
      id: 'ratings-means',
      title: 'Mean ratings',
      summary: true,
      text: [
        `${counted(counting.length, 'rating')} of ${counted(new Set(counting.map(clipOf)).size, 'clip')} count.${
          atLeast === null
            ? ''
            : ` Pass: the whole interval is ${atLeast} or more, on each scale; fail: on one of them, all of it is less.`
        }`,
      ],
      charts: chartsOf(rated, labelOf),
      tables: [meansTable([...judged, ...known.map((mean) => ({ ...mean, verdict: null }))], atLeast, labelOf)],
    },
    agreementSection(there, about, rated),
    ...(left.length === 0 ? [] : [leftOutSection(left)]),
  ];
  return {
    study: { name: 'ratings', version: 5 },
    title: 'Ratings of listeners',
    settings: { atLeast, per, level },
    answer: answerOf(groups, judged, { atLeast, per, listeners, left: left.length }),
    sections,
    warnings: warningsOf(rows, rated),
  };
}

type Judged = RatingMean & { readonly verdict: GateVerdict | null };

function answerOf(
  groups: readonly { readonly about: string; readonly corpus: string | null; readonly verdict: GateVerdict | null }[],
  judged: readonly Judged[],
  {
    atLeast,
    per,
    listeners,
    left,
  }: {
    readonly atLeast: number | null;
    readonly per: RatingsOptions['per'];
    readonly listeners: number;
    readonly left: number;
  },
): Statement[] {
  const whom = `${listeners === 0 ? 'Listeners without names' : counted(listeners, 'listener')}${left === 0 ? '' : `, ${left} of them left out by rule,`}`;
  if (judged.length === 0) return [{ text: 'No rating counts, so there is no result.' }];
  const [worst] = judged.toSorted((a, b) => a.mean.value! - b.mean.value!);
  const lowest: Statement = {
    text: `${whom} rated ${counted(groups.length, per)}; lowest: ${worst!.about}${worst!.scale === null ? '' : `, ${worst!.scale}`}, ${inWords(worst!.mean)}, of ${counted(worst!.ratings, 'rating')}.`,
    kind: 'number',
  };
  if (atLeast === null) return [lowest];
  const count = (verdict: GateVerdict) => groups.filter((group) => group.verdict === verdict).length;
  return [
    {
      text: `Of ${counted(groups.length, per)}, ${count('pass')} pass (mean of at least ${atLeast} on each scale), ${count('fail')} fail, and ${count('cannot tell')} cannot be told.`,
    },
    lowest,
  ];
}

function inWords({ value, low, high, reason }: Estimate): string {
  const number = (one: number) => formatFixed(one, 2);
  if (low === null || high === null)
    return `${number(value!)} (${reason === undefined ? 'no interval' : reasonText(reason)})`;
  return `${number(value!)} (95 % CI ${number(low)}-${number(high)})`;
}

function meansTable(rows: readonly Judged[], atLeast: number | null, labelOf: RatingsOptions['labelOf']): Table {
  const has = (key: 'corpus' | 'scale') => rows.some((row) => row[key] !== null);
  return {
    ...tableOf('ratings-means', 'Mean ratings', rows, [
      column('about', 'Rated', 'text', ({ about }) => about),
      rows.some(({ about }) => labelOf(about) !== null) &&
        column('severity', 'Severity', 'text', ({ about }) => labelOf(about)),
      has('corpus') && column('corpus', 'Corpus', 'text', ({ corpus }) => corpus),
      has('scale') && column('scale', 'Scale', 'text', ({ scale }) => scale),
      column('mean', 'Mean rating', 'number', ({ mean }) => mean),
      atLeast !== null && column('verdict', `At least ${atLeast}`, 'text', ({ verdict }) => verdict),
      column('ratings', 'Ratings', 'count', ({ ratings }) => ratings),
      column('listeners', 'Listeners', 'count', ({ listeners }) => listeners),
    ]),
    note: 'Intervals have listeners and clips as clusters; with fewer than four clips they have listeners alone, and are about these clips.',
  };
}

/** One chart for each scale: families by severity, as AequeVox' Fig. 5; nothing where no family has two severities. */
function chartsOf(rated: readonly RatingMean[], labelOf: RatingsOptions['labelOf']): Chart[] {
  return [...Map.groupBy(rated, ({ scale, corpus }) => JSON.stringify([scale, corpus])).values()].flatMap((own) => {
    const ranked = own.flatMap((row) => {
      const [, family, rank] = /^(.+):(\d+)$/.exec(row.about) ?? [];
      return rank === undefined ? [] : [{ ...row, family: family!, rank: Number(rank) }];
    });
    const families = [...Map.groupBy(ranked, ({ family }) => family)].filter(([, points]) => points.length > 1);
    if (families.length === 0) return [];
    const ranks = [...new Set(families.flatMap(([, points]) => points.map(({ rank }) => rank)))].sort((a, b) => a - b);
    const [{ scale, corpus }] = own as [RatingMean];
    const where = [scale, corpus].filter((name) => name !== null).join(', ');
    const tick = (rank: number) =>
      (families.length === 1 ? labelOf(`${families[0]![0]}:${rank}`) : null) ?? String(rank);
    return [
      {
        title: `Mean rating by severity${where === '' ? '' : `: ${where}`}`,
        ...{ xLabel: 'Severity, 1 the mildest', xTicks: ranks.map(tick) },
        ...{ yLabel: 'Mean rating', yKind: 'number' as const },
        series: families.map(([name, points]) => ({
          name,
          points: points.map(({ rank, mean }) => ({ x: ranks.indexOf(rank), estimate: mean })),
        })),
      },
    ];
  });
}

function clipOf({ utterance, condition, relation, corpus }: GivenRating): string {
  return JSON.stringify([utterance, condition ?? relation, corpus]);
}

/**
 * How far listeners agree with each other and with themselves, and what more of them would give: the half width of the interval that the mean in the middle has, which stands
 * in the table of means, and by how much twice as many listeners or clips narrow it by the spreads of these ratings.
 */
function agreementSection(
  rows: readonly GivenRating[],
  about: (row: GivenRating) => string | null,
  rated: readonly RatingMean[],
): Section {
  const meanOf = (row: GivenRating) => JSON.stringify([about(row), row.corpus]);
  // Conditions of one relation differ, which is no spread of ratings.
  const spreadOf = (row: GivenRating) => JSON.stringify([meanOf(row), row.condition]);
  const scales = [...Map.groupBy(rows, ({ scale }) => scale)];
  const found = scales.map(([scale, own]) => {
    const firsts = own.filter(({ kind }) => kind !== 'repeat');
    const byListener = [...Map.groupBy(firsts, ({ listener }) => listener)].filter(([name]) => name !== null);
    const units = [...new Set(firsts.map(clipOf))];
    const ratings = byListener.map(([, mine]): Rating[] => {
      const known = new Map(mine.map((row) => [clipOf(row), row.rating]));
      return units.map((unit) => known.get(unit) ?? null);
    });
    const alpha = krippendorffAlphaInterval(ratings, 'ordinal', { random: createRandom({ alpha: scale }) });
    const repeats = own.flatMap((row) => {
      if (row.kind !== 'repeat') return [];
      const first = firsts.find((one) => one.listener === row.listener && clipOf(one) === clipOf(row));
      return first === undefined ? [] : [Math.abs(first.rating - row.rating)];
    });
    const counting = firsts.filter(({ kind }) => kind === 'rated');
    const spreads = ratingSpreads(
      counting.map((row) => ({
        listener: row.listener,
        clip: row.utterance,
        group: spreadOf(row),
        rating: row.rating,
      })),
    );
    const usual = middleOf(rated.filter((mean) => mean.scale === scale));
    const layout = layoutOf(
      usual === null ? [] : counting.filter((row) => about(row) === usual.about && row.corpus === usual.corpus),
    );
    const now = usual?.mean.low == null ? null : (usual.mean.high! - usual.mean.low) / 2;
    const reached = (times: { readonly listeners: number; readonly clips: number }) => {
      const { listeners, clips, conditions } = layout;
      if (spreads === null || listeners === 0) return null;
      const more = { conditions, listeners: listeners * times.listeners, clips: clips * times.clips };
      // Of these clips alone and of clips like them are two questions.
      if (clips < minimumClips && more.clips >= minimumClips) return null;
      const [said, expected] = [layout, more].map((one) => ratingPrecision(one, spreads, level));
      return expected == null || now === null || said == null ? (expected ?? null) : (now * expected) / said;
    };
    return {
      scale,
      alpha: toEstimate(alpha, {
        ...{ utterances: alpha.units, speakers: 0 },
        ...{ ratings: ratings.flat().filter((one) => one !== null).length, listeners: byListener.length },
      }),
      repeats: repeats.length,
      apart: repeats.length === 0 ? null : repeats.reduce((sum, one) => sum + one, 0) / repeats.length,
      ...{ spreads, usual, now },
      moreListeners: reached({ listeners: 2, clips: 1 }),
      moreClips: reached({ listeners: 1, clips: 2 }),
    };
  });
  const scaleColumn =
    scales.length > 1 && column<(typeof found)[number]>('scale', 'Scale', 'text', ({ scale }) => scale);
  const withSpreads = found.filter(({ spreads }) => spreads !== null);
  return {
    id: 'ratings-agreement',
    title: 'How far listeners agree',
    text: [
      "Krippendorff's alpha: 1 where all agree, 0 where they agree as by chance; with grades in order. Repeats: how far the same listener is from her own first rating.",
    ],
    tables: [
      tableOf('ratings-agreement', 'Agreement', found, [
        scaleColumn,
        column('alpha', 'Alpha', 'number', ({ alpha }) => alpha),
        column('units', 'Clips', 'count', ({ alpha }) => alpha.n.utterances),
        column('repeats', 'Repeats', 'count', ({ repeats }) => repeats),
        column('apart', 'Mean difference', 'number', ({ apart }) => apart),
      ]),
      ...(withSpreads.length === 0
        ? []
        : [
            {
              ...tableOf('ratings-spreads', 'What ratings are made of, and what more would give', withSpreads, [
                scaleColumn,
                column('listeners', 'Listeners', 'number', ({ spreads }) => spreads!.listeners),
                column('clips', 'Clips', 'number', ({ spreads }) => spreads!.clips),
                column('rest', 'Rest', 'number', ({ spreads }) => spreads!.rest),
                column('usual', 'Mean rating of', 'text', ({ usual }) => nameOf(usual)),
                column('now', 'Half width', 'number', ({ now }) => now),
                column('moreListeners', 'Twice the listeners', 'number', ({ moreListeners }) => moreListeners),
                column('moreClips', 'Twice the clips', 'number', ({ moreClips }) => moreClips),
              ]),
              note: 'Standard deviations in steps of the scale; `rate --spreads LISTENERS,CLIPS,REST` plans with them. Half width: that of the interval in the middle of those above, and what it would be.',
            },
          ]),
    ],
  };
}

/** The mean whose interval is in the middle by width; where none has one, the first; null: there is none. */
function middleOf(rated: readonly RatingMean[]): RatingMean | null {
  const widthOf = ({ mean: { low, high } }: RatingMean) => high! - low!;
  const known = rated.filter(({ mean }) => mean.low !== null).sort((a, b) => widthOf(a) - widthOf(b));
  return known[Math.floor((known.length - 1) / 2)] ?? rated[0] ?? null;
}

function nameOf(mean: RatingMean | null): string | null {
  return mean === null ? null : [mean.about, mean.corpus].filter((name) => name !== null).join(', ');
}

/** How many listeners and clips a mean rests on, and among how many conditions each listener's clips are dealt. */
function layoutOf(rows: readonly GivenRating[]) {
  const listeners = new Set(rows.flatMap(({ listener }) => listener ?? [])).size;
  const clips = Math.max(1, new Set(rows.map(({ utterance }) => utterance)).size);
  return { listeners, clips, conditions: (listeners * clips) / Math.max(1, rows.length) };
}

function leftOut(rows: readonly GivenRating[]) {
  const own = Map.groupBy(
    rows.filter(({ excluded }) => excluded !== null),
    ({ listener, excluded }) => JSON.stringify([listener, excluded]),
  );
  return [...own.values()].map((mine) => ({
    listener: mine[0]!.listener,
    reason: mine[0]!.excluded!,
    ratings: mine.length,
  }));
}

function leftOutSection(left: ReturnType<typeof leftOut>): Section {
  return {
    id: 'ratings-excluded',
    title: 'Who was left out',
    text: [
      'By rules that were fixed before anybody rated, and that look at hidden originals, anchors and repeats alone.',
    ],
    tables: [
      tableOf('ratings-excluded', 'Left out', left, [
        column('listener', 'Listener', 'text', ({ listener }) => listener),
        column('reason', 'Because', 'text', ({ reason }) => reason),
        column('ratings', 'Ratings', 'count', ({ ratings }) => ratings),
      ]),
    ],
  };
}

function warningsOf(rows: readonly GivenRating[], rated: readonly RatingMean[]): string[] {
  const few = rated.filter(({ mean }) => mean.low === null).length;
  return [
    ...(rows.some(({ listener }) => listener === null)
      ? ['Some ratings name no listener: they count as independent of each other, so that intervals may be too narrow.']
      : []),
    ...(few > 0
      ? [
          `${counted(few, 'mean')} of ${grouped(rated.length)} have no interval: ${rated.find(({ mean }) => mean.low === null)!.mean.reason}.`,
        ]
      : []),
  ];
}
