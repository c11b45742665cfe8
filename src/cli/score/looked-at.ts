import { badInput } from '../../base/errors.ts';
import { firstOf } from '../../base/first-of.ts';
import { limitText } from '../../base/printable.ts';
import type { SideText } from './side-text.ts';
import { idKeys, withoutMark } from './text-file.ts';

type Texts = AsyncGenerator<SideText>;

/** So many ids tell how those of two files are to be compared. */
const maxPeeked = 1000;

export interface Peeked {
  readonly first: SideText | null;
  /** Some ids, the first of the file, and the paths beside them; none where not all have one. */
  readonly some: readonly string[];
  readonly paths: readonly string[];
  /** The ids with the channels. */
  readonly sides: readonly string[];
  readonly channels: ReadonlySet<string>;
  readonly all: Texts;
}

export async function peeked(texts: Texts): Promise<Peeked> {
  // By order nothing is to be known beforehand; which channels there are, only at the end.
  const isEnough = ({ id, channel }: SideText, count: number) =>
    id === null || (count >= maxPeeked && channel === undefined);
  const { first, all } = await firstOf(texts, isEnough);
  const paths = first.flatMap(({ path }) => path ?? []);
  return {
    first: first[0] ?? null,
    some: first.flatMap(({ id }) => id ?? []),
    paths: paths.length === first.length ? paths : [],
    sides: first.map(({ id, channel }) => `${id}#${channel}`),
    channels: channelsIn(first),
    all,
  };
}

/** How ids of two files are compared. */
export interface IdKey {
  /** What is said of it behind "by id" or "by path". */
  readonly told: string;
  readonly byPath: readonly [boolean, boolean];
  said(id: string): string;
  heard(id: string): string;
}

/**
 * The strictest way to compare ids by which all of two files are the same, else most, and each has them once: those of one file may be the paths of
 * the other.
 *
 * @param same what makes ids of this kind of file the same
 * @param names of the files
 * @throws EarwitnessError `bad-input`: not all are the same by one way, and another puts them together otherwise
 */
export function keyFor(
  said: Peeked,
  heard: Peeked,
  same: (id: string) => string,
  names: { readonly reference: string; readonly hypothesis: string },
): IdKey & { readonly common: number } {
  const sides: readonly (readonly [readonly string[], readonly string[], IdKey['byPath']])[] = [
    [said.some, heard.some, [false, false]],
    [said.some, heard.paths, [false, true]],
    [said.paths, heard.some, [true, false]],
    [said.paths, heard.paths, [true, true]],
  ];
  const ways = sides.flatMap(([first, second, byPath]) =>
    [
      ...idKeys.map(({ told, of }) => ({ told, of: [of, of] as const })),
      ...withoutMark(second).map(({ told, plain, marked }) => ({ told, of: [plain, marked] as const })),
      ...withoutMark(first).map(({ told, plain, marked }) => ({ told, of: [marked, plain] as const })),
    ].map(({ told, of }) => {
      const [one, other] = [byKey(first, (id) => same(of[0](id))), byKey(second, (id) => same(of[1](id)))];
      const areDistinct = one.size === new Set(first).size && other.size === new Set(second).size;
      const pairs = areDistinct ? [...one].filter(([key]) => other.has(key)) : [];
      const isWhole = pairs.length > 0 && pairs.length === one.size && pairs.length === other.size;
      const together = new Map(pairs.map(([key, row]) => [row, other.get(key)!]));
      return { told, byPath, of, together, isWhole };
    }),
  );
  const best =
    ways.find(({ isWhole }) => isWhole) ?? ways.reduce((a, b) => (b.together.size > a.together.size ? b : a));
  const { told, byPath, of, together } = best;
  const by = (way: typeof best) => `by ${way.byPath.includes(true) ? 'path' : 'id'}${way.told}`;
  for (const way of best.isWhole ? [] : ways) {
    if (way.together.size * 2 < together.size) continue;
    const row = [...together.keys()].find(
      (one) => way.together.has(one) && way.together.get(one) !== together.get(one),
    );
    if (row === undefined) continue;
    const shown = ({ byPath: [, isPath], together: all }: typeof best) =>
      JSON.stringify(limitText((isPath ? heard.paths : heard.some)[all.get(row)!]!, 60));
    throw badInput(
      `${names.hypothesis}: expected one way to put its ids together with those of ${names.reference}, but ${JSON.stringify(limitText(said.some[row]!, 60))} is ${shown(best)} ${by(best)}, and ${shown(way)} ${by(way)}; give both files the same ids`,
    );
  }
  return { told, byPath, said: (id) => same(of[0](id)), heard: (id) => same(of[1](id)), common: together.size };
}

/** Where each stands, by what it is compared by. */
function byKey(ids: readonly string[], key: (id: string) => string): ReadonlyMap<string, number> {
  return new Map(ids.map((id, row) => [key(id), row]));
}

export function channelsIn(texts: readonly SideText[]): ReadonlySet<string> {
  return new Set(texts.flatMap(({ channel }) => channel ?? []));
}
