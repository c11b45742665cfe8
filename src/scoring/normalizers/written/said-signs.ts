/** Minus where a number begins, and the sign of mathematics before any: no hyphen, no range, with or without blanks. */
const minus = /(?<![\p{L}\p{N}\p{M}\p{P}\p{S}])[-–−](?=\p{N})|−(?= ?\p{N})/gu;
const currency = '[\\p{Sc}]';
/** A sign of money before its sum is said behind it. */
const sum = new RegExp(`(${currency}) ?(\\d+(?:[.,]\\d+)*)(?![\\d])`, 'gu');
const besides = '(?<=[\\p{L}\\p{N}\\p{M}] ?)';
const said = new RegExp(
  [
    `${currency}|[%‰°−]`,
    `(?<=[\\p{L}\\p{N}\\p{M}+] ?)\\+|\\+(?=[+ ]*\\p{N})`,
    `${besides}[&=](?= ?[\\p{L}\\p{N}])`,
    '(?<=[\\p{L}\\p{N}])@(?=[\\p{L}\\p{N}])|#(?=\\p{N})',
    '(?<=\\p{N} ?)[×÷<>≤≥](?= ?\\p{N})',
  ].join('|'),
  'gu',
);
// Most texts have none, which the few ranges of `rare` tell in a fifth of the time.
const rare = /[^ -"'-*,./0-9:;?A-Z[\]^_`a-z{|}~\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u058e-]|-\d/;
const mayBeSaid = /[\p{Sc}%‰°٪؉–−+&=@#×÷<>≤≥\ue000]|-\p{N}/u;
const percent = /[٪؉]/g;

/**
 * Signs that are said as words by themselves: money, %, ‰, °, plus and minus of numbers, &, =, @, #, × and ÷ between numbers.
 * Each stands alone, with blanks about it; of the other signs each run is a blank.
 *
 * @example replaceSigns('€5, 50%!', /[\p{S}\p{P}]+/gu) // '5 €   50 %  '
 */
export function replaceSigns(text: string, others: RegExp): string {
  if (!rare.test(text) || !mayBeSaid.test(text)) return text.replace(others, ' ');
  const kept: string[] = [];
  const marked = text
    .replaceAll('\ue000', ' ')
    .replace(percent, (sign) => (sign === '٪' ? '%' : '‰'))
    .replace(minus, '−')
    .replace(sum, '$2$1')
    .replace(said, (sign) => {
      kept.push(sign);
      return '\ue000';
    });
  let next = 0;
  return marked.replace(others, ' ').replaceAll('\ue000', () => ` ${kept[next++] ?? ''} `);
}
