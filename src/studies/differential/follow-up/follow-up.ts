import { createRandom } from '../../../base/random.ts';
import type { TriedText } from '../../../predictors/contract.ts';
import { breaks, canBreak } from '../../../scoring/analysis/broken-words.ts';
import { clusterFailures } from '../../../scoring/analysis/cluster-failures.ts';
import type { Answer, Batch } from '../../contract.ts';
import type { DifferentialCase } from '../case.ts';
import { chooseTexts } from '../pool.ts';
import { causesPart } from './causes-part.ts';
import {
  askMade,
  type FailedCase,
  type FollowUp,
  type FollowUpInput,
  failedCases,
  hearing,
  madeUtterance,
  noFollowUp,
  type ShortestFailure,
  type ShrunkCause,
  type WantedText,
  wordsOf,
} from './contract.ts';
import {
  type Arm,
  arms,
  type Candidate,
  type MadeText,
  type MutatedPool,
  makeCandidates,
  type WordClasses,
  wordClasses,
} from './mutate-text.ts';
import { mutationPart } from './mutation-part.ts';
import { type MayFail, type Shrinking, type ShrinkVerdict, type ShrunkText, shrinkText } from './shrink-text.ts';

/**
 * What is asked when the search has ended: failed texts are cut down, one for each cause, and new texts are made of them. Every
 * question is a function of the cases and the answers, so that a run that goes on asks the same again. The texts asked about are
 * the study's own (`Utterance.made`) and in none of its counts.
 *
 * @example
 * const follow = yield* followUp({ context, options, cases, collected, conditions, rule, normalizer, tolerant, predictor, level, resamples });
 */
export async function* followUp(input: FollowUpInput): AsyncGenerator<Batch, FollowUp, AsyncIterable<Answer>> {
  const parts = [yield* shrinkCauses(input), yield* mutateFailures(input)];
  return {
    answer: parts.flatMap(({ answer }) => answer),
    sections: parts.flatMap(({ sections }) => sections),
    warnings: parts.flatMap(({ warnings }) => warnings),
    data: Object.assign({}, ...parts.map(({ data }) => data)),
  };
}

/**
 * Reads the failures as few causes, and cuts down the first example of each within the budget, all of them side by side. A text still
 * fails where the same recognizer fails by the same rule, and the same words break: a single word that is left of a sentence is often
 * misheard for being alone, which tells nothing of the sentence. Where no recognizer gets it right any more, it does not count.
 */
async function* shrinkCauses(input: FollowUpInput): AsyncGenerator<Batch, FollowUp, AsyncIterable<Answer>> {
  const { causes: maxCauses, textsEach, texts } = input.options.shrinking;
  const failed = failedCases(input);
  if (maxCauses === 0 || failed.length === 0) return noFollowUp;
  const clusters = clusterFailures(failed, { maxCauses, minFailures: 1 });
  const hears = new Set(hearing(input.context).map(({ name }) => name));
  const canBeAsked = ({ spoken, row }: FailedCase) => spoken !== null && hears.has(row.recognizer);
  const searched = clusters.causes.flatMap((cause) =>
    cause.examples
      .filter(canBeAsked)
      .slice(0, 1)
      .map((example) => ({ ...example, cause })),
  );
  // What a text cut short gave, by example and text.
  const transcripts = new Map<string, { readonly transcript: string; readonly utteranceId: string }>();
  let asked = 0;
  const search = shrinkTogether(
    searched.map(({ row, cause }) => ({ text: row.text, mayFail: (words) => canBreak(cause, words) })),
    { maxCallsEach: textsEach, maxCalls: texts },
  );
  let step = search.next();
  for (let round = 1; !step.done; round++) {
    const questions = step.value;
    const wanted = questions.map(({ of, text }): WantedText => {
      const { spoken, row } = searched[of]!;
      const utterance = madeUtterance(spoken!.utterance, text, 'shortened');
      return { utterance, text, condition: spoken!.condition, draw: row.sound.draw };
    });
    asked += wanted.length;
    const verdicts = yield* askMade(`failed texts cut short, round ${round}`, wanted, input);
    const fails = questions.map(({ of, text }, place) => {
      const { row, cause } = searched[of]!;
      const verdict = verdicts[place]?.get(row.recognizer);
      if (verdict?.status !== 'failed' || !breaks(cause, wordsOf(text), wordsOf(verdict.transcript))) return false;
      transcripts.set(`${of} ${text}`, {
        transcript: verdict.transcript,
        utteranceId: wanted[place]!.utterance.id,
      });
      return true;
    });
    step = search.next(fails);
  }
  const shrunk = step.value;
  const shortest = searched.map(({ row }, of): ShortestFailure => {
    const { text, words, wordsBefore, minimal, calls } = shrunk[of]!;
    const last = transcripts.get(`${of} ${text}`);
    return {
      ...{ text, recognizer: row.recognizer, voice: row.voice, textId: row.textId, wordsBefore, minimal, texts: calls },
      transcript: last?.transcript ?? row.transcript,
      utteranceId: last?.utteranceId ?? row.sound.utteranceId,
      conditionName: row.sound.conditionName,
      draw: row.sound.draw,
      words: words.length,
    };
  });
  const causes = clusters.causes.map((cause): ShrunkCause => {
    const found = searched.findIndex((example) => example.cause === cause);
    return { cause, shortest: shortest[found] ?? null };
  });
  return causesPart(causes, clusters, { asked, recognizers: hears.size });
}

/** A text that one of several searches asks for. */
interface ShrinkQuestion {
  /** Which of the texts it was cut from, by place. */
  readonly of: number;
  readonly text: string;
}

/** One of several texts that are cut down. */
interface FailingText {
  readonly text: string;
  readonly mayFail?: MayFail;
}

/**
 * Cuts many failing texts down at once: each round asks for at most one text of each search, so that whoever answers can
 * answer them together, and receives the verdicts in the order asked. The searches know nothing of each other. Where the
 * budget of all does not suffice for a round, the first texts are served and the others end with the best they have.
 *
 * @param texts each known to fail
 * @param options.maxCallsEach texts that may be tried for one
 * @param options.maxCalls texts that may be tried for all together; no such limit by default
 * @example
 * const search = shrinkTogether([{ text: 'a b c' }, { text: 'd e' }], { maxCallsEach: 50 });
 * let step = search.next();
 * while (!step.done) step = search.next(step.value.map(({ text }) => fails(text)));
 * step.value // what is left of each
 */
export function* shrinkTogether(
  texts: readonly FailingText[],
  { maxCallsEach, maxCalls = Number.POSITIVE_INFINITY }: { maxCallsEach: number; maxCalls?: number },
): Generator<readonly ShrinkQuestion[], readonly ShrunkText[], readonly boolean[]> {
  const shrunk: ShrunkText[] = new Array(texts.length);
  let callsLeft = maxCalls;
  let open: (ShrinkQuestion & { readonly search: Shrinking })[] = [];
  const goOn = (of: number, search: Shrinking, verdict: ShrinkVerdict) => {
    const step = search.next(verdict);
    if (step.done) shrunk[of] = step.value;
    else open.push({ of, text: step.value, search });
  };
  texts.forEach(({ text, ...options }, of) => {
    // What a search is told before it has asked is not read.
    goOn(of, shrinkText(text, { maxCalls: maxCallsEach, ...options }), false);
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

/**
 * Makes new texts of failed ones, for each voice and condition by themselves, and asks about those that the predictor expects to fail
 * and about as many drawn at random: whether going after predicted failures finds more of them.
 */
async function* mutateFailures(input: FollowUpInput): AsyncGenerator<Batch, FollowUp, AsyncIterable<Answer>> {
  if (input.options.mutation.texts === 0) return noFollowUp;
  const failed = failedCases(input).filter(({ spoken }) => spoken !== null);
  if (failed.length === 0 || hearing(input.context).length === 0) {
    return {
      ...noFollowUp,
      warnings: ['No new texts were made: there is no failed text that a synthesizer could speak again with changes.'],
    };
  }
  const pools = Map.groupBy(failed, ({ row }) => poolOf(row));
  // As texts are compared: what is left of none stands for nothing.
  const alternatives = input.options.mutation.alternatives.map((words) =>
    words.map((word) => input.normalizer.words(word).join(' ')).filter((word) => word !== ''),
  );
  const classes = wordClasses(distinctTexts(input), alternatives);
  const mutated: MutatedPool[] = [];
  for (const own of pools.values()) mutated.push(yield* mutatePool(own, classes, input));
  return mutationPart(mutated, input);
}

async function* mutatePool(
  failed: readonly FailedCase[],
  classes: WordClasses,
  input: FollowUpInput,
): AsyncGenerator<Batch, MutatedPool, AsyncIterable<Answer>> {
  const { context, options, collected, cases, predictor } = input;
  const { texts, candidates: count, maxSwaps } = options.mutation;
  const { voice, sound } = failed[0]!.row;
  const pool = poolOf(failed[0]!.row);
  const random = createRandom({ seed: context.seed, study: 'differential', mutation: pool });
  const known = new Set(collected.map(({ text }) => text));
  const candidates = makeCandidates(
    onePerText(failed),
    { count, maxSwaps },
    {
      classes,
      isKnown: (text) => known.has(text),
      random,
    },
  );
  const chosen: Record<Arm, readonly Candidate[]> = { predicted: [], random: candidates.slice(0, texts) };
  if (predictor !== null && candidates.length > 0) {
    const seed = random.integer(2 ** 31);
    const tried = triedTexts(cases.filter((row) => poolOf(row) === pool));
    const answers = yield {
      about: 'which new texts are worth speaking',
      size: 1,
      async *questions() {
        yield { ask: 'prediction', predictor, tried, pool: candidates.map(({ text }) => text), seed } as const;
      },
    };
    for await (const answer of answers) {
      if (answer.ask !== 'prediction') continue;
      const places = chooseTexts('predictor', candidates.length, answer, {
        ...{ batch: texts, keep: texts, ranking: 'yield', others: null },
      });
      chosen.predicted = places.map((place) => candidates[place]!);
    }
  }
  const asked = [...new Set(arms.flatMap((arm) => chosen[arm]))];
  const wanted = asked.map(({ text, source: { spoken, row } }): WantedText => {
    const utterance = madeUtterance(spoken!.utterance, text, 'mutated');
    return { utterance, text, condition: spoken!.condition, draw: row.sound.draw };
  });
  const verdicts = yield* askMade(`new texts, ${voice}`, wanted, input);
  const heard = new Map(
    asked.map((candidate, place): [Candidate, MadeText] => [
      candidate,
      { ...candidate, utteranceId: wanted[place]!.utterance.id, verdicts: verdicts[place]! },
    ]),
  );
  const heardOf = (arm: Arm) => chosen[arm].map((candidate) => heard.get(candidate)!);
  return {
    ...{ voice, conditionName: sound.conditionName, candidates: candidates.length },
    chosen: { predicted: heardOf('predicted'), random: heardOf('random') },
  };
}

function poolOf({ voice, sound }: DifferentialCase): string {
  return JSON.stringify([voice, sound.conditionName]);
}

function* distinctTexts({ collected }: FollowUpInput): Generator<string> {
  const seen = new Set<string>();
  for (const { text } of collected) {
    if (seen.has(text)) continue;
    seen.add(text);
    yield text;
  }
}

function onePerText(failed: readonly FailedCase[]): FailedCase[] {
  return [...new Map(failed.map((one) => [one.row.textId, one])).values()];
}

/** What the predictor learns from: the texts of the rows, in the order in which they were tried. */
function triedTexts(rows: readonly DifferentialCase[]): TriedText[] {
  return [...Map.groupBy(rows, ({ textId }) => textId).values()].map((ofText) => {
    const determinable = ofText.some(({ status }) => status !== 'indeterminable');
    return {
      text: ofText[0]!.text,
      determinable,
      failed: determinable ? ofText.some(({ status }) => status === 'failed') : null,
    };
  });
}
