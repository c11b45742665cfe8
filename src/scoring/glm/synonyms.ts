import { splitWords } from '../normalizers/split-words.ts';
import { linearNetwork, type NetworkArc, type ReferenceNetwork } from '../reference-network/reference-network.ts';

interface Phrase {
  readonly words: readonly string[];
  readonly group: number;
}

/**
 * A reference that accepts, wherever it has one of several equivalent phrases, any other of them (also where phrases
 * overlap): spellings (`colour`, `color`), compounds (`taxpayers`, `tax payers`), abbreviations.
 * The first words in the text stay the first choice between equally good wordings.
 *
 * @param groups phrases that mean the same; what a phrase's words are, `words` tells
 * @param words a normalizer's `words`, the same as the reference's; white space by default
 * @example alignNetwork(withSynonyms(['tax', 'payers', 'pay'], [['taxpayers', 'tax payers']]), ['taxpayers', 'pay']).counts
 * // { correct: 2, substitutions: 0, deletions: 0, insertions: 0 }
 */
export function withSynonyms(
  reference: ReferenceNetwork | readonly string[],
  groups: Iterable<Iterable<string>>,
  words: (text: string) => string[] = splitWords,
): ReferenceNetwork {
  const network = 'arcs' in reference ? reference : linearNetwork(reference);
  const wordings: (readonly (readonly string[])[])[] = [];
  const byFirst = new Map<string, Phrase[]>();
  for (const group of groups) {
    const phrases = [...group].map((phrase) => words(phrase)).filter((phrase) => phrase.length > 0);
    for (const phrase of phrases) {
      const known = byFirst.get(phrase[0]!) ?? [];
      known.push({ words: phrase, group: wordings.length });
      byFirst.set(phrase[0]!, known);
    }
    wordings.push(phrases);
  }

  const leaving = new Map<number, number[]>();
  for (const [index, { from }] of network.arcs.entries()) {
    const known = leaving.get(from);
    if (known) known.push(index);
    else leaving.set(from, [index]);
  }
  // A parallel way stands after the last word of the phrase it replaces: behind all that lead to its beginning, before all
  // that leave its end.
  const added = new Map<number, NetworkArc[]>();
  const done = new Set<string>();
  let places = network.places;
  for (const [index, arc] of network.arcs.entries()) {
    for (const phrase of arc.word === null ? [] : (byFirst.get(arc.word) ?? [])) {
      for (const last of endsOf(network, leaving, index, phrase.words)) {
        const end = network.arcs[last]!.to;
        for (const [choice, wording] of wordings[phrase.group]!.entries()) {
          const key = `${arc.from} ${end} ${phrase.group} ${choice}`;
          if (done.has(key) || sameWords(wording, phrase.words)) continue;
          done.add(key);
          const way = added.get(last) ?? [];
          let from = arc.from;
          for (const [place, word] of wording.entries()) {
            const to = place === wording.length - 1 ? end : places++;
            way.push({ from, to, word, optional: false });
            from = to;
          }
          added.set(last, way);
        }
      }
    }
  }
  return { places, arcs: network.arcs.flatMap((arc, index) => [arc, ...(added.get(index) ?? [])]) };
}

/** The arcs on which a phrase that begins with an arc may end, one for each place. */
function endsOf(
  network: ReferenceNetwork,
  leaving: ReadonlyMap<number, readonly number[]>,
  first: number,
  words: readonly string[],
): Iterable<number> {
  let ends = new Map([[network.arcs[first]!.to, first]]);
  for (const word of words.slice(1)) {
    const next = new Map<number, number>();
    for (const place of ends.keys()) {
      for (const arc of leaving.get(place) ?? []) {
        if (network.arcs[arc]!.word === word) next.set(network.arcs[arc]!.to, arc);
      }
    }
    ends = next;
  }
  return ends.values();
}

function sameWords(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, index) => word === b[index]);
}
