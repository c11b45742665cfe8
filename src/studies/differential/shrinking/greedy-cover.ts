/** One set that was taken to cover items. */
export interface CoverStep {
  readonly set: number;
  /** The items that it covers and none taken before does, in their order. */
  readonly items: readonly number[];
}

/**
 * Covers items by few sets: takes again and again the set with most items that are not covered yet, of equal ones that of the
 * lowest number (V. Chvatal, "A greedy heuristic for the set-covering problem", Mathematics of Operations Research 4, 1979: at
 * most the harmonic number of the largest set times as many as needed).
 *
 * @param setsOfItem for each item the sets that hold it, each once
 * @param options.mostSets sets taken at most; time grows with this times the number of sets
 * @param options.leastItems sets that would cover fewer are not taken
 * @example greedyCover([[0], [0, 1], [1]], 2, { mostSets: 2, leastItems: 1 }) // [{ set: 0, items: [0, 1] }, { set: 1, items: [2] }]
 */
export function greedyCover(
  setsOfItem: readonly ArrayLike<number>[],
  setCount: number,
  { mostSets, leastItems }: { readonly mostSets: number; readonly leastItems: number },
): CoverStep[] {
  const open = new Uint32Array(setCount);
  for (const sets of setsOfItem) for (let place = 0; place < sets.length; place++) open[sets[place]!]!++;
  const starts = new Uint32Array(setCount + 1);
  for (let set = 0; set < setCount; set++) starts[set + 1] = starts[set]! + open[set]!;
  const members = new Uint32Array(starts[setCount]!);
  const filled = starts.slice(0, setCount);
  setsOfItem.forEach((sets, item) => {
    for (let place = 0; place < sets.length; place++) members[filled[sets[place]!]!++] = item;
  });

  const covered = new Uint8Array(setsOfItem.length);
  const steps: CoverStep[] = [];
  while (steps.length < mostSets) {
    let best = -1;
    for (let set = 0; set < setCount; set++) if (best === -1 || open[set]! > open[best]!) best = set;
    if (best === -1 || open[best]! < Math.max(1, leastItems)) break;
    const items: number[] = [];
    for (let place = starts[best]!; place < starts[best + 1]!; place++) {
      const item = members[place]!;
      if (covered[item]) continue;
      covered[item] = 1;
      items.push(item);
      const sets = setsOfItem[item]!;
      for (let other = 0; other < sets.length; other++) open[sets[other]!]!--;
    }
    steps.push({ set: best, items });
  }
  return steps;
}
