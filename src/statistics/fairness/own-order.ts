import { type GroupedUnits, rowsBySpeaker } from './grouped-units.ts';

/**
 * Units in an order that follows from the groups they are in, speaker after speaker, and profiles as these groups: whatever anybody is called, the
 * same data are dealt alike. What was counted decides nothing: another outcome beside must not change how these are dealt.
 */
export function inOwnOrder(given: GroupedUnits): GroupedUnits {
  const { kinds, groups } = kindsOfProfiles(given);
  const keys = [
    ...(given.strata === undefined ? [] : [given.strata]),
    Array.from(given.profiles, (profile) => kinds.get(profile)!),
  ];
  const byRow = (one: number, other: number) => {
    for (const key of keys) if (key[one] !== key[other]) return key[one]! - key[other]!;
    return 0;
  };
  const speakers = rowsBySpeaker(given).map((rows) => rows.sort(byRow));
  speakers.sort((one, other) => {
    if (one.length !== other.length) return one.length - other.length;
    for (const [place, row] of one.entries()) {
      const difference = byRow(row, other[place]!);
      if (difference !== 0) return difference;
    }
    return 0;
  });
  const order = speakers.flat();
  const arrange = (values: ArrayLike<number>) => Float64Array.from(order, (row) => values[row]!);
  return {
    speakers: speakers.flatMap((rows, speaker) => rows.map(() => speaker)),
    profiles: order.map((row) => kinds.get(given.profiles[row]!)!),
    ...(given.strata === undefined ? {} : { strata: arrange(given.strata) }),
    groups,
    outcomes: given.outcomes.map(({ numerators, denominators }) => ({
      numerators: arrange(numerators),
      denominators: arrange(denominators),
    })),
  };
}

/** Profiles that are in the same groups are one to every figure; they are numbered by these groups. */
function kindsOfProfiles({ profiles, groups }: GroupedUnits) {
  const groupsOf = new Map<number, number[]>(Array.from(profiles, (profile) => [profile, []]));
  groups.forEach((members, group) => {
    for (const profile of new Set(members)) groupsOf.get(profile)?.push(group);
  });
  const names = [...new Set(Array.from(groupsOf.values(), String))].sort();
  const numbers = new Map(names.map((name, kind) => [name, kind]));
  const kinds = new Map(Array.from(groupsOf, ([profile, own]) => [profile, numbers.get(String(own))!]));
  const kindsIn = groups.map((members) => [...new Set(members.flatMap((profile) => kinds.get(profile) ?? []))]);
  return { kinds, groups: kindsIn.map((own) => own.sort((a, b) => a - b)) };
}
