import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../../base/hash.ts';
import { makeDurableFolder } from '../../base/on-disk.ts';
import type { HttpAnswer, HttpCall } from '../../http/connections.ts';
import type { HiddenKey } from '../../http/hidden-key.ts';

/** Headers of answers that say something about the exchange, and nothing about whose it is. */
const keptHeaders = ['content-type', 'retry-after', 'date'] as const;

/**
 * Keeps each exchange with a service as a file, to be replayed in tests. Headers that carry keys never come here; of the body the size
 * and the SHA-256 are kept, not the sound; keys are taken out of what the service sent back. The trial's key is how a person's exchanges
 * are found when the person is to be forgotten.
 */
export function exchangeRecorder(
  folder: string,
  service: string,
  hidden: HiddenKey,
): (call: HttpCall, answer: HttpAnswer, trial: string | undefined) => void {
  makeDurableFolder(folder);
  let count = 0;
  return ({ method, path, headers, body }, answer, trial) => {
    const at = new Date().toISOString();
    const exchange = {
      service,
      at,
      trial: trial ?? null,
      request: {
        method,
        path,
        headers,
        body: body === undefined ? null : { bytes: body.byteLength, sha256: sha256(body) },
      },
      answer: {
        status: answer.status,
        headers: Object.fromEntries(
          keptHeaders.flatMap((name) => (answer.header(name) === null ? [] : [[name, answer.header(name)]])),
        ),
        body: answer.body.toString('utf8'),
      },
    };
    // Names stand in the order of the exchanges, of which several may fall into one millisecond.
    const place = String(count++).padStart(6, '0');
    const name = `${at.replaceAll(':', '-')}-${place}-${randomUUID().slice(0, 8)}.json`;
    writeFileSync(join(folder, name), `${hidden.inMessage(JSON.stringify(exchange, null, 2))}\n`);
  };
}
