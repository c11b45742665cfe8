import { elementwiseRules, reductionRules } from './elementwise.ts';
import { matrixRules, shapeRules } from './matrix.ts';
import type { Rule } from './step.ts';

/** How each operator of the standard passes a gradient back. */
export const rules: Readonly<Record<string, Rule>> = {
  ...elementwiseRules,
  ...shapeRules,
  ...reductionRules,
  ...matrixRules,
};

/** Operators that give truth values. */
export const booleanOperators = [
  'Equal',
  'Greater',
  'GreaterOrEqual',
  'Less',
  'LessOrEqual',
  'Not',
  'And',
  'Or',
  'Xor',
  'IsNaN',
  'IsInf',
] as const;

/**
 * Operators whose results do not change when their input changes a little: what they decide is held as it was, and nothing
 * passes back through them. That is exact almost everywhere.
 */
export const heldOperators: ReadonlySet<string> = new Set([
  'Shape',
  'Size',
  ...booleanOperators,
  'Sign',
  'ConstantOfShape',
]);

/**
 * Operators that have no gradient here, with the reason; a model that depends on the sound through one is refused, since a
 * gradient of zero would hide it.
 */
export const refusedOperators: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['ArgMax', 'ArgMin', 'TopK', 'NonZero', 'Unique', 'Round', 'Floor', 'Ceil', 'Mod', 'Hardmax'].map((operator) => [
      operator,
      'it decides or rounds, so that its gradient is zero or none',
    ]),
  ),
  ...Object.fromEntries(
    ['QuantizeLinear', 'DequantizeLinear', 'DynamicQuantizeLinear', 'MatMulInteger', 'ConvInteger'].map((operator) => [
      operator,
      'whole numbers have no gradient; take the float surrogate of the model',
    ]),
  ),
  ...Object.fromEntries(
    ['If', 'Loop', 'Scan'].map((operator) => [operator, 'branches and loops that sound decides are not followed']),
  ),
  ...Object.fromEntries(['LSTM', 'GRU', 'RNN'].map((operator) => [operator, 'recurrent layers are not followed'])),
};
