/**
 * A discrete Fourier transform of one size, with its tables. It holds working memory, so it must not be used again
 * before a call has returned (no call waits for anything).
 */
export interface ComplexFft {
  readonly size: number;
  /** In place, not scaled: X[k] is the sum of x[n] e^(-2 pi i k n / size). Both arrays hold at least `size` values. */
  forward(real: Float64Array, imaginary: Float64Array): void;
  /** In place, not scaled: after `forward` and `inverse` every value is `size` times what it was. */
  inverse(real: Float64Array, imaginary: Float64Array): void;
}

interface Stage {
  readonly radix: number;
  /** Transforms side by side, and what is left of the size behind this stage. */
  readonly stride: number;
  readonly rest: number;
  /** For each place p below `rest`: e^(-2 pi i p k stride / size), k from 1 to radix - 1. */
  readonly twiddleReal: Float64Array;
  readonly twiddleImaginary: Float64Array;
  /** Odd radices above 5: cosines and sines of one turn. */
  readonly cosine: Float64Array;
  readonly sine: Float64Array;
}

/** The largest prime factor that a transform's size may have: the work grows with the sum of the factors. */
export const largestFftFactor = 61;

/**
 * Prepares a transform of any size from 1 whose prime factors are at most 61; powers of two are the fastest.
 * Method: Stockham's self-sorting decimation in frequency, mixed radices (Van Loan, Computational Frameworks for the Fast
 * Fourier Transform, 1992, sections 1.7 and 2.2). Error about 1e-16 times the square root of log2(size), relative.
 *
 * @throws RangeError for other sizes
 * @example
 * const fft = createFft(8);
 * fft.forward(real, imaginary);
 */
export function createFft(size: number): ComplexFft {
  const radices = fftRadices(size);
  if (radices === null) {
    throw new RangeError(`expected a transform size with prime factors of at most ${largestFftFactor}, got ${size}`);
  }
  const stages = makeStages(size, radices);
  const spareReal = new Float64Array(size);
  const spareImaginary = new Float64Array(size);

  const forward = (real: Float64Array, imaginary: Float64Array) => {
    let fromReal: Float64Array = real;
    let fromImaginary: Float64Array = imaginary;
    let toReal: Float64Array = spareReal;
    let toImaginary: Float64Array = spareImaginary;
    for (const stage of stages) {
      const butterflies = butterfliesOf[stage.radix] ?? oddRadix;
      butterflies(stage, fromReal, fromImaginary, toReal, toImaginary);
      [fromReal, toReal] = [toReal, fromReal];
      [fromImaginary, toImaginary] = [toImaginary, fromImaginary];
    }
    if (fromReal !== real) {
      real.set(fromReal);
      imaginary.set(fromImaginary);
    }
  };
  // Exchanging the parts conjugates before and after, which turns the transform round.
  return { size, forward, inverse: (real, imaginary) => forward(imaginary, real) };
}

/** The radices of a size in the order of work; null where a prime factor is too large. */
export function fftRadices(size: number): number[] | null {
  if (!Number.isInteger(size) || size < 1) return null;
  const radices: number[] = [];
  let rest = size;
  for (const radix of [4, 2, 3, 5]) {
    while (rest % radix === 0) {
      radices.push(radix);
      rest /= radix;
    }
  }
  for (let radix = 7; radix <= largestFftFactor; radix += 2) {
    while (rest % radix === 0) {
      radices.push(radix);
      rest /= radix;
    }
  }
  return rest === 1 ? radices : null;
}

function makeStages(size: number, radices: readonly number[]): Stage[] {
  let stride = 1;
  return radices.map((radix) => {
    const rest = size / stride / radix;
    const twiddleReal = new Float64Array(rest * (radix - 1));
    const twiddleImaginary = new Float64Array(rest * (radix - 1));
    for (let place = 0; place < rest; place++) {
      for (let k = 1; k < radix; k++) {
        const angle = (-2 * Math.PI * ((place * k * stride) % size)) / size;
        twiddleReal[place * (radix - 1) + k - 1] = Math.cos(angle);
        twiddleImaginary[place * (radix - 1) + k - 1] = Math.sin(angle);
      }
    }
    const turn = (shape: (angle: number) => number) =>
      Float64Array.from({ length: radix > 5 ? radix : 0 }, (_, k) => shape((2 * Math.PI * k) / radix));
    const [cosine, sine] = [turn(Math.cos), turn(Math.sin)];
    // Exactly mirrored: filters for 44.1 kHz, and so the samples of their sounds, hang on the last bit.
    if (radix === 7) for (const k of [1, 2, 3]) [cosine[7 - k], sine[7 - k]] = [cosine[k]!, -sine[k]!];
    const stage = { radix, stride, rest, twiddleReal, twiddleImaginary, cosine, sine };
    stride *= radix;
    return stage;
  });
}

function radix2(stage: Stage, xr: Float64Array, xi: Float64Array, yr: Float64Array, yi: Float64Array): void {
  const { stride, rest, twiddleReal, twiddleImaginary } = stage;
  const half = rest * stride;
  for (let place = 0; place < rest; place++) {
    const wr = twiddleReal[place]!;
    const wi = twiddleImaginary[place]!;
    const end = (place + 1) * stride;
    for (let a = place * stride, out = 2 * place * stride; a < end; a++, out++) {
      const ar = xr[a]!;
      const ai = xi[a]!;
      const br = xr[a + half]!;
      const bi = xi[a + half]!;
      yr[out] = ar + br;
      yi[out] = ai + bi;
      const dr = ar - br;
      const di = ai - bi;
      yr[out + stride] = dr * wr - di * wi;
      yi[out + stride] = dr * wi + di * wr;
    }
  }
}

function radix4(stage: Stage, xr: Float64Array, xi: Float64Array, yr: Float64Array, yi: Float64Array): void {
  const { stride, rest, twiddleReal, twiddleImaginary } = stage;
  const quarter = rest * stride;
  const half = 2 * quarter;
  const threeQuarters = 3 * quarter;
  const stride2 = 2 * stride;
  const stride3 = 3 * stride;
  for (let place = 0; place < rest; place++) {
    const w1r = twiddleReal[3 * place]!;
    const w1i = twiddleImaginary[3 * place]!;
    const w2r = twiddleReal[3 * place + 1]!;
    const w2i = twiddleImaginary[3 * place + 1]!;
    const w3r = twiddleReal[3 * place + 2]!;
    const w3i = twiddleImaginary[3 * place + 2]!;
    const end = (place + 1) * stride;
    for (let a = place * stride, out = 4 * place * stride; a < end; a++, out++) {
      const ar = xr[a]!;
      const ai = xi[a]!;
      const br = xr[a + quarter]!;
      const bi = xi[a + quarter]!;
      const cr = xr[a + half]!;
      const ci = xi[a + half]!;
      const dr = xr[a + threeQuarters]!;
      const di = xi[a + threeQuarters]!;
      const sumAcR = ar + cr;
      const sumAcI = ai + ci;
      const differenceAcR = ar - cr;
      const differenceAcI = ai - ci;
      const sumBdR = br + dr;
      const sumBdI = bi + di;
      const differenceBdR = br - dr;
      const differenceBdI = bi - di;
      yr[out] = sumAcR + sumBdR;
      yi[out] = sumAcI + sumBdI;
      const y1r = differenceAcR + differenceBdI;
      const y1i = differenceAcI - differenceBdR;
      yr[out + stride] = y1r * w1r - y1i * w1i;
      yi[out + stride] = y1r * w1i + y1i * w1r;
      const y2r = sumAcR - sumBdR;
      const y2i = sumAcI - sumBdI;
      yr[out + stride2] = y2r * w2r - y2i * w2i;
      yi[out + stride2] = y2r * w2i + y2i * w2r;
      const y3r = differenceAcR - differenceBdI;
      const y3i = differenceAcI + differenceBdR;
      yr[out + stride3] = y3r * w3r - y3i * w3i;
      yi[out + stride3] = y3r * w3i + y3i * w3r;
    }
  }
}

function radix3(stage: Stage, xr: Float64Array, xi: Float64Array, yr: Float64Array, yi: Float64Array): void {
  const { stride, rest, twiddleReal, twiddleImaginary } = stage;
  const third = rest * stride;
  const sine = Math.sqrt(3) / 2;
  for (let place = 0; place < rest; place++) {
    const w1r = twiddleReal[2 * place]!;
    const w1i = twiddleImaginary[2 * place]!;
    const w2r = twiddleReal[2 * place + 1]!;
    const w2i = twiddleImaginary[2 * place + 1]!;
    const end = (place + 1) * stride;
    for (let a = place * stride, out = 3 * place * stride; a < end; a++, out++) {
      const ar = xr[a]!;
      const ai = xi[a]!;
      const sumR = xr[a + third]! + xr[a + 2 * third]!;
      const sumI = xi[a + third]! + xi[a + 2 * third]!;
      const turnedR = sine * (xi[a + third]! - xi[a + 2 * third]!);
      const turnedI = -sine * (xr[a + third]! - xr[a + 2 * third]!);
      yr[out] = ar + sumR;
      yi[out] = ai + sumI;
      const middleR = ar - 0.5 * sumR;
      const middleI = ai - 0.5 * sumI;
      const y1r = middleR + turnedR;
      const y1i = middleI + turnedI;
      yr[out + stride] = y1r * w1r - y1i * w1i;
      yi[out + stride] = y1r * w1i + y1i * w1r;
      const y2r = middleR - turnedR;
      const y2i = middleI - turnedI;
      yr[out + 2 * stride] = y2r * w2r - y2i * w2i;
      yi[out + 2 * stride] = y2r * w2i + y2i * w2r;
    }
  }
}

function radix5(stage: Stage, xr: Float64Array, xi: Float64Array, yr: Float64Array, yi: Float64Array): void {
  const { stride, rest, twiddleReal, twiddleImaginary } = stage;
  const fifth = rest * stride;
  const cos1 = Math.cos((2 * Math.PI) / 5);
  const cos2 = Math.cos((4 * Math.PI) / 5);
  const sin1 = Math.sin((2 * Math.PI) / 5);
  const sin2 = Math.sin((4 * Math.PI) / 5);
  for (let place = 0; place < rest; place++) {
    const w1r = twiddleReal[4 * place]!;
    const w1i = twiddleImaginary[4 * place]!;
    const w2r = twiddleReal[4 * place + 1]!;
    const w2i = twiddleImaginary[4 * place + 1]!;
    const w3r = twiddleReal[4 * place + 2]!;
    const w3i = twiddleImaginary[4 * place + 2]!;
    const w4r = twiddleReal[4 * place + 3]!;
    const w4i = twiddleImaginary[4 * place + 3]!;
    const end = (place + 1) * stride;
    for (let a = place * stride, out = 5 * place * stride; a < end; a++, out++) {
      const ar = xr[a]!;
      const ai = xi[a]!;
      const outerSumR = xr[a + fifth]! + xr[a + 4 * fifth]!;
      const outerSumI = xi[a + fifth]! + xi[a + 4 * fifth]!;
      const outerR = xr[a + fifth]! - xr[a + 4 * fifth]!;
      const outerI = xi[a + fifth]! - xi[a + 4 * fifth]!;
      const innerSumR = xr[a + 2 * fifth]! + xr[a + 3 * fifth]!;
      const innerSumI = xi[a + 2 * fifth]! + xi[a + 3 * fifth]!;
      const innerR = xr[a + 2 * fifth]! - xr[a + 3 * fifth]!;
      const innerI = xi[a + 2 * fifth]! - xi[a + 3 * fifth]!;
      yr[out] = ar + outerSumR + innerSumR;
      yi[out] = ai + outerSumI + innerSumI;
      const even1R = ar + cos1 * outerSumR + cos2 * innerSumR;
      const even1I = ai + cos1 * outerSumI + cos2 * innerSumI;
      const odd1R = sin1 * outerI + sin2 * innerI;
      const odd1I = -sin1 * outerR - sin2 * innerR;
      const even2R = ar + cos2 * outerSumR + cos1 * innerSumR;
      const even2I = ai + cos2 * outerSumI + cos1 * innerSumI;
      const odd2R = sin2 * outerI - sin1 * innerI;
      const odd2I = sin1 * innerR - sin2 * outerR;
      const y1r = even1R + odd1R;
      const y1i = even1I + odd1I;
      yr[out + stride] = y1r * w1r - y1i * w1i;
      yi[out + stride] = y1r * w1i + y1i * w1r;
      const y2r = even2R + odd2R;
      const y2i = even2I + odd2I;
      yr[out + 2 * stride] = y2r * w2r - y2i * w2i;
      yi[out + 2 * stride] = y2r * w2i + y2i * w2r;
      const y3r = even2R - odd2R;
      const y3i = even2I - odd2I;
      yr[out + 3 * stride] = y3r * w3r - y3i * w3i;
      yi[out + 3 * stride] = y3r * w3i + y3i * w3r;
      const y4r = even1R - odd1R;
      const y4i = even1I - odd1I;
      yr[out + 4 * stride] = y4r * w4r - y4i * w4i;
      yi[out + 4 * stride] = y4r * w4i + y4i * w4r;
    }
  }
}

/** Any odd radix by its definition, a pair of mirrored terms at a time. */
function oddRadix(stage: Stage, xr: Float64Array, xi: Float64Array, yr: Float64Array, yi: Float64Array): void {
  const { radix, stride, rest, twiddleReal, twiddleImaginary, cosine, sine } = stage;
  const part = rest * stride;
  const pairs = (radix - 1) / 2;
  const sumR = new Float64Array(pairs);
  const sumI = new Float64Array(pairs);
  const differenceR = new Float64Array(pairs);
  const differenceI = new Float64Array(pairs);
  for (let place = 0; place < rest; place++) {
    const twiddle = place * (radix - 1) - 1;
    const end = (place + 1) * stride;
    for (let a = place * stride, out = radix * place * stride; a < end; a++, out++) {
      const ar = xr[a]!;
      const ai = xi[a]!;
      let totalR = ar;
      let totalI = ai;
      for (let j = 0, low = a + part, high = a + (radix - 1) * part; j < pairs; j++, low += part, high -= part) {
        const lowR = xr[low]!;
        const lowI = xi[low]!;
        const highR = xr[high]!;
        const highI = xi[high]!;
        totalR += sumR[j] = lowR + highR;
        totalI += sumI[j] = lowI + highI;
        differenceR[j] = lowR - highR;
        differenceI[j] = lowI - highI;
      }
      yr[out] = totalR;
      yi[out] = totalI;
      for (let k = 1; k <= pairs; k++) {
        let evenR = ar;
        let evenI = ai;
        let oddR = 0;
        let oddI = 0;
        for (let j = 0, turn = k; j < pairs; j++) {
          const c = cosine[turn]!;
          const s = sine[turn]!;
          evenR += c * sumR[j]!;
          evenI += c * sumI[j]!;
          oddR += s * differenceI[j]!;
          oddI -= s * differenceR[j]!;
          turn += k;
          if (turn >= radix) turn -= radix;
        }
        const mirrored = radix - k;
        const kr = evenR + oddR;
        const ki = evenI + oddI;
        const kwr = twiddleReal[twiddle + k]!;
        const kwi = twiddleImaginary[twiddle + k]!;
        yr[out + k * stride] = kr * kwr - ki * kwi;
        yi[out + k * stride] = kr * kwi + ki * kwr;
        const mr = evenR - oddR;
        const mi = evenI - oddI;
        const mwr = twiddleReal[twiddle + mirrored]!;
        const mwi = twiddleImaginary[twiddle + mirrored]!;
        yr[out + mirrored * stride] = mr * mwr - mi * mwi;
        yi[out + mirrored * stride] = mr * mwi + mi * mwr;
      }
    }
  }
}

const butterfliesOf: Readonly<Record<number, typeof oddRadix>> = {
  2: radix2,
  3: radix3,
  4: radix4,
  5: radix5,
};
