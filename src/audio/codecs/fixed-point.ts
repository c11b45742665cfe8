/** The value within 16 bits that is nearest: what codecs call saturation. */
export function saturate16(value: number): number {
  return value > 32767 ? 32767 : value < -32768 ? -32768 : value;
}

/** Product of two 15-bit fractions, rounded: `mult_r` of the ETSI and ITU basic operators, 16 bits each. */
export function multiplyRounded(a: number, b: number): number {
  const product = (Math.imul(a, b) + 16384) >> 15;
  return product === 32768 ? 32767 : product;
}

/** Left shifts until a value other than 0 fills its 32 bits: `norm` of the basic operators. */
export function normalizingShift(value: number): number {
  return Math.clz32(value < 0 ? ~value : value) - 1;
}
