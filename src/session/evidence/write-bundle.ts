import { createWriteStream, existsSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { removeUnfinished, unfinishedName } from '../../base/abandoned.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { fileProblem } from '../../base/file-problem.ts';
import { putInPlace } from '../../base/on-disk.ts';
import type { RunRecord, Store } from '../../store/contract.ts';
import type { Seal } from './bundle-line.ts';
import { linesOfRun } from './lines-of-run.ts';
import { createSealer } from './sealer.ts';
import type { WrittenBundle } from './verification.ts';

/**
 * Writes everything that is known of a finished run into one file: JSON lines, compressed with gzip. The file is put in place
 * whole.
 *
 * @param options whether what was said is in it; when it is made
 * @throws EarwitnessError `bad-usage` where the file exists, or the run cannot be bundled; `bad-input` where it cannot be written
 * @example await writeBundle(store, findRun(store, 'last'), 'evidence.jsonl.gz', { transcripts: true, bundled: new Date() })
 */
export async function writeBundle(
  store: Store,
  run: RunRecord,
  file: string,
  options: { readonly transcripts: boolean; readonly bundled: Date },
): Promise<WrittenBundle> {
  if (existsSync(file)) {
    throw new EarwitnessError('bad-usage', `${file}: expected a new file, but it exists already; give another name`);
  }
  const sealer = createSealer();
  let seal: Seal | null = null;
  function* texts() {
    for (const line of linesOfRun(store, run, options)) {
      const text = JSON.stringify(line);
      sealer.add(line.part, text);
      yield `${text}\n`;
    }
    seal = sealer.seal();
    yield `${JSON.stringify(seal)}\n`;
  }
  const half = unfinishedName(file);
  removeUnfinished(dirname(file));
  try {
    await pipeline(Readable.from(inPieces(texts())), createGzip(), createWriteStream(half));
    putInPlace(half, file);
  } catch (error) {
    await rm(half, { force: true });
    if (error instanceof EarwitnessError || !isSystemError(error)) throw error;
    throw new EarwitnessError(
      'bad-input',
      `${file}: the bundle cannot be written there (${fileProblem(error)}); give another place`,
      {
        cause: error,
      },
    );
  }
  const { hash, frozenAtMs } = store.frozenPlan(run.id)!;
  return { file, bytes: (await stat(file)).size, seal: seal!, plan: { hash, frozenAtMs } };
}

/** Many small lines at once: a stream costs more for each piece than gzip does for a line. */
function* inPieces(texts: Iterable<string>): Generator<string> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < 1 << 16) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
