import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { Condition } from '../../model/condition.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { StudyContext } from '../contract.ts';
import type { FaultValidationOptions, TargetWords } from './options.ts';

/** What is read of the finding of `fault-words`: for everybody, what each recognizer loses and keeps. */
const wordsData = z.object({
  drops: z.array(
    z.object({
      group: z.unknown(),
      recognizer: z.string(),
      transformation: z.string(),
      robust: z.array(z.string()),
      nonRobust: z.array(z.object({ word: z.string() })),
    }),
  ),
});

/**
 * The words that are tried: those of the options, or those that `fault-words` found before in the same run.
 *
 * @param last the condition that was asked for last
 * @throws EarwitnessError `bad-config` where there is no such study before, or it knows no such transformation
 */
export function targetWords(
  { words }: Pick<FaultValidationOptions, 'words'>,
  last: Condition,
  normalizer: Normalizer,
  { findings = [] }: Pick<StudyContext, 'findings'>,
): TargetWords {
  if (!isFound(words)) return words;
  const found = findings.findLast(({ study }) => study.name === 'fault-words');
  const drops = wordsData.safeParse(found?.data).data?.drops;
  if (drops === undefined) {
    throw new EarwitnessError(
      'bad-config',
      'words: expected the study fault-words before fault-validation in the config, but there is none; add it, or name the words',
    );
  }
  const wanted = words.transformation ?? last.rung?.family ?? last.name;
  const own = drops.filter(({ group, transformation }) => group === null && transformation === wanted);
  if (own.length === 0) {
    const known = [...new Set(drops.map(({ transformation }) => transformation))].slice(0, 12);
    throw new EarwitnessError(
      'bad-config',
      `words: expected a transformation of fault-words (${known.join(', ')}), but got ${printable(JSON.stringify(wanted), 200)}; name it in transformation, or let fault-words have its conditions`,
    );
  }
  const among = words.among === null ? null : new Set(words.among.flatMap((word) => normalizer.words(word)));
  const chosen = (list: readonly string[]) => list.filter((word) => among === null || among.has(word));
  return Object.fromEntries(
    own.map(({ recognizer, robust, nonRobust }) => [
      recognizer,
      { robust: chosen(robust), nonRobust: chosen(nonRobust.map(({ word }) => word)) },
    ]),
  );
}

function isFound(
  words: FaultValidationOptions['words'],
): words is Extract<FaultValidationOptions['words'], { from: 'fault-words' }> {
  return words.from === 'fault-words';
}
