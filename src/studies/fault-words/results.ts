import { sortByDrop, wordDrops } from '../../scoring/agreement/aequevox.ts';
import type { AskedWords, FaultWordsOptions } from './design.ts';
import type { CountedWords, Group, HeardWords } from './heard-words.ts';

/** A word that a transformation hides. */
export interface FaultWord {
  readonly word: string;
  /** Times it was said; null where no reference tells. */
  readonly said: number | null;
  /** Times it was heard before. */
  readonly heard: number;
  /** Times it was heard under the parameter that hurts it most. */
  readonly least: number;
  readonly drop: number;
  /** Number of that condition; the mildest of several that are as bad. */
  readonly worst: number;
}

/** What a transformation does to the words of a group, for one recognizer. */
export interface WordDrops {
  readonly group: Group;
  readonly recognizer: number;
  readonly transformation: number;
  /** Words looked at. */
  readonly words: number;
  readonly utterances: number;
  /** All drops added up. */
  readonly drops: number;
  /** Mean over the words: AequeVox's Table 9; null without words. */
  readonly meanDrop: number | null;
  /** Times words were heard before, added up. */
  readonly heard: number;
  readonly omega: number;
  /** Worst first. */
  readonly nonRobust: readonly FaultWord[];
  /** Heard before, and never less often; in the order of the alphabet. */
  readonly robust: readonly string[];
}

/** Algorithm 2 of AequeVox for every group, recognizer and transformation. */
export function localiseFaults(heard: HeardWords, design: AskedWords, { omega }: FaultWordsOptions): WordDrops[] {
  return heard.groups.flatMap((group) =>
    design.recognizers.flatMap((name, recognizer) =>
      design.transformations.map(({ conditions }, transformation) =>
        dropsOf(heard.counts(group.number, recognizer, transformation), {
          group,
          recognizer,
          transformation,
          conditions,
          omega: typeof omega === 'number' ? omega : Object.hasOwn(omega, name) ? omega[name]! : 3,
        }),
      ),
    ),
  );
}

/**
 * The drops of counted words.
 *
 * @internal
 */
export function dropsOf(
  { words, said, original, transformed, utterances }: CountedWords,
  place: Pick<WordDrops, 'group' | 'recognizer' | 'transformation' | 'omega'> & {
    readonly conditions: readonly number[];
  },
): WordDrops {
  const { conditions, ...where } = place;
  const drops = wordDrops(words, original, transformed) ?? new Map<string, number>();
  const { nonRobust, robust } = sortByDrop(drops, where.omega);
  const total = [...drops.values()].reduce((sum, drop) => sum + drop, 0);
  return {
    ...where,
    words: words.length,
    utterances,
    drops: total,
    meanDrop: words.length === 0 ? null : total / words.length,
    heard: words.reduce((sum, word) => sum + (original.get(word) ?? 0), 0),
    nonRobust: nonRobust
      .map((word): FaultWord => {
        const counts = transformed.map((own) => own.get(word) ?? 0);
        const least = Math.min(...counts);
        return {
          word,
          said: said.size === 0 ? null : (said.get(word) ?? 0),
          heard: original.get(word) ?? 0,
          least,
          drop: drops.get(word)!,
          worst: conditions[counts.indexOf(least)]!,
        };
      })
      .sort((a, b) => b.drop - a.drop || (a.word < b.word ? -1 : 1)),
    robust: robust.filter((word) => (original.get(word) ?? 0) > 0),
  };
}

/** A row of AequeVox's Table 9: mean drops by group. */
export interface AverageRow {
  readonly by: 'recognizer' | 'transformation';
  readonly name: string;
  /** In the order of the groups; null where one has no words. */
  readonly means: readonly (number | null)[];
}

/** Mean drops: of each recognizer over the transformations, of each transformation over the recognizers. */
export function averageDrops(drops: readonly WordDrops[], groups: readonly Group[], design: AskedWords): AverageRow[] {
  const meanOf = (of: (one: WordDrops) => boolean, group: Group): number | null => {
    const means = drops.flatMap((one) =>
      one.group.number === group.number && of(one) && one.meanDrop !== null ? [one.meanDrop] : [],
    );
    return means.length === 0 ? null : means.reduce((sum, mean) => sum + mean, 0) / means.length;
  };
  const rows = (by: AverageRow['by'], names: readonly string[]) =>
    names.map(
      (name, number): AverageRow => ({
        by,
        name,
        means: groups.map((group) => meanOf((one) => one[by] === number, group)),
      }),
    );
  return [
    ...rows('recognizer', design.recognizers),
    ...rows(
      'transformation',
      design.transformations.map(({ name }) => name),
    ),
  ];
}
