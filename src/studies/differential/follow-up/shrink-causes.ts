import type { Answer, Batch } from '../../contract.ts';
import { breaks, canBreak } from '../shrinking/broken-words.ts';
import { clusterFailures } from '../shrinking/cluster-failures.ts';
import { shrinkTogether } from '../shrinking/shrink-together.ts';
import { askMade, hearing, type WantedText } from './ask-made.ts';
import { causesPart } from './causes-part.ts';
import { type FollowUp, type FollowUpInput, noFollowUp } from './contract.ts';
import { type FailedCase, failedCases, wordsOf } from './failed-cases.ts';
import { madeUtterance } from './made-utterance.ts';
import type { ShortestFailure, ShrunkCause } from './shrunk-cause.ts';

/**
 * Reads the failures as few causes, and cuts down the first example of each within the budget, all of them side by side. A text still
 * fails where the same recognizer fails by the same rule, and the same words break: a single word that is left of a sentence is often
 * misheard for being alone, which tells nothing of the sentence. Where no recognizer gets it right any more, it does not count.
 */
export async function* shrinkCauses(input: FollowUpInput): AsyncGenerator<Batch, FollowUp, AsyncIterable<Answer>> {
  const { causes: mostCauses, textsEach, texts } = input.options.shrinking;
  const failed = failedCases(input);
  if (mostCauses === 0 || failed.length === 0) return noFollowUp;
  const clusters = clusterFailures(failed, { mostCauses, leastFailures: 1 });
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
    { mostCallsEach: textsEach, mostCalls: texts },
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
