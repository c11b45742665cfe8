/**
 * All choices of so many attributes, in their order: the two-way combinations whose values make FairLENS' subgroups (2
 * sexes, 3 ages, 4 races and 5 accents make 71), or the three-way ones of its comparison of corpora.
 *
 * @param ways how many attributes a combination has, at least 1
 * @throws RangeError for `ways` that are not whole and above 0
 * @example attributeCombinations(['sex', 'age', 'accent'], 2) // [['sex', 'age'], ['sex', 'accent'], ['age', 'accent']]
 */
export function attributeCombinations(attributes: readonly string[], ways: number): string[][] {
  if (!(Number.isInteger(ways) && ways > 0)) {
    throw new RangeError(`expected a whole number of attributes above 0, but got ${ways}`);
  }
  if (ways === 1) return attributes.map((attribute) => [attribute]);
  return attributes.flatMap((attribute, place) =>
    attributeCombinations(attributes.slice(place + 1), ways - 1).map((rest) => [attribute, ...rest]),
  );
}
