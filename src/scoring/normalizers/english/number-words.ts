/** What a word can do to the number that is being read. */
export type NumberWord =
  | { readonly kind: 'zero' }
  /** One to nineteen. */
  | { readonly kind: 'ones'; readonly digits: string }
  /** `third`, `sixes`. */
  | { readonly kind: 'ones-suffixed'; readonly digits: string; readonly suffix: string }
  | { readonly kind: 'tens'; readonly digits: string }
  /** `thirtieth`, `thirties`. */
  | { readonly kind: 'tens-suffixed'; readonly digits: string; readonly suffix: string }
  /** A power of ten. */
  | { readonly kind: 'multiplier'; readonly zeros: number }
  | { readonly kind: 'multiplier-suffixed'; readonly zeros: number; readonly suffix: string }
  /** `minus`: stands before a number. */
  | { readonly kind: 'sign'; readonly sign: string }
  /** `dollars`: stands after a number, and is written before it. */
  | { readonly kind: 'currency'; readonly sign: string }
  | { readonly kind: 'percent' }
  | { readonly kind: 'per' }
  | { readonly kind: 'and' }
  | { readonly kind: 'repeat'; readonly times: number }
  | { readonly kind: 'point' };

const ones = [
  'one two three four five six seven eight nine ten',
  'eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
]
  .join(' ')
  .split(' ');
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const multipliers: readonly (readonly [name: string, zeros: number])[] = [
  ['hundred', 2],
  ...'thousand million billion trillion quadrillion quintillion sextillion septillion octillion nonillion decillion'
    .split(' ')
    .map((name, index): [string, number] => [name, 3 * (index + 1)]),
];

const irregularOrdinals: Readonly<Record<string, readonly [ordinal: string, suffix: string]>> = {
  one: ['first', 'st'],
  two: ['second', 'nd'],
  three: ['third', 'rd'],
  five: ['fifth', 'th'],
  twelve: ['twelfth', 'th'],
};

function ordinal(name: string): readonly [ordinal: string, suffix: string] {
  return irregularOrdinals[name] ?? [name.endsWith('t') ? `${name}h` : `${name}th`, 'th'];
}

/**
 * The English words that numbers are made of, in lower case. `o` and `oh` are zero. (`hundreth` and other slips of spelling
 * are not among them, and neither are `dozen`, `half` and `quarter`.)
 */
export const numberWords: ReadonlyMap<string, NumberWord> = new Map<string, NumberWord>([
  ...['o', 'oh', 'zero'].map((name): [string, NumberWord] => [name, { kind: 'zero' }]),
  ['zeroth', { kind: 'ones-suffixed', digits: '0', suffix: 'th' }],
  ...ones.flatMap((name, index): [string, NumberWord][] => {
    const digits = String(index + 1);
    const [ordinalName, suffix] = ordinal(name);
    return [
      [name, { kind: 'ones', digits }],
      [name === 'six' ? 'sixes' : `${name}s`, { kind: 'ones-suffixed', digits, suffix: 's' }],
      [ordinalName, { kind: 'ones-suffixed', digits, suffix }],
    ];
  }),
  ...tens.flatMap((name, index): [string, NumberWord][] => {
    const digits = String(10 * (index + 2));
    return [
      [name, { kind: 'tens', digits }],
      [name.replace('y', 'ies'), { kind: 'tens-suffixed', digits, suffix: 's' }],
      [name.replace('y', 'ieth'), { kind: 'tens-suffixed', digits, suffix: 'th' }],
    ];
  }),
  ...multipliers.flatMap(([name, zeros]): [string, NumberWord][] => [
    [name, { kind: 'multiplier', zeros }],
    [`${name}s`, { kind: 'multiplier-suffixed', zeros, suffix: 's' }],
    [`${name}th`, { kind: 'multiplier-suffixed', zeros, suffix: 'th' }],
  ]),
  ['minus', { kind: 'sign', sign: '-' }],
  ['negative', { kind: 'sign', sign: '-' }],
  ['plus', { kind: 'sign', sign: '+' }],
  ['positive', { kind: 'sign', sign: '+' }],
  ['pound', { kind: 'currency', sign: '£' }],
  ['pounds', { kind: 'currency', sign: '£' }],
  ['euro', { kind: 'currency', sign: '€' }],
  ['euros', { kind: 'currency', sign: '€' }],
  ['dollar', { kind: 'currency', sign: '$' }],
  ['dollars', { kind: 'currency', sign: '$' }],
  ['cent', { kind: 'currency', sign: '¢' }],
  ['cents', { kind: 'currency', sign: '¢' }],
  ['percent', { kind: 'percent' }],
  ['per', { kind: 'per' }],
  ['and', { kind: 'and' }],
  ['double', { kind: 'repeat', times: 2 }],
  ['triple', { kind: 'repeat', times: 3 }],
  ['point', { kind: 'point' }],
]);
