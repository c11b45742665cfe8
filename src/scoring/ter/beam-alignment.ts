/** Places to either side of the diagonal that are looked at. */
const beamWidth = 25;
const unreachable = 2 ** 30;

/** What a path does at one place, seen from the hypothesis that is turned into the reference. */
export const step = { none: 0, match: 1, substitution: 2, deletion: 3, insertion: 4 } as const;

/**
 * Least edits between two sequences along a band around the line from corner to corner, as Tercom's search wants them: the
 * words against each other before a deletion before an insertion. The band is wide enough for any texts of the same
 * length or nearly so; where they differ much, the result can be more than the least.
 *
 * @param path where the steps are written, last first; null where only their number is wanted
 */
export function alignWithinBeam(reference: Int32Array, hypothesis: Int32Array, path: number[] | null): number {
  const rows = hypothesis.length;
  const columns = reference.length;
  const lengthRatio = rows === 0 ? 1 : columns / rows;
  const beam = beamWidth < lengthRatio / 2 ? Math.ceil(lengthRatio / 2 + beamWidth) : beamWidth;
  const firstColumn = (row: number) => (row === 0 ? 0 : Math.max(0, Math.floor(row * lengthRatio) - beam));
  const endColumn = (row: number) =>
    row === 0 || row === rows ? columns + 1 : Math.min(columns + 1, Math.floor(row * lengthRatio) + beam);

  let before = new Int32Array(columns + 1);
  let costs = new Int32Array(columns + 1);
  for (let column = 0; column <= columns; column++) before[column] = column;
  const steps: Uint8Array[] = [];
  for (let row = 1; row <= rows; row++) {
    const first = firstColumn(row);
    const end = endColumn(row);
    const stepsHere = path === null ? null : new Uint8Array(end - first);
    if (stepsHere) steps.push(stepsHere);
    const word = hypothesis[row - 1]!;
    const firstBefore = firstColumn(row - 1);
    const endBefore = endColumn(row - 1);
    for (let column = first; column < end; column++) {
      let least = unreachable;
      let taken: number = step.none;
      if (column > firstBefore && column <= endBefore) {
        const same = word === reference[column - 1];
        least = before[column - 1]! + (same ? 0 : 1);
        taken = same ? step.match : step.substitution;
      }
      if (column >= firstBefore && column < endBefore && before[column]! + 1 < least) {
        least = before[column]! + 1;
        taken = step.deletion;
      }
      if (column > first && costs[column - 1]! + 1 < least) {
        least = costs[column - 1]! + 1;
        taken = step.insertion;
      }
      costs[column] = least;
      if (stepsHere) stepsHere[column - first] = taken;
    }
    [before, costs] = [costs, before];
  }
  if (path !== null) {
    let row = rows;
    let column = columns;
    while (row > 0 || column > 0) {
      const taken = row === 0 ? step.insertion : steps[row - 1]![column - firstColumn(row)]!;
      path.push(taken);
      if (taken !== step.insertion) row--;
      if (taken !== step.deletion) column--;
    }
  }
  return before[columns]!;
}
