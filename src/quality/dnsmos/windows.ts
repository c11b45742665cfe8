/** What the models hear at once, and how far apart such windows begin. */
export const sampleRate = 16_000;
const windowSeconds = 9.01;
export const windowSamples = Math.trunc(windowSeconds * sampleRate);
/** Windows begin a second apart. */
export const hopSamples = 16_000;

/**
 * The sound with itself appended until it fills a window, doubling each time, as the models' own program does.
 *
 * @param samples at least one
 */
export function fillWindow(samples: Float32Array): Float32Array {
  let filled = samples;
  while (filled.length < windowSamples) {
    const doubled = new Float32Array(2 * filled.length);
    doubled.set(filled);
    doubled.set(filled, filled.length);
    filled = doubled;
  }
  return filled;
}

/**
 * Which windows are heard, by the second at which each begins. The program cuts their number towards zero, so that sounds of up to
 * 11 seconds have one and what is left at the end of longer ones is not heard; and it leaves out windows whose end, calculated in
 * doubles from the second and 9.01, falls below a whole sample. Both move the means, so both are kept.
 *
 * @param samples at least `windowSamples`
 */
export function heardWindows(samples: number): number[] {
  const count = Math.trunc(Math.floor(samples / sampleRate) - windowSeconds) + 1;
  return Array.from({ length: count }, (_, window) => window).filter(
    (window) => Math.trunc((window + windowSeconds) * sampleRate) - window * sampleRate >= windowSamples,
  );
}
