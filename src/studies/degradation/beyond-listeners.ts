import { type BeyondQuestion, type GapBeyond, gapsBeyondListeners, type HeardClip } from '../shared/listeners.ts';
import { createSpeakerClusters } from '../shared/speaker-clusters.ts';
import { binning, type Design, type MeasureKind } from './design.ts';
import type { DegradationOptions } from './options.ts';
import type { Tally } from './tally.ts';

/**
 * What a group loses more than another beyond what listeners lose on the same clips, over all conditions that are kept: those of a family
 * alike, then the families, as degradations are averaged. Null where nobody is said to be people.
 */
export function lossBeyondListeners(
  { heard, slices }: Tally,
  design: Design,
  options: DegradationOptions,
  kept: readonly { readonly kind: MeasureKind; readonly condition: number; readonly kept: boolean }[],
): GapBeyond[] | null {
  if (heard === null) return null;
  const there = new Set(heard.clips.map(({ condition }) => condition));
  const counted = (condition: number) =>
    there.has(condition) &&
    kept.some((one) => one.kind === 'word error rate' && one.condition === condition && one.kept);
  const families = design.families
    .map(({ conditions }) => conditions.filter(counted))
    .filter((conditions) => conditions.length > 0);
  const weights = design.conditions.map((_, condition) => {
    const own = families.find((conditions) => conditions.includes(condition));
    return own === undefined ? 0 : 1 / families.length / own.length;
  });
  weights[0] = families.length === 0 ? 0 : -1;
  const clusters = createSpeakerClusters();
  const binned = binning(options);
  const places = new Map<string, { readonly speaker: number; readonly attributes: Readonly<Record<string, string>> }>();
  const placeOf = ({ utterance }: HeardClip) => {
    let place = places.get(utterance.id);
    if (place === undefined) {
      place = { speaker: clusters.clusterOf(utterance), attributes: binned(utterance).attributes };
      places.set(utterance.id, place);
    }
    return place;
  };
  const groups = Map.groupBy(slices.groups(), ({ group }) => group!.attribute);
  const questions = [...groups].flatMap(([attribute, parts]) => {
    const values = parts.map(({ group }) => group!.value);
    return heard.machines.flatMap((recognizer) =>
      values.flatMap((other, place) =>
        values.slice(place + 1).map((value): BeyondQuestion => {
          const sides = [value, other];
          const count = weights.length;
          return {
            ...{
              recognizer,
              group: `${attribute} ${value}`,
              comparedWith: `${attribute} ${other}`,
              where: 'what is lost',
            },
            strata: sides.flatMap((_, side) =>
              weights.map((weight) => ({ weight: side === 0 ? weight : -weight, side })),
            ),
            stratumOf(clip) {
              const side = sides.indexOf(placeOf(clip).attributes[attribute] ?? '');
              return side < 0 ? null : side * count + clip.condition;
            },
            speakerOf: (clip) => placeOf(clip).speaker,
            same: JSON.stringify([attribute, value, other, recognizer]),
          };
        }),
      ),
    );
  });
  return gapsBeyondListeners(heard.clips, questions, options);
}
