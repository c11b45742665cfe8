/**
 * The name that somebody most likely meant, or null where none is near enough to be worth suggesting: the fewest
 * edits (optimal string alignment: insert, delete, replace, swap neighbours), at most a third of the longer length,
 * with letter case and the separators `-`, `_`, `/`, `:` and blanks counting little.
 *
 * @example nearestName('white-nosie', ['gain', 'white-noise']) // 'white-noise'
 */
export function nearestName(wanted: string, names: Iterable<string>): string | null {
  const plainWanted = plain(wanted.slice(0, longestName));
  let best: string | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const name of names) {
    const plainName = plain(name.slice(0, longestName));
    const longer = Math.max(plainWanted.length, plainName.length);
    const distance = editDistance(plainWanted, plainName);
    const nearEnough = distance <= Math.max(1, Math.floor(longer / 3)) && distance < longer;
    if (nearEnough && distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** Names come from people's files: what is longer than this is no typing mistake, and would take long to compare. */
const longestName = 100;

function plain(name: string): string {
  return name.toLowerCase().replace(/[-_/:\s]/g, '');
}

/** Optimal string alignment distance. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = previous[column - 1]! + (a[row - 1] === b[column - 1] ? 0 : 1);
      let distance = Math.min(replaced, previous[column]! + 1, current[column - 1]! + 1);
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) distance = Math.min(distance, beforePrevious[column - 2]! + 1);
      current.push(distance);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length]!;
}
