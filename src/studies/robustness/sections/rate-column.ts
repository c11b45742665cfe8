export const rateColumn = {
  key: 'wordErrorRate',
  label: 'Word error rate',
  kind: 'rate',
  help: 'Words replaced, left out and added, as a share of the words that were said; above 100 % where more is added than was said.',
} as const;
