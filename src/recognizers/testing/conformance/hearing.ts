import assert from 'node:assert/strict';
import { type Clip, durationSeconds } from '../../../audio/clip.ts';
import { resample } from '../../../audio/resample.ts';
import { type PartialTranscript, RecognitionError, type Recognizer } from '../../contract.ts';
import { checkTranscript, repeated, type TrialBench } from './trial-bench.ts';

const longClipSeconds = 600;

/** A member that hears takes any sound: long, empty, of any rate, and piece by piece where it can. */
export function proveHearing<Options>({
  tried,
  mayDiffer,
  proves,
  provesSlowly,
  opened,
  ask,
}: TrialBench<Options>): void {
  const [first, second] = tried.requests;
  const { clip } = first as { clip: Clip };
  const { clip: otherClip } = second as { clip: Clip };

  proves(
    'hears a sound while it is spoken, or has no rate for that',
    async () => {
      await opened(async (recognizer) => {
        if (recognizer.stream) await checkStream({ recognizer, clips: [clip, otherClip] });
        else assert.equal(recognizer.streamSampleRate, undefined);
      });
    },
    mayDiffer,
  );

  provesSlowly('hears ten minutes', async () => {
    const long = repeated(clip, Math.ceil(longClipSeconds / durationSeconds(clip)));
    await opened(async (recognizer) => checkTranscript(await ask(recognizer, { ...first, clip: long }), long));
  });

  proves('hears clips of 8, 16 and 48 kHz, and leaves them as they are', async () => {
    await opened(async (recognizer) => {
      for (const sampleRate of [8000, 16_000, 48_000]) {
        const heard = resample(clip, sampleRate);
        const before = Float32Array.from(heard.samples);
        checkTranscript(await ask(recognizer, { ...first, clip: heard }), heard);
        assert.deepEqual(heard.samples, before);
      }
    });
  });

  proves('answers to an empty clip, to silence and to 10 ms', async () => {
    await opened(async (recognizer) => {
      const rate = clip.sampleRate;
      const short = { samples: clip.samples.slice(rate, rate + rate / 100), sampleRate: rate };
      for (const samples of [
        new Float32Array(0),
        new Float32Array(2 * rate),
        short.samples,
        new Float32Array(1).fill(1),
      ]) {
        checkTranscript(await ask(recognizer, { ...first, clip: { samples, sampleRate: rate } }), undefined);
      }
      checkTranscript(await ask(recognizer, first), clip);
    });
  });
}

const neverAborted = new AbortController().signal;
const chunkSeconds = 0.1;
const maxSecondsToAbort = 1;

/** A recognizer that streams, and two sounds that it hears differently. */
interface StreamingCase {
  readonly recognizer: Recognizer;
  readonly clips: readonly [Clip, Clip];
}

/** Proves what every stream must keep: a final transcript at the end and nowhere else, from its own sound alone. */
async function checkStream({ recognizer, clips }: StreamingCase): Promise<void> {
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
  assert.ok((performance.now() - started) / 1000 < 0.05 + maxSecondsToAbort, 'giving up took longer than a second');
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
