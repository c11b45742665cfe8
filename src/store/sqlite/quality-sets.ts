import { hashJson } from '../../base/hash.ts';
import type { ClipQuality } from '../../model/measurement.ts';
import { intact } from './checksums.ts';
import type { SqliteDatabase } from './database.ts';
import { blob, hex } from './rows.ts';

/** Sets of measures that questions ask for, each stored once and named by a hash of its keys. */
export interface QualitySets {
  /** The name of a set, which is stored; null for none. */
  keep(keys: readonly string[] | undefined): Buffer | null;
  keysOf(set: Uint8Array): readonly string[];
  /** What the measures of a set said of a clip, by their names. */
  qualityOf(clip: Uint8Array, set: Uint8Array): Readonly<Record<string, ClipQuality>>;
}

export function qualitySets(database: SqliteDatabase): QualitySets {
  const insert = database.prepare('INSERT OR IGNORE INTO quality_sets VALUES (?, ?)');
  const select = database.prepare('SELECT measure FROM quality_sets WHERE hash = ? ORDER BY measure').pluck();
  const results = database.prepare(
    `SELECT name, result FROM qualities JOIN quality_sets USING (measure)
     WHERE clip = ? AND quality_sets.hash = ? AND ${intact('qualities')} ORDER BY name`,
  );
  // A run asks for one set, or a few.
  const known = new Map<string, readonly string[]>();
  return {
    keep(keys = []) {
      if (keys.length === 0) return null;
      const set = blob(hashJson({ quality: [...keys].sort() }));
      for (const key of keys) insert.run(set, blob(key));
      return set;
    },
    keysOf(set) {
      const name = hex(set);
      let keys = known.get(name);
      if (keys === undefined) {
        keys = (select.all(set) as Uint8Array[]).map(hex);
        known.set(name, keys);
      }
      return keys;
    },
    qualityOf(clip, set) {
      const rows = results.all(clip, set) as { name: string; result: string }[];
      return Object.fromEntries(rows.map(({ name, result }) => [name, JSON.parse(result) as ClipQuality]));
    },
  };
}
