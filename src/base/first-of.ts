/**
 * The first of what comes, and all of it with these, to be read once.
 *
 * @param isEnough whether one is the last to be looked at, and the how many-th it is
 * @throws what reading the very first does; what is wrong behind it is thrown where it comes
 * @example (await firstOf(lines, (_, count) => count === 300)).first.length // at most 300
 */
export async function firstOf<T>(
  coming: AsyncIterable<T>,
  isEnough: (one: T, count: number) => boolean,
): Promise<{ readonly first: readonly T[]; readonly all: AsyncGenerator<T> }> {
  const first: T[] = [];
  const rest = coming[Symbol.asyncIterator]();
  let thrown: { readonly error: unknown } | null = null;
  try {
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      if (isEnough(next.value, first.push(next.value))) break;
    }
  } catch (error) {
    if (first.length === 0) throw error;
    thrown = { error };
  }
  async function* all(): AsyncGenerator<T> {
    yield* first;
    if (thrown !== null) throw thrown.error;
    yield* { [Symbol.asyncIterator]: () => rest };
  }
  return { first, all: all() };
}
