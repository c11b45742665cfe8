import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { type Clip, durationSeconds } from '../../../audio/clip.ts';
import type { Transcript } from '../../../model/observation.ts';
import type { RecognitionRequest, Recognizer, RecognizerKind, RecognizerServices } from '../../contract.ts';

/** A member with what is needed to prove it. */
export interface ConformanceCase<Options> {
  readonly kind: RecognizerKind<Options>;
  /** As they stand in a config. */
  readonly options: unknown;
  readonly services: RecognizerServices;
  /** Two requests with different answers; with clips of some seconds where the member hears. */
  readonly requests: readonly [RecognitionRequest, RecognitionRequest];
  /** Texts that stand in options or environment and must never come out. */
  readonly secrets?: readonly string[];
  /** Why the member cannot be tried on this machine; false where it can. */
  readonly skip: string | false;
  /** Why its answers to one request may differ; absent where they may not. */
  readonly nondeterministic?: string;
}

/** Whether what is slow is proved too: ten minutes of sound, a thousand recognitions. */
const slowToo = process.env.EARWITNESS_SLOW_TESTS === '1';

export const neverAborted = new AbortController().signal;

/** A member on the bench: opened, asked, and listened to for secrets. */
export interface TrialBench<Options> {
  readonly tried: ConformanceCase<Options>;
  /** Whether it hears sound, or knows names alone. */
  readonly hears: boolean;
  /** Why its answers to one request may differ; false where they may not. */
  readonly mayDiffer: string | false;
  /** Everything that came out, in which no secret may stand. */
  readonly cameOut: readonly string[];
  options(): Options;
  title(what: string): string;
  /** Registers a test; skipped for the reason given. Of a member that cannot be tried one skipped test stands for all. */
  proves(what: string, prove: () => Promise<void>, why?: string | false): void;
  /** `proves` for what takes minutes: registered with EARWITNESS_SLOW_TESTS=1 alone. */
  provesSlowly(what: string, prove: () => Promise<void>): void;
  opened(use: (recognizer: Recognizer) => Promise<void>): Promise<void>;
  ask(recognizer: Recognizer, request: RecognitionRequest, signal?: AbortSignal): Promise<Transcript>;
}

/** @param tried the member, with what is needed to prove it */
export function openBench<Options>(tried: ConformanceCase<Options>): TrialBench<Options> {
  const { kind, services, skip, nondeterministic } = tried;
  const { mode } = tried.options as { readonly mode?: string };
  const options = () => kind.options.parse(tried.options);
  const title = (what: string) => `${kind.name}${mode === undefined ? '' : ` (${mode})`} ${what}`;
  const cameOut: string[] = [];
  let told = false;
  return {
    tried,
    hears: tried.requests[0].clip !== undefined,
    mayDiffer: nondeterministic === undefined ? false : `its answers may differ: ${nondeterministic}`,
    cameOut,
    options,
    title,
    proves(what, prove, why = false) {
      if (skip === false) test(title(what), { skip: why }, prove);
      else if (!told) test(title('keeps the contract of recognizers'), { skip });
      told = true;
    },
    provesSlowly(what, prove) {
      if (slowToo && skip === false) test(title(what), prove);
    },
    async opened(use) {
      const recognizer = await kind.open(options(), services);
      try {
        await use(recognizer);
      } finally {
        await recognizer.close();
      }
    },
    async ask(recognizer, request, signal = neverAborted) {
      try {
        const { timing, ...transcript } = await recognizer.recognize(request, signal);
        cameOut.push(JSON.stringify(transcript));
        return transcript;
      } catch (error) {
        cameOut.push(inspect(error, { depth: 10, showHidden: true }));
        throw error;
      }
    },
  };
}

/** Frames of a decoder are counted in whole, and the last may reach past the sound by one. */
const pastTheEndSeconds = 0.05;

/** Words in order, within the sound, with confidences that are shares. */
export function checkTranscript(transcript: Transcript, clip: Clip | undefined): void {
  assert.equal(typeof transcript.text, 'string');
  let last = 0;
  for (const { text, startSeconds, endSeconds, confidence } of transcript.words ?? []) {
    assert.ok(text.length > 0);
    if (startSeconds !== undefined && endSeconds !== undefined) {
      assert.ok(startSeconds >= last && endSeconds > startSeconds, `${text}: ${startSeconds} to ${endSeconds}`);
      last = startSeconds;
      if (clip) assert.ok(endSeconds <= durationSeconds(clip) + pastTheEndSeconds, `${text} ends after the sound`);
    }
    if (confidence !== undefined) assert.ok(confidence >= 0 && confidence <= 1);
  }
}

/** The clip so many times over, so that there is something to give up. */
export function repeated({ samples, sampleRate }: Clip, times: number): Clip {
  const all = new Float32Array(times * samples.length);
  for (let start = 0; start < all.length; start += samples.length) all.set(samples, start);
  return { samples: all, sampleRate };
}

/** The beginning of a clip. */
export function stretch({ samples, sampleRate }: Clip, seconds: number): Clip {
  return { samples: samples.slice(0, Math.round(seconds * sampleRate)), sampleRate };
}
