import type { NormalizerStep } from '../normalizer.ts';
import { cardinal, digitByDigit } from './cardinals.ts';
import { rewrite } from './rewrite.ts';

const start = String.raw`(?<![\p{L}\d]|\d[.,/:-])`;
const stop = String.raw`(?![\p{L}\d]|[-.,/:]\d)`;
const telephone = new RegExp(
  `${start}(?<plus>\\+)?(?:(?:\\d{1,3}[ .-])?(?:\\(\\d{2,4}\\)[ .-]?|\\d{3}[ .-])\\d{3}[ .-]\\d{4}|\\d{3}-\\d{4})(?!\\d)${stop}`,
  'gu',
);
const international = new RegExp(`${start}\\+\\d{1,3}(?:[ .-]?(?:\\(\\d{1,4}\\)|\\d{1,12})){1,8}${stop}`, 'gu');
const vanity = new RegExp(`${start}(?<code>1-)?(?<area>8\\d\\d)-(?<word>[A-Z]{4,12})(?!\\p{L})`, 'gu');
const grouped = new RegExp(`${start}(?:\\d{1,9}-){2,10}[\\dX]{1,9}(?!\\p{L})${stop}`, 'gu');
const codes = new RegExp(`${start}(?:\\d{5}-\\d{4}|\\d{4}(?: \\d{4}){2,4}|\\d{3} \\d{3} \\d{4})${stop}`, 'gu');
const network = new RegExp(`${start}\\d{1,3}(?:\\.\\d{1,3}){3}${stop}`, 'gu');
const version = new RegExp(`${start}(?<mark>[vV]\\.? ?)?(?<parts>\\d{1,9}(?:\\.\\d{1,9}){2,6})(?![\\d]|\\.\\d)`, 'gu');
const markedVersion =
  /(?<![\p{L}\d])(?:(?<mark>v\.?) ?(?=\d+\.\d)|(?<name>version|release|python|ubuntu|ios|android|macos|java|php|ruby|firefox|chrome|node) )(?<parts>\d{1,9}(?:\.\d{1,9}){0,6})(?![\d]|\.\d)/giu;
const identifier =
  /(?<=(?<![\p{L}])(?:call|calls|called|dial|dialed|phone|tel|fax|pin|code|zip|account|serial|isbn|issn|ssn|id|extension|ext)\.?:?(?: (?:number|no\.?|code|is|was|at))?(?: #)?:? )\d{3,}(?![\p{L}\d%°]|[.,/:-]\d| (?:people|times|\p{Ll}+s)(?!\p{L}))/giu;
const called =
  /(?<=(?<!\p{L})(?:call|calls|called|dial|dialed|phone|tel|fax|number|telephone):? (?:at |number )?)\d{2,6}(?:[- ]\d{2,8})+(?![\p{L}\d]|[.,:/-]\d)/giu;
const emergency =
  /(?<![\p{L}\d$€£]|\d[.,/:-])(?:911|999|112|411)(?= (?:emergency|emergencies|calls?|dispatch(?:er|ers)?|operators?|system)(?!\p{L}))/gu;
const bareLong = /(?<![\p{L}\d$€£¥]|\d[.,/:-])(?:\d{10,}|0\d{2,})(?![\p{L}\d]|[.,/:-]\d)/gu;

const sayDigits = (written: string) =>
  Array.from(written.matchAll(/\d|x$/gi), ([sign]) => (/\d/.test(sign) ? digitByDigit(sign) : 'x')).join(' ');

const sayParts = (written: string) => written.split('.').map(cardinal).join(' point ');

/**
 * Figures that name and do not count, digit by digit: telephone and card numbers, codes, addresses of the net (with "dot"),
 * ten figures and more without a sign unless round, figures with a leading zero. Versions by parts with "point".
 */
export const digitStrings: NormalizerStep = {
  step: 'telephone numbers, codes, versions',
  apply(text) {
    const plus = (written: string) => `${written.startsWith('+') ? 'plus ' : ''}${sayDigits(written)}`;
    let said = rewrite(
      text,
      vanity,
      ({ code, area, word }) => `${code ? 'one ' : ''}${digitByDigit(area!)} ${word!.toLowerCase()}`,
    );
    said = rewrite(said, telephone, (_, __, written) => plus(written));
    said = rewrite(said, international, (_, __, written) =>
      written.replaceAll(/\D/g, '').length < 7 ? undefined : plus(written),
    );
    said = rewrite(said, emergency, (_, __, written) => digitByDigit(written));
    said = rewrite(said, called, (_, __, written) => sayDigits(written));
    said = rewrite(said, codes, (_, __, written) => sayDigits(written));
    said = rewrite(said, grouped, (_, __, written) => sayDigits(written));
    said = rewrite(said, network, (_, __, written) => written.split('.').map(digitByDigit).join(' dot '));
    said = rewrite(
      said,
      markedVersion,
      ({ mark, name, parts }) => `${mark === undefined ? name : 'version'} ${sayParts(parts!)}`,
    );
    said = rewrite(said, version, ({ mark, parts }) => `${mark === undefined ? '' : 'version '}${sayParts(parts!)}`);
    said = rewrite(said, identifier, (_, __, written) => digitByDigit(written));
    return rewrite(said, bareLong, (_, __, written) =>
      /^[1-9]\d*000$/.test(written) ? cardinal(written) : digitByDigit(written),
    );
  },
};
