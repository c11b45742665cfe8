import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Clip, durationSeconds } from '../../../audio/clip.ts';
import { resample } from '../../../audio/resample.ts';
import { checkStream } from '../stream-conformance.ts';
import { skipSlow, type TrialBench } from './trial-bench.ts';
import { checkTranscript, repeated } from './tried-sounds.ts';

const longClipSeconds = 600;

/** A member that hears takes any sound: long, empty, of any rate, and piece by piece where it can. */
export function proveHearing<Options>({ tried, mayDiffer, title, proves, opened, ask }: TrialBench<Options>): void {
  const [first, second] = tried.requests;
  const { clip } = first as { clip: Clip };
  const { clip: otherClip } = second as { clip: Clip };

  test(title('hears a sound while it is spoken'), { skip: tried.skip || mayDiffer }, async (context) => {
    await opened(async (recognizer) => {
      if (!recognizer.stream) return context.skip('it hears whole clips only');
      await checkStream({ recognizer, clips: [clip, otherClip] });
    });
  });

  proves(
    'hears ten minutes',
    async () => {
      const long = repeated(clip, Math.ceil(longClipSeconds / durationSeconds(clip)));
      await opened(async (recognizer) => checkTranscript(await ask(recognizer, { ...first, clip: long }), long));
    },
    skipSlow,
  );

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
