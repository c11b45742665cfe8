import type { Random } from '../../base/random.ts';

/**
 * Deals profiles anew among speakers, again with every call. A speaker with several profiles (an attribute that changes from
 * recording to recording) receives those of another who has as many, in any order: where attributes do not matter, each
 * such arrangement is as likely as the observed.
 *
 * @param speakers the rows of each
 * @param profiles of each row
 * @param strata of each row; speakers are dealt profiles of those who have as many rows of each stratum. One for all by default
 * @returns the profile of each row; overwritten by the next call
 */
export function dealProfiles(
  speakers: readonly (readonly number[])[],
  profiles: ArrayLike<number>,
  random: Random,
  strata?: ArrayLike<number>,
): () => Int32Array {
  const dealt = Int32Array.from(profiles);
  const kindOf = (rows: readonly number[]) =>
    rows
      .map((row) => strata?.[row] ?? 0)
      .sort()
      .join(' ');
  const alike = [...Map.groupBy(speakers, kindOf).values()].map((members) => ({
    size: members[0]!.length,
    members,
    hands: Int32Array.from(members.flatMap((rows) => rows.map((row) => profiles[row]!))),
    order: Uint32Array.from(members, (_, place) => place),
  }));
  return () => {
    for (const { size, members, hands, order } of alike) {
      shuffle(order, 0, order.length, random);
      for (let place = 0; place < members.length; place++) {
        const from = order[place]! * size;
        if (size > 1) shuffle(hands, from, size, random);
        const rows = members[place]!;
        for (let row = 0; row < size; row++) dealt[rows[row]!] = hands[from + row]!;
      }
    }
    return dealt;
  };
}

/** Fisher and Yates, of so many values from a place on. */
function shuffle(values: Int32Array | Uint32Array, from: number, count: number, random: Random): void {
  for (let left = count - 1; left > 0; left--) {
    const drawn = from + random.integer(left + 1);
    const value = values[drawn]!;
    values[drawn] = values[from + left]!;
    values[from + left] = value;
  }
}
