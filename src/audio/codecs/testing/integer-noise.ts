/** Noise from whole numbers, soft and loud, flat and low: the same in every language. */
export function integerNoise(length: number, block: number): Int16Array {
  let state = 12345;
  let low = 0;
  return Int16Array.from({ length }, (_, n) => {
    state = (Math.imul(state, 69069) + 1) >>> 0;
    const value = (state >>> 16) - 32768;
    low = Math.floor(n / (4 * block)) % 2 === 1 ? (3 * low + value) >> 2 : value;
    return low >> ((Math.floor(n / block) * 5) % 16);
  });
}
