import type { Condition } from '../../model/trial.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Batch, Question, StudyContext } from '../contract.ts';
import { drawsOf } from './options.ts';

/**
 * Every utterance in every condition, for every recognizer: what most studies ask. Those about one sound come one after another, those
 * about one utterance too. Sounds are drawn again only where chance is in them, and for those who hear them.
 *
 * @param about for the progress display: `the clean clips`
 * @param draws of each condition that has random choices, or how many of each condition
 * @param isAsked whether a sound is asked about; all are if absent
 * @example const answers = yield await allTrials(context, [clean], 'the clean clips');
 */
export async function allTrials(
  context: StudyContext,
  conditions: readonly Condition[],
  about: string,
  draws: number | readonly number[] = 1,
  isAsked?: (utterance: Utterance, condition: Condition, draw: number) => boolean,
): Promise<Batch> {
  const { recognizers } = context;
  const asked: readonly (readonly { readonly draw: number; readonly recognizer: string }[])[] = (
    typeof draws === 'number' ? await drawsOf(conditions, draws, context) : draws
  ).map((own) =>
    Array.from({ length: own }, (_, draw) => draw).flatMap((draw) =>
      recognizers
        .filter(({ input }) => draw === 0 || input === 'sound')
        .map(({ name }) => ({ draw, recognizer: name })),
    ),
  );
  return {
    about,
    size: isAsked === undefined ? context.utteranceCount * asked.reduce((sum, { length }) => sum + length, 0) : null,
    async *questions(): AsyncGenerator<Question> {
      for await (const utterance of context.utterances()) {
        for (const [place, condition] of conditions.entries()) {
          for (const { draw, recognizer } of asked[place] ?? []) {
            if (isAsked?.(utterance, condition, draw) === false) continue;
            yield { ask: 'recognition', trial: { utterance, condition, draw, recognizer, repeat: 0 } };
          }
        }
      }
    },
  };
}
