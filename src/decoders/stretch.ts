import { EarwitnessError } from '../base/errors.ts';
import type { Stretch } from './contract.ts';

/** An end behind the file's by no more than this is the file's end: manifests round their times. */
const slackSeconds = 0.05;

/** First frame of a stretch, and the one behind its last. */
export interface FrameRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Frames of a stretch, each end at the nearest frame.
 *
 * @throws EarwitnessError `bad-input` where the stretch is none, or lies outside of the file
 */
export function framesOf(
  stretch: Stretch | undefined,
  frames: number,
  sampleRate: number,
  nameForErrors: string,
): FrameRange {
  const { startSeconds = 0, endSeconds } = stretch ?? {};
  const duration = frames / sampleRate;
  if (!(startSeconds >= 0) || (endSeconds !== undefined && !(endSeconds > startSeconds))) {
    throw new EarwitnessError(
      'bad-input',
      `${nameForErrors}: expected a stretch that starts at 0 s or later and ends behind its start, got ${startSeconds} to ${endSeconds ?? 'the end'}; correct its times`,
    );
  }
  const from = Math.round(startSeconds * sampleRate);
  const to = endSeconds === undefined ? frames : Math.min(frames, Math.round(endSeconds * sampleRate));
  if (from >= frames || (endSeconds !== undefined && endSeconds > duration + slackSeconds)) {
    throw new EarwitnessError(
      'bad-input',
      `${nameForErrors}: expected a stretch within the ${duration.toFixed(3)} s of the file, got ${startSeconds} to ${endSeconds ?? 'the end'} s; correct its times`,
    );
  }
  if (to <= from) {
    throw new EarwitnessError(
      'bad-input',
      `${nameForErrors}: expected a stretch of at least one sample, got ${startSeconds} to ${endSeconds} s; correct its times`,
    );
  }
  return { from, to };
}
