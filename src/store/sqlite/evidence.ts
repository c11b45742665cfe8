import { hashJson } from '../../base/hash.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { FrozenPlan, Material, Store } from '../contract.ts';
import { intact } from './checksums.ts';
import type { SqliteDatabase } from './database.ts';
import { blob, hex } from './rows.ts';
import type { RunNumber } from './runs.ts';

type EvidencePart = Pick<
  Store,
  'freezePlan' | 'frozenPlan' | 'keepMaterial' | 'materials' | 'saveSounds' | 'sounds' | 'askedTimes'
>;

/** What makes a run checkable by somebody who has neither its sounds nor its recognizers. */
export function evidencePart(database: SqliteDatabase, numberOf: RunNumber): EvidencePart {
  const insertPlan = database.prepare(
    'INSERT OR IGNORE INTO run_plans (run, hash, plan, frozen_at_ms) VALUES (?, ?, ?, ?)',
  );
  const selectPlan = database.prepare(
    `SELECT hash, plan, frozen_at_ms FROM run_plans WHERE run = ? AND ${intact('run_plans')}`,
  );
  const insertMaterial = database.prepare('INSERT OR IGNORE INTO materials (hash, value) VALUES (?, ?)');
  const insertUse = database.prepare(
    'INSERT OR REPLACE INTO run_materials (run, kind, name, hash) VALUES (?, ?, ?, ?)',
  );
  const insertSound = database.prepare('INSERT OR IGNORE INTO run_sounds (run, utterance, identity) VALUES (?, ?, ?)');
  const selectSounds = database.prepare(
    `SELECT utterance, identity FROM run_sounds WHERE run = ? AND utterance >= ? AND utterance < ?
       AND ${intact('run_sounds')} ORDER BY utterance`,
  );

  const frozenPlan = (runId: string): FrozenPlan | null => {
    const row = selectPlan.get(numberOf(runId)) as
      | { readonly hash: Uint8Array; readonly plan: string; readonly frozen_at_ms: number }
      | undefined;
    if (row === undefined) return null;
    return { hash: hex(row.hash), plan: JSON.parse(row.plan) as JsonObject, frozenAtMs: row.frozen_at_ms };
  };

  return {
    frozenPlan,
    freezePlan(runId, plan, frozenAtMs) {
      insertPlan.run(numberOf(runId), blob(hashJson(plan)), JSON.stringify(plan), frozenAtMs);
      return frozenPlan(runId)!;
    },
    keepMaterial: database.transaction((runId: string, kind: string, name: string, value: Json) => {
      const hash = hashJson(value);
      insertMaterial.run(blob(hash), JSON.stringify(value));
      insertUse.run(numberOf(runId), kind, name, blob(hash));
      return hash;
    }),
    *materials(runId) {
      const rows = database
        .prepare(`SELECT kind, name, hash, value FROM run_materials JOIN materials USING (hash)
           WHERE run = ? AND ${intact('run_materials')} AND ${intact('materials')}`)
        .iterate(numberOf(runId)) as Iterable<{ kind: string; name: string; hash: Uint8Array; value: string }>;
      for (const { kind, name, hash, value } of rows) {
        yield { kind, name, hash: hex(hash), value: JSON.parse(value) as Json } satisfies Material;
      }
    },
    saveSounds: database.transaction((runId: string, sounds: Parameters<Store['saveSounds']>[1]) => {
      const run = numberOf(runId);
      for (const { utterance, identity } of sounds) insertSound.run(run, utterance, JSON.stringify(identity));
    }),
    sounds(runId, { from, limit }) {
      const rows = selectSounds.all(numberOf(runId), from, from + limit) as { utterance: number; identity: string }[];
      return new Map(rows.map(({ utterance, identity }) => [utterance, JSON.parse(identity) as JsonObject]));
    },
    *askedTimes(runId, batch) {
      // The last call that was made for an answer, in whichever run: one that was reused was asked there. The calls are
      // gathered once, because they are found by their keys nowhere else.
      const rows = database
        .prepare(
          `WITH calls AS MATERIALIZED (SELECT run, key, max(sent_at_ms) AS sent_at_ms FROM attempts GROUP BY run, key)
           SELECT observation IS NOT NULL AND observations.run IS NOT run_trials.run AS earlier, sent_at_ms FROM run_trials
           LEFT JOIN observations ON observations.number = run_trials.observation
           LEFT JOIN calls ON calls.run = observations.run AND calls.key = observations.key
           WHERE run_trials.run = ? AND batch = ? ORDER BY position`,
        )
        .iterate(numberOf(runId), batch) as Iterable<{ earlier: number; sent_at_ms: number | null }>;
      for (const { earlier, sent_at_ms } of rows) yield { earlier: earlier === 1, askedAtMs: sent_at_ms };
    },
  };
}
