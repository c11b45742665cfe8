import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Frame, readFrames, writeFrame } from './frames.ts';

async function through(bytes: Uint8Array, cuts: readonly number[]): Promise<Frame<object>[]> {
  const ends = [...new Set([...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
  const chunks = ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end));
  const read: Frame<object>[] = [];
  for await (const frame of readFrames<object>(Readable.from(chunks, { objectMode: true }))) read.push(frame);
  return read;
}

test('Frames come as they went, however the bytes between are cut, and one that is cut off is none.', async () => {
  const arrays = fc.dictionary(
    fc.string({ maxLength: 3 }).filter((name) => name !== '__proto__'),
    fc.oneof(fc.uint8Array(), fc.int32Array(), fc.float32Array(), fc.float64Array()),
    { noNullPrototype: true },
  );
  const frames = fc.array(fc.record({ header: fc.record({ value: fc.jsonValue() }), arrays }), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(frames, fc.array(fc.nat()), async (sent, cuts) => {
      const parts: Uint8Array[] = [];
      for (const { header, arrays } of sent) writeFrame((bytes) => parts.push(bytes), header, arrays);
      const bytes = Buffer.concat(parts);
      const asJson = sent.map(({ header, arrays }) => ({ header: JSON.parse(JSON.stringify(header)), arrays }));
      assert.deepEqual(await through(bytes, cuts), asJson);
      if (sent.length > 0) assert.equal((await through(bytes.subarray(0, -1), cuts)).length, sent.length - 1);
    }),
    { numRuns: 100, seed: 7 },
  );
});
