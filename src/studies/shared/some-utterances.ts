import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { StudyContext } from '../contract.ts';

/** The option `where` of studies that share a config with others about other utterances. */
export const whereOption = z
  .record(z.string(), z.union([z.string(), z.array(z.string()).min(1)]))
  .nullable()
  .default(null)
  .describe('Only utterances with these attributes: { part: sentences }, as `mark` of a corpus gives them; null: all');

/**
 * The context as if only some utterances were there.
 *
 * @param where values that attributes may have; null: every utterance
 * @throws EarwitnessError `bad-config` where none has them
 * @example const own = await someUtterances({ part: 'sentences' }, context);
 */
export async function someUtterances(
  where: z.output<typeof whereOption>,
  context: StudyContext,
): Promise<StudyContext> {
  if (where === null) return context;
  const wanted = Object.entries(where).map(([name, values]) => [name, [values].flat()] as const);
  const isWanted = ({ attributes }: Utterance) =>
    wanted.every(([name, values]) => Object.hasOwn(attributes, name) && values.includes(attributes[name]!));
  async function* utterances() {
    for await (const utterance of context.utterances()) if (isWanted(utterance)) yield utterance;
  }
  let utteranceCount = 0;
  for await (const _ of utterances()) utteranceCount++;
  if (utteranceCount > 0) return { ...context, utterances, utteranceCount };
  throw new EarwitnessError(
    'bad-config',
    `where: expected utterances with ${printable(JSON.stringify(where), 200)}, but there are none; correct it, or mark a corpus so`,
  );
}
