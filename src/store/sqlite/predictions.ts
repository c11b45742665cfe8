import type { Store, StoredPrediction } from '../contract.ts';
import { intactRowSql } from './checksums.ts';
import type { SqliteDatabase } from './database.ts';
import { blob } from './rows.ts';
import type { RunNumber } from './runs.ts';

/** The columns of a prediction, null where there is none. */
export interface PredictionRow {
  readonly prediction_determinable: Uint8Array | null;
  readonly prediction_failing: Uint8Array | null;
  readonly prediction_seconds: number | null;
}

/** What predictors said, and how long a run has been at work. The texts themselves stand in the corpus alone. */
export function predictionPart(
  database: SqliteDatabase,
  numberOf: RunNumber,
): Pick<Store, 'savePrediction' | 'saveElapsed' | 'elapsed'> {
  const insert = database.prepare(
    'INSERT OR IGNORE INTO predictions (key, determinable, failing, seconds) VALUES (?, ?, ?, ?)',
  );
  const insertElapsed = database.prepare('INSERT OR IGNORE INTO elapsed (key, seconds) VALUES (?, ?)');
  const longest = database
    .prepare(
      `SELECT coalesce(max(seconds), 0) FROM elapsed
       WHERE key IN (SELECT key FROM run_trials WHERE run = ? AND asks = 'elapsed') AND ${intactRowSql('elapsed')}`,
    )
    .pluck();
  return {
    savePrediction(key, { determinable, failing, seconds }) {
      insert.run(blob(key), bytesOf(determinable), bytesOf(failing), seconds);
    },
    saveElapsed(key, seconds) {
      insertElapsed.run(blob(key), seconds);
    },
    elapsed: (runId) => longest.get(numberOf(runId)) as number,
  };
}

/** The prediction of a row of the journal. */
export function predictionOf(row: PredictionRow): StoredPrediction | null {
  if (row.prediction_determinable === null || row.prediction_failing === null) return null;
  return {
    determinable: numbersOf(row.prediction_determinable),
    failing: numbersOf(row.prediction_failing),
    seconds: row.prediction_seconds ?? 0,
  };
}

function bytesOf(numbers: Float64Array): Buffer {
  const bytes = Buffer.alloc(8 * numbers.length);
  for (let place = 0; place < numbers.length; place++) bytes.writeDoubleLE(numbers[place]!, 8 * place);
  return bytes;
}

function numbersOf(bytes: Uint8Array): Float64Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float64Array.from({ length: bytes.byteLength / 8 }, (_, place) => view.getFloat64(8 * place, true));
}
