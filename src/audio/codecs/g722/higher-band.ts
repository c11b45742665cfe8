import { saturate16 } from '../fixed-point.ts';
import { adapt, createPredictor } from './predictor.ts';
import { nextLogStep, stepSize } from './step-size.ts';

/** Output values of the inverse quantizer for small and large differences (ITU-T G.722, table QM2). */
const smallValue = 1616;
const largeValue = 7408;
/** What they do to the logarithm of the step size (table WH). */
const smallWorth = -214;
const largeWorth = 798;

/**
 * The higher band there and back, 2 bits for one value every 1/8000 s.
 *
 * @returns takes a value of 15 bits and gives the decoded one
 */
export function createHigherBand(): (value: number) => number {
  const predictor = createPredictor();
  let logStep = 0;
  let step = 8;
  return (value) => {
    const { estimate } = predictor;
    const difference = saturate16(value - estimate);
    const negative = difference < 0;
    const large = (negative ? -difference - 1 : difference) >= (564 * step) >> 12;
    const size = large ? largeValue : smallValue;
    const quantized = (step * (negative ? -size : size)) >> 15;
    const decoded = estimate + quantized;
    logStep = nextLogStep(logStep, large ? largeWorth : smallWorth, 22528);
    step = stepSize(logStep, 10);
    adapt(predictor, quantized);
    return decoded > 16383 ? 16383 : decoded < -16384 ? -16384 : decoded;
  };
}
