import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Clip } from '../../audio/clip.ts';
import { createManualClock } from '../../base/testing/manual-clock.ts';
import type { PartialTranscript } from '../contract.ts';
import { followPartials, recognizeStream } from './recognize-stream.ts';

const never = new AbortController().signal;
const clip: Clip = { samples: Float32Array.from({ length: 1000 }, (_, n) => n / 1000), sampleRate: 1000 };

test('words taken back are those after what two partials begin with', () => {
  const follow = followPartials();
  // Shown: the, there was, were (in place of was), were no -> a; taken back: the, was, no.
  for (const text of ['', 'the', 'the', 'there was', 'there were', 'there were no', 'there were a']) follow.add(text);
  assert.deepEqual(follow.instability(), { partials: 5, wordsShown: 6, wordsTakenBack: 3 });
});

test('a transcript that only grows takes nothing back, and one that vanishes takes back all', () => {
  const grows = followPartials();
  for (const text of ['a', 'a b', 'a b c']) grows.add(text);
  assert.deepEqual(grows.instability(), { partials: 3, wordsShown: 3, wordsTakenBack: 0 });
  const vanishes = followPartials();
  for (const text of ['a b', '']) vanishes.add(text);
  assert.deepEqual(vanishes.instability(), { partials: 2, wordsShown: 2, wordsTakenBack: 2 });
});

/** A recognizer that needs so long for a chunk, and 40 ms at the end. */
function slow(clock: ReturnType<typeof createManualClock>, chunkMs: number) {
  const heard: number[] = [];
  async function* stream(chunks: AsyncIterable<Clip>): AsyncGenerator<PartialTranscript> {
    let count = 0;
    for await (const { samples } of chunks) {
      heard.push(samples.length);
      await clock.sleep(chunkMs);
      count++;
      yield { text: count < 3 ? '' : `word ${count}`, final: false };
    }
    await clock.sleep(40);
    yield { text: 'word', final: true };
  }
  return { stream, heard };
}

async function fed(pace: 'fast' | 'real-time', chunkMs: number) {
  const clock = createManualClock();
  const { stream, heard } = slow(clock, chunkMs);
  const answer = recognizeStream(stream, clip, { pace, chunkSeconds: 0.15 }, never, clock);
  for (let turn = 0; turn < 100; turn++) await clock.advance(50);
  return { ...(await answer), heard };
}

test('in real time a chunk is there when its last sample has been spoken', async () => {
  const { timing, heard, details, text } = await fed('real-time', 10);
  assert.deepEqual(heard, [150, 150, 150, 150, 150, 150, 100]);
  assert.equal(text, 'word');
  // The third chunk is spoken at .45 s, the last at 1 s; 10 ms for each chunk, and the last adds 40 ms.
  assert.ok(Math.abs(timing!.stream!.firstPartialSeconds! - 0.46) < 1e-9, String(timing!.stream!.firstPartialSeconds));
  assert.ok(Math.abs(timing!.stream!.finalLatencySeconds - 0.05) < 1e-9, String(timing!.stream!.finalLatencySeconds));
  // A second of sound less the six times 10 ms that it worked meanwhile.
  assert.ok(Math.abs(timing!.stream!.waitedSeconds - 0.94) < 1e-9, String(timing!.stream!.waitedSeconds));
  // "word 3" to "word 7", and "word" at last: five numbers shown, all taken back.
  assert.deepEqual(details, { streaming: { partials: 6, wordsShown: 6, wordsTakenBack: 5 } });
});

test('a recognizer slower than speech falls behind it, and its latency says by how much', async () => {
  const { timing } = await fed('real-time', 300);
  // From .15 s on it works without a pause: seven times .3 s and 40 ms, where the sound ended at 1 s.
  assert.ok(Math.abs(timing!.stream!.finalLatencySeconds - (0.15 + 7 * 0.3 + 0.04 - 1)) < 1e-9);
  assert.ok(Math.abs(timing!.stream!.waitedSeconds - 0.15) < 1e-9);
});

test('as fast as it goes, nobody waits', async () => {
  const { timing } = await fed('fast', 10);
  assert.equal(timing!.stream!.waitedSeconds, 0);
  assert.ok(Math.abs(timing!.stream!.firstPartialSeconds! - 0.03) < 1e-9);
  assert.ok(Math.abs(timing!.stream!.finalLatencySeconds - 0.05) < 1e-9);
});

test('a stream without a final transcript is a failure, and not an empty answer', async () => {
  const clock = createManualClock();
  async function* stream(): AsyncGenerator<PartialTranscript> {
    yield { text: 'hello', final: false };
  }
  await assert.rejects(recognizeStream(stream, clip, { pace: 'fast', chunkSeconds: 1 }, never, clock), {
    name: 'RecognitionError',
    message: /without a final transcript/,
  });
});
