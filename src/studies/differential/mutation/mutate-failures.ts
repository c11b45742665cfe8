import { createRandom } from '../../../base/random.ts';
import type { TriedText } from '../../../predictors/contract.ts';
import type { Answer, Batch } from '../../contract.ts';
import type { DifferentialCase } from '../case.ts';
import { chooseTexts } from '../choose-texts.ts';
import { askMade, hearing, type WantedText } from '../follow-up/ask-made.ts';
import { type FollowUp, type FollowUpInput, noFollowUp } from '../follow-up/contract.ts';
import { type FailedCase, failedCases } from '../follow-up/failed-cases.ts';
import { madeUtterance } from '../follow-up/made-utterance.ts';
import { type Candidate, makeCandidates } from './candidates.ts';
import { type Arm, arms, type MadeText, type MutatedPool } from './made-text.ts';
import { mutationPart } from './mutation-part.ts';
import { type WordClasses, wordClasses } from './word-classes.ts';

/**
 * Makes new texts of failed ones, for each voice and condition by themselves, and asks about those that the predictor expects to fail
 * and about as many drawn at random: whether going after predicted failures finds more of them.
 */
export async function* mutateFailures(input: FollowUpInput): AsyncGenerator<Batch, FollowUp, AsyncIterable<Answer>> {
  if (input.options.mutation.texts === 0) return noFollowUp;
  const failed = failedCases(input).filter(({ spoken }) => spoken !== null);
  if (failed.length === 0 || hearing(input.context).length === 0) {
    return {
      ...noFollowUp,
      warnings: [
        'No new texts were made: there is no failed text that a synthesizer spoke and a recognizer can hear changed.',
      ],
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
  const { texts, candidates: count, mostSwaps } = options.mutation;
  const { voice, sound } = failed[0]!.row;
  const pool = poolOf(failed[0]!.row);
  const random = createRandom({ seed: context.seed, study: 'differential', mutation: pool });
  const known = new Set(collected.map(({ text }) => text));
  const candidates = makeCandidates(
    onePerText(failed),
    { count, mostSwaps },
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
