import { z } from 'zod';
import { badConfig } from '../../base/errors.ts';
import { canonicalJson, sha256 } from '../../base/hash.ts';
import { list, whole } from '../../base/option-kinds.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Corpus } from '../contract.ts';
import { createFilters, valuesOf } from './filters.ts';

const wanted = z.union([
  z.string(),
  list(z.string(), 1),
  z.strictObject({ not: z.array(z.string()).describe('Any value but these') }),
  z
    .strictObject({
      min: z.number().optional().describe('The least number that counts'),
      max: z.number().optional().describe('The greatest number that counts'),
    })
    .refine(
      ({ min, max }) =>
        (min !== undefined || max !== undefined) &&
        (min ?? Number.NEGATIVE_INFINITY) <= (max ?? Number.POSITIVE_INFINITY),
      'expected min, max or both, min not above max',
    ),
]);

/** Which utterances of a corpus are used. */
export const selectionOptions = z
  .strictObject({
    where: z
      .record(z.string(), wanted)
      .optional()
      .describe(
        'Only utterances whose attributes are as given: a text, a list of texts, { not: [texts] } for any other, or { min, max } for numbers. `id`, `speaker`, `language` (zh has zh-CN in it), `tag` and `words` (how many the reference has; of scripts without blanks between words, how many characters) count as attributes.',
      ),
    sample: whole(1)
      .optional()
      .describe('So many utterances at random, the same for the same seed; with `stratify`, so many of each group.'),
    seed: whole(0).optional().describe('Seed of the random sample. Default: 0.'),
    stratify: list(z.string(), 1)
      .optional()
      .describe(
        'Attributes: `sample` utterances of each combination of their values; those without a value are a group too.',
      ),
    limit: whole(1).optional().describe('Only the first so many of what is left after all else.'),
  })
  .refine(({ sample, stratify }) => stratify === undefined || sample !== undefined, {
    message: 'stratify needs `sample`, the number of utterances of each group',
    path: ['stratify'],
  });

type Fixed<Value> = Value extends object ? { readonly [Key in keyof Value]: Fixed<Value[Key]> } : Value;
type SelectionOptions = Fixed<z.infer<typeof selectionOptions>>;

/** More groups than this are no groups: an attribute that differs from utterance to utterance was named. */
const maxStrata = 10_000;

/**
 * A corpus that has only the selected utterances, in the same order as before.
 *
 * Whether an utterance is in a random sample of n depends on the seed, its id, and being among the n smallest of
 * SHA-256(seed, id): not on the order of the others. A smaller sample is part of a larger one with the same seed.
 * Memory grows with the sample, not with the corpus; sampling reads the corpus once more beforehand.
 *
 * @throws EarwitnessError `bad-config`, while utterances are read: an attribute that none has (with the nearest name),
 * or nothing left (with the filter that removed all)
 * @example select(corpus, { where: { sex: 'F', age: { min: 20, max: 30 } }, sample: 100, seed: 1 })
 */
export function select(corpus: Corpus, options: SelectionOptions): Corpus {
  const { where = {}, sample, seed = 0, stratify = [], limit } = options;
  const order = (utterance: Utterance) => sha256(canonicalJson([seed, utterance.id]));
  const stratum = (utterance: Utterance) => canonicalJson(stratify.map((name) => valuesOf(utterance, name)));

  async function* filtered(): AsyncGenerator<Utterance> {
    const filters = createFilters(where);
    let passed = 0;
    for await (const utterance of corpus.utterances()) {
      if (!filters.passes(utterance)) continue;
      passed++;
      yield utterance;
    }
    if (passed === 0) throw filters.explainEmpty();
    filters.checkNames([...Object.keys(where), ...stratify]);
  }

  async function findThresholds(): Promise<ReadonlyMap<string, string | null>> {
    const strata = new Map<string, Smallest>();
    for await (const utterance of filtered()) {
      const key = stratum(utterance);
      let smallest = strata.get(key);
      if (smallest === undefined) {
        smallest = createSmallest(sample!);
        strata.set(key, smallest);
        if (strata.size > maxStrata) {
          throw badConfig(
            `select: expected at most ${maxStrata} groups by ${stratify.join(' and ')}, but there are more; stratify by attributes with fewer values`,
          );
        }
      }
      smallest.add(order(utterance));
    }
    return new Map([...strata].map(([key, smallest]) => [key, smallest.threshold()]));
  }

  let thresholds: Promise<ReadonlyMap<string, string | null>> | null = null;

  async function* sampled(): AsyncGenerator<Utterance> {
    thresholds ??= findThresholds();
    const known = await thresholds;
    for await (const utterance of filtered()) {
      const threshold = known.get(stratum(utterance)) ?? null;
      if (threshold === null || order(utterance) <= threshold) yield utterance;
    }
  }

  async function* limited(): AsyncGenerator<Utterance> {
    let left = limit ?? Number.POSITIVE_INFINITY;
    for await (const utterance of sample === undefined ? filtered() : sampled()) {
      yield utterance;
      if (--left <= 0) return;
    }
  }

  return {
    utterances: limited,
    soundIdentity: (utterance) => corpus.soundIdentity(utterance),
    clip: (utterance) => corpus.clip(utterance),
    close: () => corpus.close(),
  };
}

/** Keeps the smallest of the texts it is given, in memory that grows only with how many are kept. */
interface Smallest {
  add(text: string): void;
  /** The largest of those kept, or null where fewer came than are kept: then every text belongs to them. */
  threshold(): string | null;
}

/**
 * A bounded max-heap over texts, compared by code unit.
 *
 * @param count how many to keep, at least 1
 */
function createSmallest(count: number): Smallest {
  const heap: string[] = [];

  const siftUp = (from: number) => {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (heap[parent]! >= heap[at]!) return;
      [heap[parent], heap[at]] = [heap[at]!, heap[parent]!];
      at = parent;
    }
  };
  const siftDown = () => {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      if (left >= heap.length) return;
      const larger = left + 1 < heap.length && heap[left + 1]! > heap[left]! ? left + 1 : left;
      if (heap[at]! >= heap[larger]!) return;
      [heap[at], heap[larger]] = [heap[larger]!, heap[at]!];
      at = larger;
    }
  };

  return {
    add(text) {
      if (heap.length < count) {
        heap.push(text);
        siftUp(heap.length - 1);
      } else if (text < heap[0]!) {
        heap[0] = text;
        siftDown();
      }
    },
    threshold: () => (heap.length < count ? null : heap[0]!),
  };
}

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
