import { canonicalJson, sha256 } from '../../base/hash.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Corpus } from '../contract.ts';

/**
 * A corpus that has only so many utterances, of as many speakers as can be, in the same order as before. An utterance whose speaker is
 * not known counts as one of a speaker of its own. Which ones depends on speakers and ids alone. Memory does not grow with the
 * corpus, which is read once more beforehand.
 *
 * @param count at least 1
 * @example spread(corpus, 10)
 */
export function spread(corpus: Corpus, count: number): Corpus {
  let chosen: Promise<ReadonlySet<string>> | null = null;

  async function choose(): Promise<ReadonlySet<string>> {
    let speakers: Ordered[] = [];
    const utterances = new Map<string, Ordered[]>();
    for await (const utterance of corpus.utterances()) {
      const speaker = ordered(utterance.speaker ?? canonicalJson([utterance.id]));
      if (!utterances.has(speaker.name)) {
        speakers = first(count, [...speakers, speaker]);
        if (!speakers.includes(speaker)) continue;
        for (const name of utterances.keys()) if (speakers.every((kept) => kept.name !== name)) utterances.delete(name);
      }
      utterances.set(speaker.name, first(count, [...(utterances.get(speaker.name) ?? []), ordered(utterance.id)]));
    }
    const ids: string[] = [];
    for (let round = 0; round < count; round++) {
      for (const { name } of speakers)
        ids.push(...(utterances.get(name) ?? []).slice(round, round + 1).map((of) => of.name));
    }
    return new Set(ids.slice(0, count));
  }

  async function* utterances(): AsyncGenerator<Utterance> {
    chosen ??= choose();
    const ids = await chosen;
    let left = ids.size;
    for await (const utterance of corpus.utterances()) {
      if (!ids.has(utterance.id)) continue;
      yield utterance;
      if (--left === 0) return;
    }
  }

  return {
    utterances,
    soundIdentity: (utterance) => corpus.soundIdentity(utterance),
    clip: (utterance) => corpus.clip(utterance),
    close: () => corpus.close(),
  };
}

/** A name, and its place in an order that has nothing to do with it. */
interface Ordered {
  readonly name: string;
  readonly order: string;
}

function ordered(name: string): Ordered {
  return { name, order: sha256(name) };
}

function first(count: number, all: readonly Ordered[]): Ordered[] {
  return all.toSorted((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0)).slice(0, count);
}
