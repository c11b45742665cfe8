import { firstOf } from '../../base/first-of.ts';
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

/**
 * The strictest way to compare ids by which two files have most in common, and each has them once: those of one file may be the paths of the
 * other.
 *
 * @param same what makes ids of this kind of file the same
 */
export function keyFor(
  said: Peeked,
  heard: Peeked,
  same: (id: string) => string,
): { readonly told: string; readonly byPath: readonly [boolean, boolean]; of(id: string): string } {
  const sides = [
    [said.some, heard.some, [false, false]],
    [said.some, heard.paths, [false, true]],
    [said.paths, heard.some, [true, false]],
    [said.paths, heard.paths, [true, true]],
  ] as const;
  const ways = sides.flatMap(([first, second, byPath]) =>
    [...idKeys, ...withoutMark(second), ...withoutMark(first)].map(({ told, of }) => {
      const key = (id: string) => same(of(id));
      const [one, other] = [new Set(first.map(key)), new Set(second.map(key))];
      const areDistinct = one.size === new Set(first).size && other.size === new Set(second).size;
      return { told, byPath, of: key, common: areDistinct ? one.intersection(other).size : -1 };
    }),
  );
  return ways.reduce((best, way) => (way.common > best.common ? way : best));
}

export function channelsIn(texts: readonly SideText[]): ReadonlySet<string> {
  return new Set(texts.flatMap(({ channel }) => channel ?? []));
}
