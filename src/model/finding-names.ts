/**
 * What tells the findings of one run from each other: what the config calls a study, or else its type, numbered where several have
 * the same.
 *
 * @param types by study, in order
 * @param given by study; undefined where there is none
 * @example findingNames(['robustness', 'robustness'], []) // ['robustness', 'robustness-2']
 */
export function findingNames(types: readonly string[], given: readonly (string | undefined)[]): string[] {
  // Letter case alone tells no files apart everywhere.
  const taken = new Set(given.flatMap((name) => name?.toLowerCase() ?? []));
  return types.map((type, place) => {
    const own = given[place];
    if (own !== undefined) return own;
    let name = type;
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${type}-${number}`;
    taken.add(name.toLowerCase());
    return name;
  });
}
