/**
 * A function that remembers what it made for the arguments used last.
 *
 * @param count results kept
 * @param keyOf a text for each argument that stands for another result
 */
export function keepRecent<Argument, Result>(
  count: number,
  keyOf: (argument: Argument) => string,
  make: (argument: Argument) => Result,
): (argument: Argument) => Result {
  const kept = new Map<string, Result>();
  return (argument) => {
    const key = keyOf(argument);
    const result = kept.has(key) ? (kept.get(key) as Result) : make(argument);
    kept.delete(key);
    kept.set(key, result);
    for (const oldest of kept.keys()) {
      if (kept.size <= count) break;
      kept.delete(oldest);
    }
    return result;
  };
}
