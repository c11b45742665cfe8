/** More sets than this are not looked for: hostile tables of many models have exponentially many. */
const mostSets = 1000;

/**
 * The largest sets of things no two of which differ: FairLENS' clusters of models. Not being different does not pass on (a
 * does not differ from b, nor b from c, but a from c), so that one thing may lie in two sets. Maximal cliques after C. Bron and
 * J. Kerbosch, Communications of the ACM 16 (1973), with a pivot.
 *
 * @param count how many things, numbered from 0
 * @param different pairs that do differ
 * @returns sets in rising order of their members, at most 1,000 of them; one that differs from all others is a set of one
 * @example inseparableSets(3, [{ first: 0, second: 2 }]) // [[0, 1], [1, 2]]
 */
export function inseparableSets(
  count: number,
  different: readonly { readonly first: number; readonly second: number }[],
): number[][] {
  const apart = new Set(different.flatMap(({ first, second }) => [first * count + second, second * count + first]));
  const near = (one: number, other: number) => one !== other && !apart.has(one * count + other);
  const found: number[][] = [];
  const extend = (chosen: readonly number[], open: readonly number[], passed: readonly number[]): void => {
    if (found.length >= mostSets) return;
    if (open.length === 0) {
      if (passed.length === 0 && chosen.length > 0) found.push([...chosen].sort((a, b) => a - b));
      return;
    }
    const reach = (candidate: number) => open.filter((other) => near(candidate, other)).length;
    const pivot = [...open, ...passed].reduce((best, candidate) => (reach(candidate) > reach(best) ? candidate : best));
    let [left, done] = [open, passed];
    for (const next of open.filter((candidate) => !near(pivot, candidate))) {
      extend(
        [...chosen, next],
        left.filter((other) => near(next, other)),
        done.filter((other) => near(next, other)),
      );
      left = left.filter((other) => other !== next);
      done = [...done, next];
    }
  };
  extend(
    [],
    Array.from({ length: count }, (_, place) => place),
    [],
  );
  return found.sort(byMembers);
}

function byMembers(a: readonly number[], b: readonly number[]): number {
  const place = a.findIndex((member, index) => member !== b[index]);
  return place < 0 ? a.length - b.length : a[place]! - (b[place] ?? -1);
}
