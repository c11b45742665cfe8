import type { Heard } from './heard.ts';

/** Pools that stand together in a row of a table. */
export interface Group<Item> {
  readonly name: string;
  readonly items: readonly Item[];
  /** A sum of rows above it. */
  readonly total: boolean;
}

/** Each pool by itself, then each synthesizer that has several, then all of them. */
export function groupsOf<Item extends { readonly heard: Heard }>(items: readonly Item[]): Group<Item>[] {
  const bySynthesizer = Map.groupBy(items, ({ heard }) => heard.pool.synthesizer);
  return [
    ...items.map((item) => ({ name: item.heard.pool.name, items: [item], total: false })),
    ...[...bySynthesizer]
      .filter(([, own]) => own.length > 1 && own.length < items.length)
      .map(([synthesizer, own]) => ({ name: `${synthesizer}, all voices`, items: own, total: true })),
    ...(items.length > 1 ? [{ name: 'all', items, total: true }] : []),
  ];
}
