import { EarwitnessError, messageOf } from '../../base/errors.ts';
import type { OpenOptions, Store } from '../contract.ts';
import { attemptPart } from './attempts.ts';
import { checkRows, damageSentence } from './check.ts';
import { DamagedRow, repairHint } from './checksums.ts';
import { clipPart } from './clips.ts';
import type { SqliteDatabase } from './database.ts';
import { evidencePart } from './evidence.ts';
import { failuresPart } from './failures.ts';
import { journalPart } from './journal.ts';
import { asStoreError, openDatabase } from './open-database.ts';
import { pairPart } from './pairs.ts';
import { predictionPart } from './predictions.ts';
import { runNumbers, runPart } from './runs.ts';
import { similarityPart } from './similarities.ts';
import { trialPart } from './trials.ts';

/**
 * Opens the store in one SQLite file (WAL mode), and makes it if it does not exist.
 *
 * @param path of the database; its lock and write-ahead log lie beside it
 * @throws EarwitnessError `store-busy` or `store`, see `openDatabase`
 * @example
 * using store = openStore('.earwitness/store.sqlite');
 * for (const run of store.runs()) console.log(run.id, run.name);
 */
export function openStore(path: string, options: OpenOptions = {}): Store & Disposable {
  const { database, marker, close } = openDatabase(path, options);
  const numberOf = runNumbers(database);
  const parts = ((): Omit<Store, 'close'> => {
    try {
      return {
        ...runPart(database, numberOf),
        ...journalPart(database, numberOf),
        ...attemptPart(database, numberOf, marker),
        ...failuresPart(database, numberOf),
        ...clipPart(database),
        ...similarityPart(database),
        ...predictionPart(database, numberOf),
        ...trialPart(database, numberOf),
        ...pairPart(database, numberOf),
        ...evidencePart(database, numberOf),
      };
    } catch (error) {
      close();
      // Its version is known, and so is what it must have: a table or a column that is missing was there.
      throw new EarwitnessError('store', `${path}: the store is damaged: ${messageOf(error)}; ${repairHint}`, {
        cause: error,
      });
    }
  })();
  return { ...guard(parts, path, database), close, [Symbol.dispose]: close };
}

/** Every call's errors told as sentences: a full disk can show at any write. */
function guard<Part extends object>(part: Part, path: string, database: SqliteDatabase): Part {
  const guarded: Record<string, unknown> = {};
  for (const [name, method] of Object.entries(part) as [string, (...args: unknown[]) => unknown][]) {
    guarded[name] = (...args: unknown[]) => {
      try {
        return method(...args);
      } catch (error) {
        if (error instanceof DamagedRow) {
          throw new EarwitnessError('store', damageSentence(path, checkRows(database, path)), { cause: error });
        }
        throw asStoreError(error, path);
      }
    };
  }
  return guarded as Part;
}
