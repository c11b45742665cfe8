import { z } from 'zod';
import { badConfig } from '../../base/errors.ts';
import { list, nonEmpty, orNull, whole } from '../../base/option-kinds.ts';
import { printable, someOf } from '../../base/printable.ts';
import { createRandom } from '../../base/random.ts';
import { rowsOf, textAt } from '../../model/finding-rows.ts';
import type { Condition } from '../../model/trial.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import type { Question, StudyContext } from '../contract.ts';
import { whereOption } from '../shared/check-utterances.ts';
import { type BestKept, keepBest } from '../shared/examples.ts';
import { chosenConditions, conditionsOption, intervalOptions, normalizerOption } from '../shared/options.ts';

const wordList = list(nonEmpty(100), 0, 1000).default([]);

const foundWords = z.strictObject({
  from: z.literal('fault-words').describe('The study fault-words before this one in the config'),
  transformation: orNull(nonEmpty(200)).describe(
    'Whose words: as the study calls it (aequevox/noise); null: that of the last condition',
  ),
  among: orNull(list(nonEmpty(100), 1, 1000)).describe(
    'Only these words: those in the slot of the sentences, not those around it; null: all that were found',
  ),
});

/** Options of the study `fault-validation`. */
export const faultValidationOptions = z.strictObject({
  words: z
    .union([
      foundWords,
      z.record(
        nonEmpty(200),
        z.strictObject({
          robust: wordList.describe('Words expected to be recognized as well as before'),
          nonRobust: wordList.describe('Words expected to be lost more often'),
        }),
      ),
    ])
    .default({})
    .describe(
      'Robust words and others, as fault-words found them before in the same run ({ from: fault-words }), or for each recognizer: { en-us: { robust: [call], nonRobust: [bags] } }',
    ),
  where: whereOption,
  sentences: whole(1, 10_000)
    .default(50)
    .describe(
      'How many sentences with one robust word, and as many with one that is not, are drawn for each recognizer',
    ),
  conditions: conditionsOption
    .min(1)
    .max(8)
    .default(['aequevox/noise:5'])
    .describe('Scenarios in which the words are tried; clean audio is tried too'),
  normalizer: normalizerOption.describe('Text normalizer: a name, or a module of your own (./mine.ts)'),
  examples: whole(0, 1000)
    .default(5)
    .describe('Number of sentences of each kind to show for each recognizer, missed ones first'),
  level: intervalOptions.level,
  resamples: intervalOptions.resamples,
  permutations: whole(100, 1_000_000).default(10_000).describe('Permutations of a test'),
  minimumWords: whole(2, 1000)
    .default(10)
    .describe(
      'With at least this many words of each kind, words are the units of intervals and tests, otherwise sentences',
    ),
});

export type FaultValidationOptions = z.output<typeof faultValidationOptions>;

/** Targets by recognizer. */
type TargetWords = Readonly<
  Record<string, { readonly robust: readonly string[]; readonly nonRobust: readonly string[] }>
>;

/** Robust words are 0, the others 1. */
export type Side = 0 | 1;

/** A sentence with one target word of a recognizer. */
interface Drawn {
  readonly id: string;
  readonly word: string;
  readonly side: Side;
}

/** Who is asked about which sentences. */
export interface Design {
  readonly recognizers: readonly string[];
  /** Clean first. */
  readonly conditions: readonly Condition[];
  /** Of each recognizer its sentences by utterance; none where only one kind of words has any. */
  readonly drawn: readonly ReadonlyMap<string, Drawn>[];
  /** Words that are tried, and the sentences of each that could have been drawn. */
  readonly targets: readonly TargetWord[];
}

interface TargetWord {
  readonly recognizer: string;
  readonly word: string;
  readonly side: Side;
  sentences: number;
}

/** Sentences with a target of either side that could have been drawn. */
export function possibleSentences({ targets }: Pick<Design, 'targets'>, recognizer: string): readonly [number, number] {
  const own = targets.filter((one) => one.recognizer === recognizer);
  const of = (side: Side) => own.reduce((sum, one) => sum + (one.side === side ? one.sentences : 0), 0);
  return [of(0), of(1)];
}

/**
 * Draws sentences: those in which one target word of the recognizer stands once, and no other of its targets. Each word has as many as
 * another, as far as there are; which ones is decided by a number that belongs to the sentence and the run's seed.
 *
 * @throws EarwitnessError `bad-config` for recognizers that do not exist, words on both sides, texts that are no single word
 */
export async function makeDesign(
  options: FaultValidationOptions,
  normalizer: Normalizer,
  context: StudyContext,
): Promise<Design> {
  const names = context.recognizers.map(({ name }) => name);
  const conditions = chosenConditions(options.conditions, context.ladders);
  const words = targetWords(options, conditions.at(-1)!, normalizer, context);
  for (const name of Object.keys(words)) {
    if (names.includes(name)) continue;
    throw badConfig(
      `words: expected recognizers of the config (${someOf(names, 12)}), but got ${printable(JSON.stringify(name))}`,
    );
  }
  const recognizers = names.filter((name) => Object.hasOwn(words, name));
  const targets = recognizers.map((name) => targetsOf(name, words, normalizer));
  const kept = recognizers.map(() => new Map<string, BestKept<Drawn & { readonly chance: number }>>());
  for await (const utterance of context.utterances()) {
    if (utterance.reference === undefined) continue;
    const said = normalizer.words(utterance.reference, utterance.language);
    for (const [recognizer, own] of targets.entries()) {
      const found = said.filter((word) => own.has(word));
      const [word] = found;
      if (word === undefined || found.length > 1) continue;
      const target = own.get(word)!;
      target.sentences++;
      const what = { seed: context.seed, study: 'fault-validation', recognizer: recognizers[recognizer]! };
      const chance = createRandom({ ...what, id: utterance.id }).next();
      const best = kept[recognizer]!.get(word) ?? keepBest(options.sentences);
      best.offer([chance], { id: utterance.id, word, side: target.side, chance });
      kept[recognizer]!.set(word, best);
    }
  }
  const drawn = kept.map((words) => {
    const bySide = ([0, 1] as const).map((side) => {
      // Word by word in turn: the first of each, then the second of each.
      const ranked = [...words.values()].flatMap((best) =>
        best
          .items()
          .map((item, turn) => ({ item, turn }))
          .filter(({ item }) => item.side === side),
      );
      ranked.sort((a, b) => a.turn - b.turn || b.item.chance - a.item.chance);
      return ranked.slice(0, options.sentences).map(({ item: { id, word } }): Drawn => ({ id, word, side }));
    });
    // Where one kind has none there is nothing to compare, and nobody is asked.
    return new Map(bySide.some((side) => side.length === 0) ? [] : bySide.flat().map((one) => [one.id, one]));
  });
  return { recognizers, conditions, drawn, targets: targets.flatMap((own) => [...own.values()]) };
}

function targetsOf(name: string, words: TargetWords, normalizer: Normalizer): Map<string, TargetWord> {
  const targets = new Map<string, TargetWord>();
  const { robust, nonRobust } = words[name]!;
  for (const [list, side] of [
    [robust, 0],
    [nonRobust, 1],
  ] as const) {
    for (const text of list) {
      const [word, ...more] = normalizer.words(text);
      if (word === undefined || more.length > 0) {
        throw badConfig(
          `words: expected single words of ${name}, but ${printable(JSON.stringify(text))} makes ${more.length === 0 ? 'none' : more.length + 1}`,
        );
      }
      if ((targets.get(word)?.side ?? side) !== side) {
        throw badConfig(
          `words: expected each word of ${name} to be robust or not, but ${printable(JSON.stringify(word))} is both; leave one of them out`,
        );
      }
      targets.set(word, { recognizer: name, word, side, sentences: 0 });
    }
  }
  return targets;
}

/** Every sentence that some recognizer drew, in all conditions, asked of those who drew it. */
export async function* designedQuestions(
  { recognizers, conditions, drawn }: Design,
  context: StudyContext,
): AsyncGenerator<Question> {
  for await (const utterance of context.utterances()) {
    const asked = recognizers.filter((_, number) => drawn[number]!.has(utterance.id));
    if (asked.length === 0) continue;
    for (const condition of conditions) {
      for (const recognizer of asked) {
        yield { ask: 'recognition', trial: { utterance, condition, draw: 0, recognizer, repeat: 0 } };
      }
    }
  }
}

/**
 * The words that are tried: those of the options, or those that `fault-words` found before in the same run.
 *
 * @param last the condition that was asked for last
 * @throws EarwitnessError `bad-config` where there is no such study before, or it knows no such transformation
 */
function targetWords(
  { words }: Pick<FaultValidationOptions, 'words'>,
  last: Condition,
  normalizer: Normalizer,
  { findings = [] }: Pick<StudyContext, 'findings'>,
): TargetWords {
  if (!isFound(words)) return words;
  const found = findings.findLast(({ study }) => study.name === 'fault-words');
  if (found === undefined) {
    throw badConfig(
      'words: expected the study fault-words before fault-validation in the config, but there is none; add it, or name the words',
    );
  }
  const wanted = words.transformation ?? last.rung?.family ?? last.name;
  const each = rowsOf(found, 'fault-words-each');
  const own = each.filter((row) => textAt(row, 'transformation') === wanted);
  // A recognizer that lost and kept no word has no row there.
  const asked = rowsOf(found, 'fault-words-robust').filter(
    (row) => textAt(row, 'group') === 'everybody' && textAt(row, 'transformation') === wanted,
  );
  if (asked.length === 0) {
    const known = [...new Set(rowsOf(found, 'fault-words-robust').map((row) => textAt(row, 'transformation')))];
    throw badConfig(
      `words: expected a transformation of fault-words (${known.slice(0, 12).join(', ')}), but got ${printable(JSON.stringify(wanted), 200)}; name it in transformation, or let fault-words have its conditions`,
    );
  }
  const among = words.among === null ? null : new Set(words.among.flatMap((word) => normalizer.words(word)));
  const chosen = (list: readonly string[]) => list.filter((word) => among === null || among.has(word));
  const wordsOf = (recognizer: string, robust: 'yes' | 'no') =>
    chosen(
      own
        .filter((row) => textAt(row, 'recognizer') === recognizer && textAt(row, 'robust') === robust)
        .map((row) => textAt(row, 'word')),
    );
  return Object.fromEntries(
    asked.map((row) => {
      const recognizer = textAt(row, 'recognizer');
      return [recognizer, { robust: wordsOf(recognizer, 'yes'), nonRobust: wordsOf(recognizer, 'no') }];
    }),
  );
}

function isFound(
  words: FaultValidationOptions['words'],
): words is Extract<FaultValidationOptions['words'], { from: 'fault-words' }> {
  return words.from === 'fault-words';
}
