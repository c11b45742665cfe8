// A recognizer whose calls are written into a ledger where they are made, so that a bill can be compared with what a run says it has spent.
import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

export const paid = {
  name: 'paid',
  about: 'Answers with a hash of the audio, and writes each call into a ledger',
  options: z.strictObject({ ledger: z.string(), seconds: z.number(), says: z.string() }),
  isolation: 'none',
  async describe({ says }) {
    return {
      identity: { engine: 'paid', says },
      input: 'sound',
      pinned: true,
      concurrency: 4,
      usesProcessor: false,
      facts: {},
    };
  },
  async open({ ledger, seconds, says }) {
    return {
      async recognize({ clip, key }, signal) {
        const { buffer, byteOffset, byteLength } = clip.samples;
        const hash = createHash('sha256')
          .update(new Uint8Array(buffer, byteOffset, byteLength))
          .digest('hex');
        const text = `${says} ${hash.slice(0, 8)}`;
        appendFileSync(ledger, `${key} ${clip.samples.length / clip.sampleRate} ${text}\n`);
        await sleep(seconds * 1000, undefined, { signal });
        return { text };
      },
      async close() {},
    };
  },
  readiness: async () => ({ ready: true, found: 'here' }),
};
