// Signals by formula, the same in goldens/formula/make.py, with which other programs made the numbers there.

const sampleRate = 16_000;

/** Uniform between -.5 and .5, of a linear congruential generator. */
export function formulaNoise(count: number, seed: number): Float64Array {
  let state = seed;
  return Float64Array.from({ length: count }, () => {
    state = (Math.imul(1664525, state) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  });
}

/** Rounded and limited to what 16 bits hold. */
export function inSteps(values: Float64Array): Float64Array {
  return values.map((value) => Math.max(-32_768, Math.min(32_767, Math.floor(value + 0.5))));
}

/** Something like speech at 16 kHz, in steps of 16 bits: harmonics under a gliding pitch and breath, three syllables a second. */
export function formulaSyllables(count: number, seed: number): Float64Array {
  const breath = formulaNoise(count, seed);
  return inSteps(
    breath.map((noise, n) => {
      const t = n / sampleRate;
      const phase = 2 * Math.PI * (110 * t - (20 / (2 * Math.PI * 0.7)) * Math.cos(2 * Math.PI * 0.7 * t));
      let voice = 0;
      for (let k = 1; k <= 20; k++) voice += Math.sin(k * phase) / k;
      const level = Math.max(0, Math.sin(2 * Math.PI * 3.1 * t)) ** 2;
      return 9000 * level * (0.5 * voice + 0.4 * noise) + 30 * noise;
    }),
  );
}

/** A room response at 16 kHz: a click after `delay` samples, and noise that dies away by 60 dB in `rt60Seconds`. */
export function formulaResponse(count: number, seed: number, rt60Seconds: number, delay: number): Float64Array {
  return formulaNoise(count, seed).map((noise, n) => {
    if (n < delay) return 0;
    return n === delay ? 1 : 0.5 * noise * 10 ** ((-3 * (n - delay)) / sampleRate / rt60Seconds);
  });
}

/** A clip at 16 kHz of samples in steps of 16 bits. */
export function clipOfSteps(steps: Float64Array): { readonly samples: Float32Array; readonly sampleRate: number } {
  return { samples: Float32Array.from(steps, (step) => step / 32_768), sampleRate };
}
