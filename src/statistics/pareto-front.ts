/**
 * Which points no other point beats: another beats a point if it is at least as good on every axis and better on one (V.
 * Pareto, 1906). Points that are equal on all axes do not beat each other and stay together. A point with a coordinate
 * that does not exist (null) can neither beat nor be judged and is left out.
 *
 * @param points one list of coordinates each (word error rate, disparity, price)
 * @param directions which way is better, axis by axis
 * @returns the places of the points of the front, in rising order
 * @throws RangeError for points with another number of axes, or coordinates that are NaN
 * @example paretoFront([[.1, .05], [.2, .01], [.2, .06]], ['minimize', 'minimize']) // [0, 1]
 */
export function paretoFront(
  points: readonly (readonly (number | null)[])[],
  directions: readonly ('minimize' | 'maximize')[],
): number[] {
  const axes = directions.length;
  const costs: { readonly index: number; readonly cost: readonly number[] }[] = [];
  points.forEach((point, index) => {
    if (point.length !== axes)
      throw new RangeError(`expected ${axes} coordinates, but point ${index} has ${point.length}`);
    if (point.some(Number.isNaN)) throw new RangeError(`expected numbers, but a coordinate of point ${index} is NaN`);
    if (point.includes(null)) return;
    const cost = point.map((value, axis) => (directions[axis] === 'minimize' ? value! : -value!));
    costs.push({ index, cost });
  });
  // In lexicographic order a point can only be beaten by one before it, and then by one of the front.
  costs.sort((a, b) => {
    const axis = a.cost.findIndex((value, place) => value !== b.cost[place]);
    return axis < 0 ? 0 : a.cost[axis]! < b.cost[axis]! ? -1 : 1;
  });
  const front: typeof costs = [];
  for (const candidate of costs) {
    const beaten = front.some(({ cost }) => {
      let better = false;
      for (let axis = 0; axis < axes; axis++) {
        if (cost[axis]! > candidate.cost[axis]!) return false;
        if (cost[axis]! < candidate.cost[axis]!) better = true;
      }
      return better;
    });
    if (!beaten) front.push(candidate);
  }
  return front.map(({ index }) => index).sort((a, b) => a - b);
}
