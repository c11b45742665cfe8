import { existsSync } from 'node:fs';
import { isAbsolute, join, posix, relative } from 'node:path';
import type { SoundTree } from './sound-tree.ts';

/** Names of the files of a tree by which values of a list are looked up. */
export interface SoundNames {
  readonly tree: SoundTree;
  /** Paths by the last part of the name, and by that without its ending. */
  readonly byName: ReadonlyMap<string, readonly string[]>;
  readonly byStem: ReadonlyMap<string, readonly string[]>;
  /** By the last part of the name in small letters and one form of Unicode. */
  readonly byCaseless: ReadonlyMap<string, readonly string[]>;
}

const caseless = (text: string) => text.normalize('NFC').toLowerCase();

/** Makes the look-up of a tree. */
export function soundNames(tree: SoundTree): SoundNames {
  const nameOf = (path: string) => posix.basename(path);
  return {
    tree,
    byName: Map.groupBy(tree.sounds, nameOf),
    byStem: Map.groupBy(tree.sounds, (path) => nameOf(path).replace(/\.[^.]+$/, '')),
    byCaseless: Map.groupBy(tree.sounds, (path) => caseless(nameOf(path))),
  };
}

/** How a value of a column leads to a sound. */
type Way = Pick<SoundColumn, 'prefix' | 'ending' | 'outside'> & { readonly folder: string };

/** A column of a list whose values name sounds. */
export interface SoundColumn {
  readonly matched: number;
  /** Whether the first row, which may be names, has a sound. */
  readonly firstMatches: boolean;
  /** From which folder the paths are meant, relative to the root; null: `manifest` finds it by itself. */
  readonly folder: string | null;
  /** What the paths begin with on another machine, to the last slash. */
  readonly prefix: string;
  /** What the paths lack, with the dot. */
  readonly ending: string;
  /** Whether the paths are absolute, or lead out of the list's folder. */
  readonly outside: boolean;
}

/**
 * How many values of a column name sounds that are there, from which folder and with which ending.
 *
 * @param path of the list, relative to the root
 * @returns null where none does
 */
export function soundColumn(
  values: readonly string[],
  path: string,
  { tree, byName, byStem, byCaseless }: SoundNames,
): SoundColumn | null {
  const ways = new Map<string, Way & { count: number }>();
  let first = false;
  for (const [index, written] of values.entries()) {
    const value = written.trim();
    if (value === '' || value.length > 1024) continue;
    const way = wayTo(value) ?? otherwise(value);
    if (way === null) continue;
    if (index === 0) first = true;
    const key = JSON.stringify(way);
    const known = ways.get(key) ?? { count: 0, ...way };
    known.count++;
    ways.set(key, known);
  }
  const [best] = [...ways.values()].sort((a, b) => b.count - a.count);
  if (best === undefined) return null;
  const { count, folder, prefix, ending, outside } = best;
  const own = posix.dirname(path);
  const found = [own, ...['clips', 'wavs', 'wav', 'audio'].map((name) => posix.join(own, name))].includes(folder);
  const usual = found || outside ? null : folder;
  return { matched: count, firstMatches: first, folder: usual, prefix, ending, outside };

  /** Of a path with backslashes, in another form of Unicode or in another letter case, where that is one sound alone. */
  function otherwise(value: string): Way | null {
    const clean = posix.normalize(value.replaceAll('\\', '/'));
    const whole = (sound: string) => join(tree.root, sound).replaceAll('\\', '/');
    const [own, next] = (byCaseless.get(caseless(posix.basename(clean))) ?? []).filter((sound) =>
      caseless(whole(sound)).endsWith(`/${caseless(clean)}`),
    );
    if (own !== undefined && next === undefined) {
      const depth = clean.split('/').length;
      return wayTo(whole(own).split('/').slice(-depth).join('/'));
    }
    const fewest = isAbsolute(value) || /^[A-Za-z]:\\/.test(value) ? 1 : 2;
    const way = byEnd(clean, fewest) ?? byEnd(clean, fewest, caseless);
    return way === null ? null : { ...way, prefix: value.slice(0, way.prefix.length) };
  }

  function wayTo(value: string): Way | null {
    if (isAbsolute(value)) {
      if (!existsSync(value)) return byEnd(value, 1);
      const outside = !value.startsWith(`${join(tree.root, posix.dirname(path))}/`);
      return { folder: '.', prefix: '', ending: '', outside };
    }
    const clean = posix.normalize(value);
    if (clean.startsWith('..')) {
      const inTree = posix.join(posix.dirname(path), clean);
      const there = byName.get(posix.basename(clean))?.includes(inTree) === true;
      return there ? { folder: posix.dirname(path), prefix: '', ending: '', outside: true } : null;
    }
    const end = (candidates: readonly string[] | undefined, ending: (sound: string) => string) => {
      // Paths may be meant from a folder above, whose name they then have: by the whole path of the sound.
      const whole = (sound: string) => join(tree.root, sound).replaceAll('\\', '/');
      const fitting = candidates?.filter((sound) => whole(sound).endsWith(`/${clean}${ending(sound)}`)) ?? [];
      // Of several of the name the one nearest to the list.
      const own = fitting.find((sound) => posix.dirname(sound).startsWith(posix.dirname(path))) ?? fitting[0];
      if (own === undefined) return null;
      const folder = whole(own).slice(0, -(clean.length + ending(own).length + 1));
      return {
        folder: relative(tree.root, folder || '/').replaceAll('\\', '/') || '.',
        prefix: '',
        ending: ending(own),
        outside: false,
      };
    };
    const ending = (sound: string) => /\.[^./]+$/.exec(sound)?.[0] ?? '';
    return (
      end(byName.get(posix.basename(clean)), () => '') ??
      end(byStem.get(posix.basename(clean)), ending) ??
      byEnd(value, 2)
    );
  }

  /** The one sound whose path ends like the value in most parts, at least so many: a list of another machine names it. */
  function byEnd(value: string, fewest: number, spelled = (text: string) => text): Way | null {
    const last = value.slice(value.lastIndexOf('/') + 1);
    const parts = value.split('/');
    const ends = parts.map(spelled);
    const alike = (sound: string) => {
      const own = sound.split('/').map(spelled);
      let count = 0;
      while (count < own.length && count < parts.length && own.at(-1 - count) === ends.at(-1 - count)) count++;
      return count;
    };
    const [best, next] = ((spelled === caseless ? byCaseless : byName).get(spelled(last)) ?? [])
      .map((sound) => ({ sound, count: alike(sound) }))
      .sort((a, b) => b.count - a.count);
    if (best === undefined || best.count < fewest || best.count === next?.count) return null;
    const folder = best.sound.split('/').slice(0, -best.count).join('/') || '.';
    return { folder, prefix: `${parts.slice(0, -best.count).join('/')}/`, ending: '', outside: false };
  }
}
