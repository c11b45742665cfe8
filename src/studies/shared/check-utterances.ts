import { z } from 'zod';
import { badConfig, badInput, type EarwitnessError } from '../../base/errors.ts';
import { grouped } from '../../base/number-format.ts';
import { list, orNull } from '../../base/option-kinds.ts';
import { printable } from '../../base/printable.ts';
import { attributeOf, isWantedValue, type Utterance } from '../../model/utterance.ts';
import type { StudyContext } from '../contract.ts';
import { unknownAttribute } from './attributes.ts';

/** What the utterances must have, so that a study can say anything. */
interface Needs {
  /** Attributes that options name, by the option: each must be known of at least one utterance. */
  readonly attributes?: Readonly<Record<string, readonly string[]>>;
  /** Whether it must be known of at least one utterance what was said. */
  readonly texts?: boolean;
}

/**
 * Sees to it, before anything is asked, that the utterances have what a study needs.
 *
 * @throws EarwitnessError `bad-config` for an attribute that no utterance has; `bad-input` where there are no texts
 * @example await checkUtterances('robustness', { texts: true, attributes: { groupBy: ['sex'] } }, context)
 */
export async function checkUtterances(study: string, needs: Needs, context: StudyContext): Promise<void> {
  const { attributes = {}, texts = false } = needs;
  const wanted = Object.entries(attributes).flatMap(([option, names]) => names.map((name) => ({ option, name })));
  const known = new Set<string>();
  let transcribed = !texts;
  const complete = () => transcribed && wanted.every(({ name }) => known.has(name));
  if (complete()) return;
  for await (const utterance of context.utterances()) {
    const { reference, sound, attributes: own } = utterance;
    for (const name of Object.keys(own)) known.add(name);
    for (const { name } of wanted) if (attributeOf(utterance, name) !== undefined) known.add(name);
    if (reference !== undefined || (sound !== undefined && 'text' in sound)) transcribed = true;
    if (complete()) return;
  }
  if (!transcribed) throw withoutTexts(study, context.utteranceCount);
  const { option, name } = wanted.find((one) => !known.has(one.name))!;
  throw unknownAttribute(`${study}: ${option}`, name, known);
}

function withoutTexts(study: string, utterances: number): EarwitnessError {
  const none =
    utterances === 1 ? 'the one utterance has none' : `none of the ${grouped(utterances)} utterances has one`;
  return badInput(
    `${study}: expected references, but ${none}; add them to the corpus, or use studies that need none: metamorphic, fault-words, hallucination, sound-quality, and with two recognizers degradation`,
  );
}

/** The option `where` of studies that share a config with others about other utterances. */
export const whereOption = orNull(z.record(z.string(), z.union([z.string(), list(z.string(), 1)]))).describe(
  'Only utterances with these attributes: { part: sentences }, as `mark` of a corpus gives them; null: all',
);

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
  const isWanted = (utterance: Utterance) =>
    wanted.every(([name, values]) => {
      const value = attributeOf(utterance, name);
      if (value === undefined) return false;
      return values.some((one) => isWantedValue(utterance, name, value, one, 'where'));
    });
  async function* utterances() {
    for await (const utterance of context.utterances()) if (isWanted(utterance)) yield utterance;
  }
  let utteranceCount = 0;
  for await (const _ of utterances()) utteranceCount++;
  if (utteranceCount > 0) return { ...context, utterances, utteranceCount };
  throw badConfig(
    `where: expected utterances with ${printable(JSON.stringify(where), 200)}, but there are none; correct it, or mark a corpus so`,
  );
}
