import { type MayFail, type Shrinking, type ShrinkVerdict, type ShrunkText, shrinkText } from './shrink-text.ts';

/** A text that one of several searches asks for. */
export interface ShrinkQuestion {
  /** Which of the texts it was cut from, by place. */
  readonly of: number;
  readonly text: string;
}

/** One of several texts that are cut down. */
export interface FailingText {
  readonly text: string;
  readonly mayFail?: MayFail;
}

/**
 * Cuts many failing texts down at once: each round asks for at most one text of each search, so that whoever answers can
 * answer them together, and receives the verdicts in the order asked. The searches know nothing of each other. Where the
 * budget of all does not suffice for a round, the first texts are served and the others end with the best they have.
 *
 * @param texts each known to fail
 * @param options.mostCallsEach texts that may be tried for one
 * @param options.mostCalls texts that may be tried for all together; no such limit by default
 * @example
 * const search = shrinkTogether([{ text: 'a b c' }, { text: 'd e' }], { mostCallsEach: 50 });
 * let step = search.next();
 * while (!step.done) step = search.next(step.value.map(({ text }) => fails(text)));
 * step.value // what is left of each
 */
export function* shrinkTogether(
  texts: readonly FailingText[],
  { mostCallsEach, mostCalls = Number.POSITIVE_INFINITY }: { mostCallsEach: number; mostCalls?: number },
): Generator<readonly ShrinkQuestion[], readonly ShrunkText[], readonly boolean[]> {
  const shrunk: ShrunkText[] = new Array(texts.length);
  let callsLeft = mostCalls;
  let open: (ShrinkQuestion & { readonly search: Shrinking })[] = [];
  const goOn = (of: number, search: Shrinking, verdict: ShrinkVerdict) => {
    const step = search.next(verdict);
    if (step.done) shrunk[of] = step.value;
    else open.push({ of, text: step.value, search });
  };
  texts.forEach(({ text, ...options }, of) => {
    // What a search is told before it has asked is not read.
    goOn(of, shrinkText(text, { mostCalls: mostCallsEach, ...options }), false);
  });
  while (open.length > 0) {
    const served = open.slice(0, callsLeft);
    const ended = open.slice(served.length);
    open = [];
    for (const { of, search } of ended) goOn(of, search, 'stop');
    if (served.length === 0) continue;
    callsLeft -= served.length;
    const verdicts = yield served.map(({ of, text }) => ({ of, text }));
    served.forEach(({ of, search }, place) => {
      goOn(of, search, verdicts[place]!);
    });
  }
  return shrunk;
}
