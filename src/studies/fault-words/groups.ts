import type { Utterance } from '../../model/utterance.ts';
import { createSpeakerClusters } from '../shared/speaker-clusters.ts';

/** Everybody, or those with one value of an attribute. */
export interface Group {
  /** As it was numbered when it was first met. */
  readonly number: number;
  /** Null: everybody. */
  readonly group: { readonly attribute: string; readonly value: string } | null;
  /** Those that are known. */
  readonly speakers: number;
}

/** An attribute with more values is not looked at unasked. */
const maxValues = 8;
const maxWantedValues = 100;

/** The groups of a corpus, numbered as they are met; everybody is 0. */
export function createGroups(groupBy: readonly string[] | null) {
  const most = groupBy === null ? maxValues : maxWantedValues;
  const attributes = new Map<string, Map<string, { number: number; readonly speakers: Set<number> }>>();
  const everybody = new Set<number>();
  const many = new Set<string>();
  const clusters = createSpeakerClusters();
  let count = 1;
  return {
    /** Numbers of the groups that an utterance belongs to. */
    of(utterance: Utterance): number[] {
      const cluster = clusters.clusterOf(utterance);
      const isKnown = utterance.speaker !== undefined;
      if (isKnown) everybody.add(cluster);
      const numbers = [0];
      for (const attribute of groupBy ?? Object.keys(utterance.attributes)) {
        if (!Object.hasOwn(utterance.attributes, attribute) || many.has(attribute)) continue;
        const values = attributes.get(attribute) ?? new Map<string, { number: number; speakers: Set<number> }>();
        attributes.set(attribute, values);
        const value = utterance.attributes[attribute]!;
        let group = values.get(value);
        if (group === undefined) {
          if (values.size === most) {
            many.add(attribute);
            continue;
          }
          group = { number: count++, speakers: new Set() };
          values.set(value, group);
        }
        if (isKnown) group.speakers.add(cluster);
        numbers.push(group.number);
      }
      return numbers;
    },
    /** Everybody, then attributes and their values in the order of their code units; attributes of one value make none. */
    found(): Group[] {
      const own = [...attributes]
        .filter(([attribute, values]) => values.size > 1 && !many.has(attribute))
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .flatMap(([attribute, values]) =>
          [...values]
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([value, { number, speakers }]) => ({ number, group: { attribute, value }, speakers: speakers.size })),
        );
      return [{ number: 0, group: null, speakers: everybody.size }, ...own];
    },
    manyValued: (): string[] => [...many].sort(),
  };
}
