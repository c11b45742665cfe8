import { createHash, randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { sha256 } from '../../base/hash.ts';
import { makeDurableFolder, personal } from '../../base/on-disk.ts';
import type { HttpAnswer, HttpCall } from '../../http/connections.ts';
import type { HiddenKey } from '../../http/hidden-key.ts';

/** Headers of answers that say something about the exchange, and nothing about whose it is. */
const keptHeaders = ['content-type', 'retry-after', 'date'] as const;

/** What went over a socket. */
interface SocketExchange {
  /** Path and query, without what signs them. */
  readonly path: string;
  readonly sent: {
    /** Messages that hold no sound. */
    readonly said: readonly string[];
    readonly sound: { readonly messages: number; readonly bytes: number; readonly sha256: string };
  };
  readonly messages: readonly { readonly afterSeconds: number; readonly text: string }[];
  readonly closed: { readonly code: number; readonly reason: string } | null;
}

/** Keeps exchanges with a service, each as a file. */
export interface ExchangeRecorder {
  /**
   * @param trial its key
   * @param hidden takes more out than the service's key
   */
  call(call: HttpCall, answer: HttpAnswer, trial: string | undefined, hidden?: HiddenKey): void;
  socket(exchange: SocketExchange, trial: string | undefined, hidden: HiddenKey): void;
}

/**
 * Keeps each exchange with a service as a file, to be replayed in tests. Headers that carry keys never come here; of the body the size
 * and the SHA-256 are kept, not the sound; keys are taken out of what the service sent back. The trial's key is how a person's exchanges
 * are found when the person is to be forgotten.
 */
export function exchangeRecorder(folder: string, service: string, key: HiddenKey): ExchangeRecorder {
  makeDurableFolder(folder, personal.folder);
  let count = 0;
  const keep = (request: object, answer: object, trial: string | undefined, hidden: HiddenKey) => {
    const at = new Date().toISOString();
    const exchange = { service, at, trial: trial ?? null, request, answer };
    // Names stand in the order of the exchanges, of which several may fall into one millisecond.
    const place = String(count++).padStart(6, '0');
    const name = `${at.replaceAll(':', '-')}-${place}-${randomUUID().slice(0, 8)}.json`;
    writeFileSync(join(folder, name), `${hidden.inMessage(JSON.stringify(exchange, null, 2))}\n`, {
      mode: personal.file,
    });
  };
  return {
    call({ method, path, headers, body }, answer, trial, hidden = key) {
      const kept = keptHeaders.flatMap((name) => (answer.header(name) === null ? [] : [[name, answer.header(name)]]));
      keep(
        {
          method,
          path,
          headers,
          body: body === undefined ? null : { bytes: body.byteLength, sha256: sha256(body) },
        },
        { status: answer.status, headers: Object.fromEntries(kept), body: answer.body.toString('utf8') },
        trial,
        hidden,
      );
    },
    socket({ path, sent, messages, closed }, trial, hidden) {
      const request = { method: 'GET', path, headers: { Upgrade: 'websocket' }, sent };
      keep(request, { status: 101, messages, closed }, trial, hidden);
    },
  };
}

/** Keeps what goes over a socket: of the sound its size and hash alone. */
export function keepExchange(clock: Clock) {
  const said: string[] = [];
  const messages: SocketExchange['messages'][number][] = [];
  const hash = createHash('sha256');
  const sound = { messages: 0, bytes: 0 };
  const opened = clock.monotonicMs();
  return {
    said: (text: string) => void said.push(text),
    sound(samples: Uint8Array) {
      hash.update(samples);
      sound.messages++;
      sound.bytes += samples.length;
    },
    heard(text: string) {
      messages.push({ afterSeconds: Math.round(clock.monotonicMs() - opened) / 1000, text });
    },
    exchange: () => ({ sent: { said, sound: { ...sound, sha256: hash.digest('hex') } }, messages }),
  };
}
