import type { ClipMeasurement } from '../../model/measurement.ts';
import type { Store } from '../contract.ts';
import { intact } from './checksums.ts';
import type { SqliteDatabase } from './database.ts';
import { blob } from './rows.ts';

type ClipPart = Pick<Store, 'saveClip' | 'clip' | 'saveQuality' | 'storedQuality' | 'fileHash' | 'rememberFileHash'>;

/** Sounds, the clips made of them, and what was measured. */
export function clipPart(database: SqliteDatabase): ClipPart {
  const insertSound = database.prepare('INSERT OR IGNORE INTO sounds (hash, utterance_id, speaker) VALUES (?, ?, ?)');
  const insertClip = database.prepare('INSERT OR IGNORE INTO clips (hash, sound) VALUES (?, ?)');
  const insertMeasurement = database.prepare('INSERT OR IGNORE INTO measurements (clip, measurement) VALUES (?, ?)');
  const selectMeasurement = database
    .prepare(`SELECT measurement FROM measurements WHERE clip = ? AND ${intact('measurements')}`)
    .pluck();
  const insertQuality = database.prepare(
    'INSERT OR IGNORE INTO qualities (clip, measure, name, result) VALUES (?, ?, ?, ?)',
  );
  const hasQuality = database.prepare('SELECT 1 FROM qualities WHERE clip = ? AND measure = ?').pluck();
  const selectFile = database
    .prepare(`SELECT hash FROM files WHERE path = ? AND size = ? AND changed_ns = ? AND ${intact('files')}`)
    .pluck();
  const insertFile = database.prepare(
    'INSERT OR REPLACE INTO files (path, size, changed_ns, hash) VALUES (?, ?, ?, ?)',
  );

  return {
    saveClip: database.transaction((clip: Parameters<Store['saveClip']>[0]) => {
      insertSound.run(blob(clip.sound), clip.utteranceId, clip.speaker);
      insertClip.run(blob(clip.hash), blob(clip.sound));
      insertMeasurement.run(blob(clip.hash), JSON.stringify(clip.measurement));
    }),
    clip(hash) {
      const json = selectMeasurement.get(blob(hash)) as string | undefined;
      return json === undefined ? null : (JSON.parse(json) as ClipMeasurement);
    },
    saveQuality: database.transaction((clip: string, results: Parameters<Store['saveQuality']>[1]) => {
      for (const { key, measure, values, reason } of results) {
        const result = JSON.stringify({ values, ...(reason === undefined ? {} : { reason }) });
        insertQuality.run(blob(clip), blob(key), measure, result);
      }
    }),
    storedQuality: (clip, keys) => new Set(keys.filter((key) => hasQuality.get(blob(clip), blob(key)) !== undefined)),
    fileHash: (path, size, changedNs) => (selectFile.get(path, size, changedNs) as string | undefined) ?? null,
    rememberFileHash(path, size, changedNs, hash) {
      insertFile.run(path, size, changedNs, hash);
    },
  };
}
