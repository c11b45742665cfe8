/**
 * Does the same to many things, several at once, and gives the answers in the order of the things. No more than `atOnce` are
 * under way or waiting for their turn, so memory stays bounded however many there are.
 *
 * @example for await (const clip of inOrder(files, 4, read)) play(clip);
 */
export async function* inOrder<Thing, Answer>(
  things: AsyncIterable<Thing> | Iterable<Thing>,
  atOnce: number,
  work: (thing: Thing) => Promise<Answer>,
): AsyncGenerator<Answer> {
  const underWay: Promise<Answer>[] = [];
  for await (const thing of things) {
    const answer = work(thing);
    // An error is met in its turn; until then it is not unhandled.
    answer.catch(() => {});
    underWay.push(answer);
    if (underWay.length >= atOnce) yield await underWay.shift()!;
  }
  while (underWay.length > 0) yield await underWay.shift()!;
}
