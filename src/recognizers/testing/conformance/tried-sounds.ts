import assert from 'node:assert/strict';
import { type Clip, durationSeconds } from '../../../audio/clip.ts';
import type { Transcript } from '../../../model/observation.ts';

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
