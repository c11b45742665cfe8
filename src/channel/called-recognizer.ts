import { z } from 'zod';
import { resample } from '../audio/resample.ts';
import { whole } from '../base/option-kinds.ts';
import { RecognitionError, type RecognizerKind } from '../recognizers/contract.ts';
import { clipOf } from '../recognizers/shared/requests.ts';
import { callers } from './callers.ts';

/** What the function is given beside the samples; the samples are 32-bit floats, full scale ±1. */
interface Asked {
  readonly name: string;
  readonly rate: number;
  readonly language: string;
}

const answerSchema = z.union([
  z.strictObject({ text: z.string(), words: z.array(z.record(z.string(), z.unknown())).optional() }),
  z.strictObject({ failure: z.string() }),
]);

const options = z.strictObject({
  name: z.string(),
  rate: whole(1),
  revision: z.string().nullable(),
  fingerprint: z.string(),
});

/** A function of the Python program that runs the config (`earwitness.run(…, recognizers={"mine": function})`). */
export const called: RecognizerKind<z.output<typeof options>> = {
  name: 'python-function',
  about: 'A function of the Python program that runs the config',
  options,
  isolation: 'none',
  async describe({ name, rate, revision, fingerprint }) {
    return {
      // Whoever says of what version it is knows better than its code.
      identity: { engine: 'python-function', name, rate, ...(revision === null ? { fingerprint } : { revision }) },
      input: 'sound',
      pinned: revision !== null,
      // One thread waits for what comes back.
      concurrency: 1,
      usesProcessor: true,
      facts: {},
    };
  },
  async open({ name, rate }) {
    const caller = callers.getStore();
    return {
      async recognize(request) {
        if (caller === undefined)
          throw new RecognitionError(
            'unavailable',
            `${name} is a function of a Python program that has ended; run it from there`,
          );
        const { samples } = resample(clipOf(request), rate);
        const asked: Asked = { name, rate, language: request.language };
        const { value } = await caller.ask('recognize', {
          value: { ...asked },
          arrays: { samples: Float32Array.from(samples) },
        });
        const { data, error } = answerSchema.safeParse(value);
        if (error) throw new RecognitionError('garbage', `${name} gave no text`);
        if ('failure' in data) throw new RecognitionError('error', data.failure);
        return { text: data.text };
      },
      async close() {},
    };
  },
  async readiness() {
    return { ready: false, found: 'is a function of a Python program' };
  },
};
