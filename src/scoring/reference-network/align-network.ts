import type { AlignedWord } from '../../model/finding.ts';
import { align } from '../alignment/align.ts';
import type { AlignmentRule } from '../alignment/alignment-rule.ts';
import type { EditCounts } from '../edit-counts.ts';
import { networkPath } from './network-path.ts';
import { tableOf } from './network-table.ts';
import { linearNetwork, type ReferenceNetwork } from './reference-network.ts';
import type { StepCosts } from './step-costs.ts';
import { fragmentsAgree } from './word-fragments.ts';

/** Words set against each other along the best wording. */
export interface AlignedNetworkWord extends AlignedWord {
  /** On an optional word to which the other side has none: no error. */
  readonly leftOut?: true;
}

/** The best alignment of a hypothesis with a reference of several wordings. */
export interface NetworkAlignment {
  readonly counts: EditCounts;
  readonly words: readonly AlignedNetworkWord[];
}

const leastCosts: StepCosts = { substitution: 1, deletionOrInsertion: 1, optionalLeftOut: 0, nothing: 0 };
const scliteCosts: StepCosts = { substitution: 4, deletionOrInsertion: 3, optionalLeftOut: 2, nothing: 0.001 };

/**
 * Aligns a hypothesis with that wording of a reference (and of itself, where it is a network too) that fits best: the
 * fewest edits, or the least cost by sclite's weights.
 *
 * The reference words counted are those of the wording taken; an alternative that says nothing (`@`) counts nowhere. An
 * optional word that is spoken counts like any other. One that is left out is no error: by `least` it counts nowhere; by
 * `sclite` it costs 2 and counts as correct, as `sclite -D` has it, on either side (without `-D` sclite takes `(uh)` for
 * a word of four characters). With `fragments`, a word that ends or begins with a hyphen agrees with every word that
 * begins or ends with the rest of it, as with `sclite -F`. Of equally good wordings the first in the text is taken. A
 * reference of one wording comes out as with `align`. Counts and paths by `sclite` are those of `sclite -s -D` (SCTK
 * 2.4.10), also with alternatives on both sides; one thing differs: sclite -F overlooks the hyphen in front of an optional
 * fragment.
 *
 * Time grows with words x errors: 20,000 words, one in ten with alternatives and one in five heard wrongly, take 1.3 to 2 s
 * (computing all of the matrix 11 to 16), texts that have nothing in common the whole matrix and some more (5,000 words 1.3
 * s). Memory is some 40 MB above the networks however long they are.
 *
 * @throws RangeError where a network has an arc before those that lead to it, or a place off the way
 * @example alignNetwork(parseReference('{ cannot / can not } stop'), ['can', 'not', 'stop']).counts
 * // { correct: 3, substitutions: 0, deletions: 0, insertions: 0 }
 */
export function alignNetwork(
  reference: ReferenceNetwork | readonly string[],
  hypothesis: ReferenceNetwork | readonly string[],
  rule: AlignmentRule = 'least',
  { fragments = false }: { readonly fragments?: boolean } = {},
): NetworkAlignment {
  const a = 'arcs' in reference ? reference : linearNetwork(reference);
  const b = 'arcs' in hypothesis ? hypothesis : linearNetwork(hypothesis);
  const symbols = new Map<string, number>();
  const symbolOf = (word: string) => {
    const symbol = symbols.get(word) ?? symbols.size + 1;
    symbols.set(word, symbol);
    return symbol;
  };
  const referenceTable = tableOf(a, symbolOf);
  const hypothesisTable = tableOf(b, symbolOf);
  const agree = fragments ? fragmentsAgree([...symbols.keys()]) : null;
  const costs = rule === 'least' ? leastCosts : scliteCosts;
  const path = networkPath(referenceTable, hypothesisTable, costs, agree);

  const words: AlignedNetworkWord[] = [];
  const counts = { correct: 0, substitutions: 0, deletions: 0, insertions: 0 };
  for (let step = path.reference.length - 1; step >= 0; step--) {
    const spoken = path.reference[step]!;
    const heard = path.hypothesis[step]!;
    const word = { reference: a.arcs[spoken - 1]?.word ?? null, hypothesis: b.arcs[heard - 1]?.word ?? null };
    if (word.reference !== null && word.hypothesis !== null) {
      const same =
        word.reference === word.hypothesis ||
        agree?.(referenceTable.symbols[spoken]!, hypothesisTable.symbols[heard]!) === true;
      counts[same ? 'correct' : 'substitutions']++;
      words.push(word);
    } else if (word.reference !== null || word.hypothesis !== null) {
      if ((word.reference === null ? b.arcs[heard - 1] : a.arcs[spoken - 1])!.optional) {
        if (rule === 'sclite') counts.correct++;
        words.push({ ...word, leftOut: true });
      } else {
        counts[word.reference === null ? 'insertions' : 'deletions']++;
        words.push(word);
      }
    }
  }
  return rule === 'least' && !fragments ? leastAlignment(words) : { counts, words };
}

/** The wording once chosen is traced as `align` does, so that ties are broken alike with and without alternatives. */
function leastAlignment(words: readonly AlignedNetworkWord[]): NetworkAlignment {
  const kept = words.filter(({ leftOut }) => !leftOut);
  const aligned = align(
    kept.flatMap(({ reference }) => reference ?? []),
    kept.flatMap(({ hypothesis }) => hypothesis ?? []),
  );
  const counts = { correct: 0, substitutions: 0, deletions: 0, insertions: 0 };
  for (const { reference, hypothesis } of aligned) {
    if (reference === null) counts.insertions++;
    else if (hypothesis === null) counts.deletions++;
    else counts[reference === hypothesis ? 'correct' : 'substitutions']++;
  }
  return { counts, words: withLeftOut(aligned, words) };
}

/** Puts words that were left out back before the word of their own side that they stood before. */
function withLeftOut(
  aligned: readonly AlignedWord[],
  words: readonly AlignedNetworkWord[],
): readonly AlignedNetworkWord[] {
  if (!words.some(({ leftOut }) => leftOut)) return aligned;
  const merged: AlignedNetworkWord[] = [];
  const sides = ['reference', 'hypothesis'] as const;
  const waiting = sides.map((side) => words.filter((word) => word[side] !== null));
  const next = [0, 0];
  const release = (index: number) => {
    const queue = waiting[index]!;
    while (queue[next[index]!]?.leftOut) merged.push(queue[next[index]!++]!);
  };
  for (const pair of aligned) {
    for (const [index, side] of sides.entries()) {
      if (pair[side] === null) continue;
      release(index);
      next[index]!++;
    }
    merged.push(pair);
  }
  release(0);
  release(1);
  return merged;
}
