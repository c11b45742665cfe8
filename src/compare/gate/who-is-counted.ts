import { grouped } from '../../base/number-format.ts';
import type { GateCheck } from '../../model/gate.ts';
import type { Reason } from '../../model/reason.ts';
import type { BootstrapOptions, ClusteredCounts } from '../../statistics/bootstrap/clustered-counts.ts';
import { rateInterval } from '../../statistics/bootstrap/rate-interval.ts';
import { decisiveInWords, decisiveOf } from '../../studies/shared/decisive.ts';
import type { Part, SlicedCounts } from '../../studies/shared/sliced-counts.ts';
import { named, percent } from '../../studies/shared/wording.ts';

/** Of more than this share of the people nobody knows whether a limit on groups holds for them. */
const maxUnknownShare = 0.1;

interface Counted {
  /** The groups of the check; all, where it is about everybody. */
  readonly parts: readonly Part[];
  /** Whose trials are counted. */
  readonly series: number;
  /** All groups of this attribute are limited; null: one, or none. */
  readonly by: string | null;
}

/**
 * A check with who is not in it, and for whom others stand: clips whose speaker nobody knows count as speakers, and who has no value of an
 * attribute is in none of its groups. Neither passes a limit on groups: an interval over clips says nothing of people, and a limit on all groups
 * nothing of those who are in none.
 */
export function withWhoIsCounted(check: GateCheck, slices: SlicedCounts, { parts, series, by }: Counted): GateCheck {
  const clips = clipsWithoutSpeaker(parts, series);
  const absent = by === null ? null : withoutValue(slices, by);
  const notes = [
    ...(clips.unknown === 0
      ? []
      : clips.unknown === clips.all
        ? ['speakers unknown: clips are taken as speakers']
        : [
            `speakers of ${grouped(clips.unknown)} of ${grouped(clips.all)} clips unknown: these clips are taken as speakers`,
          ]),
    ...(absent === null || absent.unknown === 0
      ? []
      : [
          `${named(by!)} is not known for ${grouped(absent.unknown)} of ${grouped(absent.all)} ${absent.what} (${percent(absent.unknown, absent.all)})`,
        ]),
  ];
  if (notes.length === 0) return check;
  const isMuch = ({ unknown, all }: { readonly unknown: number; readonly all: number }) =>
    unknown > maxUnknownShare * all;
  const why: Reason | null =
    check.group !== null && isMuch(clips)
      ? { code: 'clips-for-people' }
      : absent !== null && isMuch(absent)
        ? { code: 'many-in-no-group' }
        : null;
  // Nothing that could be sampled otherwise: all errors are those of the baseline, or the limit is broken for those who are known.
  const isSure = check.verdict === 'fail' || (check.verdict === 'pass' && isUnchanged(check));
  if (why === null || isSure) return { ...check, notes };
  return { ...check, notes, verdict: 'inconclusive', why, moreSpeakers: null };
}

/**
 * A check with the utterances or speakers that decide it, and whether it fails through one of them alone.
 *
 * @param rates what it is of; for a gap the rates of both groups
 */
export function withWhoDecides(
  check: GateCheck,
  slices: SlicedCounts,
  rates: readonly { readonly part: Part; readonly series: number; readonly counts: ClusteredCounts }[],
  options: BootstrapOptions,
): GateCheck {
  const isChange = check.measure === 'worseBy';
  const notes = rates.flatMap(({ part, series, counts }) => {
    const ends = check.measure === 'gap' ? rateInterval(counts, options) : check.value;
    const watched = { counts, units: part.units, watch: part.watch(series) };
    const decisive = decisiveOf(watched, () => ({ ...ends, n: check.value.n }), options, slices.clusters.speakerOf);
    if (decisive === null) return [];
    const alone = check.verdict === 'fail' && check.measure !== 'gap' && decisive.without.value! <= check.limit;
    const { length } = decisive.utterances;
    const who = length === 0 ? 'one speaker' : length === 1 ? 'one utterance' : `${length} utterances`;
    const told = decisiveInWords(
      decisive,
      { measure: 'WER', ...(isChange && { to: 'the baseline' }) },
      alone ? `it fails through ${who} alone` : part.group === null ? '' : named(part.group.value),
    );
    return [told.replace(/\.$/, '').replace(/^One /, 'one ')];
  });
  if (notes.length === 0) return check;
  // More speakers would not make one of them less odd.
  const { why } = check;
  const open = why?.code === 'limit-inside' || why?.code === 'alone-it-would-fail' ? { why: { code: why.code } } : {};
  return {
    ...check,
    ...open,
    notes: [...(check.notes ?? []), ...notes],
    ...(check.moreSpeakers != null && { moreSpeakers: null }),
  };
}

/** Whether all errors are the same as in the baseline. */
function isUnchanged({ before, upperBound, value }: Pick<GateCheck, 'before' | 'upperBound' | 'value'>): boolean {
  return before !== undefined && upperBound === 0 && value.value === 0;
}

function clipsWithoutSpeaker(parts: readonly Part[], series: number) {
  const clips = { unknown: 0, all: 0 };
  for (const part of parts) {
    const sums = part.sums(series);
    for (const place of part.units.keys()) {
      const utterances = sums?.utterancesOf(place) ?? 0;
      clips.all += utterances;
      if (!part.isSpeaker(place)) clips.unknown += utterances;
    }
  }
  return clips;
}

/** Of speakers; of utterances, where these are more. */
function withoutValue(slices: SlicedCounts, attribute: string) {
  const own = slices.groups().filter(({ group }) => group!.attribute === attribute);
  const known = new Set(own.flatMap(({ units }) => units));
  const speakers = { unknown: slices.clusters.count - known.size, all: slices.clusters.count, what: 'speakers' };
  const utterances = {
    unknown: slices.missing().find((one) => one.attribute === attribute)?.utterances ?? 0,
    all: slices.entered,
    what: 'utterances',
  };
  return utterances.unknown * speakers.all > speakers.unknown * utterances.all ? utterances : speakers;
}
