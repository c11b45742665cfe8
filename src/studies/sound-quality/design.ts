import { EarwitnessError } from '../../base/errors.ts';
import type { Condition } from '../../model/condition.ts';
import type { Question, StudyContext, StudyQuality } from '../contract.ts';
import { chosenConditions, drawsOf } from '../shared/chosen-conditions.ts';
import type { SoundQualityOptions } from './options.ts';

/** What is measured, of what. */
export interface Design {
  /** Clean first. */
  readonly conditions: readonly Condition[];
  readonly measures: readonly StudyQuality[];
  draws(condition: number): number;
}

/**
 * @throws EarwitnessError `bad-config`: the config names no measures, or not these; no such scenario
 */
export async function makeDesign(options: SoundQualityOptions, context: StudyContext): Promise<Design> {
  const conditions = chosenConditions(options.conditions, context.ladders);
  const draws = await drawsOf(conditions, options.draws, context);
  return { conditions, measures: measuresOf(options, context), draws: (condition) => draws[condition]! };
}

function measuresOf({ measures }: SoundQualityOptions, { quality = [] }: StudyContext): readonly StudyQuality[] {
  const there = quality.map(({ name }) => name).join(', ');
  const wanted = measures ?? quality.map(({ name }) => name);
  if (wanted.length === 0) {
    throw new EarwitnessError(
      'bad-config',
      'sound-quality: expected measures, but the config names none; name some, as in quality: [stoi, snr] (earwitness list quality)',
    );
  }
  return [...new Set(wanted)].map((name) => {
    const found = quality.find((measure) => measure.name === name);
    if (found !== undefined) return found;
    throw new EarwitnessError(
      'bad-config',
      `sound-quality: expected measures that the config names under \`quality\` (${there || 'it names none'}), but got ${JSON.stringify(name)}`,
    );
  });
}

/** Every clip once: utterance by utterance, so that the clean clip is read once. */
export async function* measurements(
  { conditions, measures, draws }: Design,
  context: StudyContext,
): AsyncGenerator<Question> {
  const quality = measures.map(({ name }) => name);
  for await (const utterance of context.utterances()) {
    if (utterance.sound === undefined) continue;
    for (const [index, condition] of conditions.entries()) {
      for (let draw = 0; draw < draws(index); draw++) {
        yield { ask: 'measurement', utterance, condition, draw, quality };
      }
    }
  }
}
