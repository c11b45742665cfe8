import type { Condition } from '../../model/trial.ts';
import type { Batch, Question, StudyContext } from '../contract.ts';
import { drawsOf } from './options.ts';

/**
 * Every utterance in every condition, for every recognizer: what most studies ask. Those about one sound come one after another, those
 * about one utterance too. Sounds are drawn again only where chance is in them, and for those who hear them.
 *
 * @param about for the progress display: `the clean clips`
 * @param draws of each condition that has random choices
 * @example const answers = yield await allTrials(context, [clean], 'the clean clips');
 */
export async function allTrials(
  context: StudyContext,
  conditions: readonly Condition[],
  about: string,
  draws = 1,
): Promise<Batch> {
  const { recognizers } = context;
  const asked: readonly (readonly { readonly draw: number; readonly recognizer: string }[])[] = (
    await drawsOf(conditions, draws, context)
  ).map((own) =>
    Array.from({ length: own }, (_, draw) => draw).flatMap((draw) =>
      recognizers
        .filter(({ input }) => draw === 0 || input === 'sound')
        .map(({ name }) => ({ draw, recognizer: name })),
    ),
  );
  return {
    about,
    size: context.utteranceCount * asked.reduce((sum, { length }) => sum + length, 0),
    async *questions(): AsyncGenerator<Question> {
      for await (const utterance of context.utterances()) {
        for (const [place, condition] of conditions.entries()) {
          for (const { draw, recognizer } of asked[place] ?? []) {
            yield { ask: 'recognition', trial: { utterance, condition, draw, recognizer, repeat: 0 } };
          }
        }
      }
    },
  };
}
