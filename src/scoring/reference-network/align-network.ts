import type { AlignedWord } from '../../model/finding.ts';
import { align } from '../alignment/align.ts';
import type { AlignmentRule } from '../alignment/trace-back.ts';
import type { EditCounts } from '../edit-counts.ts';
import { createNetworkMatrix } from './network-matrix.ts';
import { type BackwardPath, type NetworkTable, nothing, type StepCosts, tableOf } from './network-table.ts';
import { linearNetwork, type ReferenceNetwork } from './reference-network.ts';
import { remainingCost } from './remaining-cost.ts';

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

const minCosts: StepCosts = { substitution: 1, deletionOrInsertion: 1, optionalLeftOut: 0, nothing: 0 };
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
  const costs = rule === 'least' ? minCosts : scliteCosts;
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
  return rule === 'least' && !fragments ? minAlignment(words) : { counts, words };
}

/** The wording once chosen is traced as `align` does, so that ties are broken alike with and without alternatives. */
function minAlignment(words: readonly AlignedNetworkWord[]): NetworkAlignment {
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

/**
 * Whether words agree where one of them may be a fragment: `recog-` agrees with every word that begins so, `-nition` with
 * every word that ends so (sclite's `-F`). The reference's hyphen is looked at first, a leading one before a trailing one;
 * a lone hyphen is a word like others.
 *
 * @param words by symbol, the first having symbol 1
 */
export function fragmentsAgree(
  words: readonly string[],
): (referenceSymbol: number, hypothesisSymbol: number) => boolean {
  const agreements = words.map(fragmentAgreement);
  return (referenceSymbol, hypothesisSymbol) => {
    if (referenceSymbol === hypothesisSymbol) return true;
    const ofReference = agreements[referenceSymbol - 1];
    if (ofReference) return ofReference(words[hypothesisSymbol - 1]!);
    return agreements[hypothesisSymbol - 1]?.(words[referenceSymbol - 1]!) ?? false;
  };
}

function fragmentAgreement(word: string): ((other: string) => boolean) | null {
  if (word.length < 2) return null;
  if (word.startsWith('-')) return (other) => other.endsWith(word.slice(1));
  if (word.endsWith('-')) return (other) => other.startsWith(word.slice(0, -1));
  return null;
}

interface NetworkPathOptions {
  /** What kept steps may take, 16 MB by default: where there are more, they are computed twice, stretch by stretch. */
  readonly historyBytes?: number;
  /** A matrix of at most so many cells is computed whole, 16,384 by default. */
  readonly smallMatrix?: number;
}

/**
 * The cheapest way through two networks at once: one matrix with a row for each arc of the reference and a column for each
 * of the hypothesis, where what came before an arc is the best of the arcs that lead to it. Steps and ties are as in
 * sclite's alignment of networks (`net_dp.c` of NIST's SCTK): the two words against each other, then an insertion, then a
 * deletion; of several arcs before, the first in the text.
 *
 * Of each row only the stretch is computed where cost and `remainingCost` together are within a bound, which is raised until
 * the path found is within it. Every cell of every path as cheap lies there then, and what was left out is taken too dear
 * at most, so that path and ties are those of the whole matrix (E. Ukkonen, "Algorithms for approximate string matching",
 * Information and Control 64, 1985).
 *
 * Sums are of 32 bits as sclite's are, since with costs below 1 their rounding decides ties; whole costs are exact up to
 * 5 million words.
 *
 * Time is proportional to the cells within the bound: of texts with few errors some in a hundred of arcs x arcs, of texts
 * that have nothing in common up to four times all. Memory is proportional to the sum of the arcs, plus at most some 20 MB,
 * plus 4 bytes for each cell of the open places at every 16 million cells.
 *
 * @param matches whether two symbols agree; equality where it is null
 */
export function networkPath(
  reference: NetworkTable,
  hypothesis: NetworkTable,
  costs: StepCosts,
  matches: ((referenceSymbol: number, hypothesisSymbol: number) => boolean) | null,
  { historyBytes = 16 * 2 ** 20, smallMatrix = 1 << 14 }: NetworkPathOptions = {},
): BackwardPath {
  const whole = Number.isInteger(costs.nothing) || ![reference, hypothesis].some(hasEmptyAlternative);
  const matrix = createNetworkMatrix(reference, hypothesis, costs, matches, whole, historyBytes);
  if (reference.arcs * hypothesis.arcs > smallMatrix) {
    const remaining = remainingCost(reference, hypothesis, costs, matches === null);
    const least = remaining(0, 0);
    const steps = reference.arcs + hypothesis.arcs;
    const most = costs.deletionOrInsertion * steps;
    // Each sum of 32 bits may be wrong by its last digit.
    const rounding = whole ? 0 : steps * most * 2 ** -24;
    for (let spare = 32 * costs.deletionOrInsertion; least + spare < most / 2; spare *= 2) {
      const path = matrix.path(least + spare + rounding, remaining);
      if (path !== null) return path;
    }
  }
  return matrix.path(Number.POSITIVE_INFINITY, null)!;
}

function hasEmptyAlternative({ symbols }: NetworkTable): boolean {
  return symbols.indexOf(nothing, 1) >= 0;
}
