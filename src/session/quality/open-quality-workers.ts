import type { OpenedQuality, QualityMeters } from '../../engine/quality.ts';
import type { ClipQuality } from '../../model/trial.ts';
import { openThreadPool } from '../../system/thread-pool.ts';
import type { QualityJob, QualityTask } from './worker.ts';

/** Measures in threads, for as long as they are open. */
export interface QualityWorkers extends QualityMeters {
  /** Ends the threads; what is under way fails. */
  close(): Promise<unknown>;
}

/**
 * Threads that measure the quality of clips. A value depends on its clip alone, so that their number changes nothing. One is
 * started at once, to tell what the measures are; the others when there is work for them.
 *
 * @param most threads, at least 1
 * @throws EarwitnessError as `openMeasures`
 */
export async function openQualityWorkers(job: QualityJob, most: number): Promise<QualityWorkers> {
  const entry = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
  const what = 'threads that measure quality';
  const pool = openThreadPool<QualityTask, unknown>(entry, job, { most, atOnce: 1, what });
  try {
    return {
      measures: (await pool.ask('measures')) as readonly OpenedQuality[],
      measure: (names, clip, clean) => pool.ask({ names, clip, clean }) as Promise<readonly ClipQuality[]>,
      close: pool.close,
    };
  } catch (error) {
    await pool.close();
    throw error;
  }
}
