import { reflectionOf } from './reflection.ts';
import { frameLength } from './state.ts';

/** Where the four mixtures of old and new log-area ratios begin (GSM 06.10, 5.2.9.1). */
const segmentStarts = [0, 13, 27, 40, frameLength] as const;

const coefficients = new Int32Array(8);

/**
 * Runs a filter over the four segments of a frame, each with reflection coefficients between those of the frame before and
 * this one's.
 *
 * @param filter given eight coefficients, the first value and the one behind the last
 */
export function filterSegments(
  lastRatios: Int32Array,
  ratios: Int32Array,
  filter: (coefficients: Int32Array, from: number, to: number) => void,
): void {
  for (let segment = 0; segment < 4; segment++) {
    for (let i = 0; i < 8; i++) {
      const old = lastRatios[i]!;
      const now = ratios[i]!;
      const mixed =
        segment === 0
          ? (old >> 2) + (now >> 2) + (old >> 1)
          : segment === 1
            ? (old >> 1) + (now >> 1)
            : segment === 2
              ? (old >> 2) + (now >> 2) + (now >> 1)
              : now;
      coefficients[i] = reflectionOf(mixed);
    }
    filter(coefficients, segmentStarts[segment]!, segmentStarts[segment + 1]!);
  }
}

/** The prediction residual of values, in place: a lattice of eight stages (5.2.10). */
export function analyse(
  values: Int32Array,
  lattice: Int32Array,
  reflections: Int32Array,
  from: number,
  to: number,
): void {
  for (let n = from; n < to; n++) {
    let forward = values[n]!;
    let kept = forward;
    for (let i = 0; i < 8; i++) {
      const reflection = reflections[i]!;
      const delayed = lattice[i]!;
      // A reflection coefficient is never -32768, so that no product overflows.
      let backward = delayed + ((Math.imul(reflection, forward) + 16384) >> 15);
      backward = backward > 32767 ? 32767 : backward < -32768 ? -32768 : backward;
      forward += (Math.imul(reflection, delayed) + 16384) >> 15;
      forward = forward > 32767 ? 32767 : forward < -32768 ? -32768 : forward;
      lattice[i] = kept;
      kept = backward;
    }
    values[n] = forward;
  }
}

/** The sound of a prediction residual, in place: the inverse lattice (5.3.4). */
export function synthesize(
  values: Int32Array,
  lattice: Int32Array,
  reflections: Int32Array,
  from: number,
  to: number,
): void {
  for (let n = from; n < to; n++) {
    let forward = values[n]!;
    for (let i = 7; i >= 0; i--) {
      const reflection = reflections[i]!;
      const delayed = lattice[i]!;
      forward -= (Math.imul(reflection, delayed) + 16384) >> 15;
      forward = forward > 32767 ? 32767 : forward < -32768 ? -32768 : forward;
      const backward = delayed + ((Math.imul(reflection, forward) + 16384) >> 15);
      lattice[i + 1] = backward > 32767 ? 32767 : backward < -32768 ? -32768 : backward;
    }
    lattice[0] = forward;
    values[n] = forward;
  }
}
