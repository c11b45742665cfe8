import assert from 'node:assert/strict';
import type { Clip } from '../../audio/clip.ts';
import { resample } from '../../audio/resample.ts';
import { type PartialTranscript, RecognitionError, type Recognizer } from '../contract.ts';

const neverAborted = new AbortController().signal;
const chunkSeconds = 0.1;
const mostSecondsToAbort = 1;

/** A recognizer that streams, and two sounds that it hears differently. */
export interface StreamingCase {
  readonly recognizer: Recognizer;
  readonly clips: readonly [Clip, Clip];
}

/** Proves what every stream must keep: a final transcript at the end and nowhere else, from its own sound alone. */
export async function checkStream({ recognizer, clips }: StreamingCase): Promise<void> {
  const stream = recognizer.stream!;
  const rate = recognizer.streamSampleRate!;
  const [first, second] = clips.map((clip) => resample(clip, rate)) as [Clip, Clip];
  const heard = (clip: Clip) => all(stream(chunksOf(clip), neverAborted));

  const fresh = await heard(second);
  assert.deepEqual(
    fresh.map(({ final }) => final),
    [...fresh.slice(1).map(() => false), true],
    'exactly one final transcript, at the end',
  );
  assert.ok(
    fresh.slice(0, -1).some(({ text }) => text !== ''),
    'no partial transcript before the end',
  );
  assert.notEqual((await heard(first)).at(-1)!.text, fresh.at(-1)!.text);
  assert.deepEqual(await heard(second), fresh, 'another stream before changes nothing');

  for await (const partial of stream(chunksOf(first), neverAborted)) if (partial.text !== '') break;
  assert.deepEqual(await heard(second), fresh, 'nor one that was left in the middle');

  await givesUp(stream(unendingSilence(rate), AbortSignal.timeout(50)));
  assert.deepEqual(await heard(second), fresh, 'nor one that was given up');

  const nothing = await heard({ samples: new Float32Array(0), sampleRate: rate });
  assert.deepEqual(
    nothing.map(({ text, final }) => ({ text, final })),
    [{ text: '', final: true }],
  );
  await assert.rejects(all(stream(chunksOf({ ...first, sampleRate: rate + 1 }), neverAborted)), (error: unknown) => {
    assert.ok(error instanceof RecognitionError && error.kind === 'sound', String(error));
    return true;
  });
}

async function givesUp(partials: AsyncIterable<PartialTranscript>): Promise<void> {
  const started = performance.now();
  await assert.rejects(all(partials), RecognitionError);
  assert.ok((performance.now() - started) / 1000 < 0.05 + mostSecondsToAbort, 'giving up took longer than a second');
}

async function all(partials: AsyncIterable<PartialTranscript>): Promise<PartialTranscript[]> {
  const heard: PartialTranscript[] = [];
  for await (const partial of partials) heard.push(partial);
  return heard;
}

async function* chunksOf({ samples, sampleRate }: Clip): AsyncGenerator<Clip> {
  const length = Math.round(chunkSeconds * sampleRate);
  for (let start = 0; start < samples.length; start += length) {
    yield { samples: samples.subarray(start, start + length), sampleRate };
  }
}

async function* unendingSilence(sampleRate: number): AsyncGenerator<Clip> {
  for (;;) yield { samples: new Float32Array(Math.round(chunkSeconds * sampleRate)), sampleRate };
}
