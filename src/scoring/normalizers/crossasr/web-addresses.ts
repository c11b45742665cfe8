import type { NormalizerStep } from '../normalizer.ts';
import { sayAlphanumeric, spelledInSmallLetters } from './initialisms.ts';
import { rewrite } from './rewrite.ts';

const endings =
  'com|org|net|edu|gov|mil|int|info|biz|io|co|ai|app|dev|tv|me|ly|gg|fm|eu|us|uk|ca|de|fr|it|es|nl|be|ch|at|se|no|fi|dk|pl|ru|jp|cn|in|au|nz|br|mx|za|ie|js|py|ts|rs|cpp|txt|pdf|doc|docx|xls|xlsx|ppt|csv|json|xml|html|htm|css|md|jpg|jpeg|png|gif|svg|wav|mp3|mp4|zip|exe';
const label = String.raw`[\p{L}\d](?:[\p{L}\d_-]{0,62}[\p{L}\d])?`;
const email = new RegExp(
  `(?<![\\p{L}\\d._%+@-])(?<local>[\\p{L}\\d_%+-]{1,64}(?:\\.[\\p{L}\\d_%+-]{1,64}){0,8})@(?<host>${label}(?:\\.${label}){1,8})`,
  'gu',
);
const url = /(?<![\p{L}\d@./])(?:(?<scheme>https?|ftp):\/\/)(?<rest>[^\s"<>()[\]{}]{1,2000}[\p{L}\d/])/giu;
const host = new RegExp(
  `(?<![\\p{L}\\d@./_-])(?<host>(?:www\\.${label}(?:\\.${label}){0,8}|(?:${label}\\.){1,8}(?:${endings})))(?![\\p{L}\\d_@-]|\\.\\p{L})(?<path>(?:\\/[\\p{L}\\d_.~%&=?#+-]*)*)`,
  'gu',
);
const mention = /(?<![\p{L}\d@.])(?<sign>[@#])(?<name>\p{L}[\p{L}\d_]{0,80})/gu;

const signs: Readonly<Record<string, string>> = {
  '.': 'dot',
  '/': 'slash',
  '@': 'at',
  ':': 'colon',
  '-': 'dash',
  _: 'underscore',
  '?': 'question mark',
  '=': 'equals',
  '&': 'and',
  '#': 'hash',
  '%': 'percent',
  '+': 'plus',
  '~': 'tilde',
};

// Names within an address are read as words where they can be; "www", "io" and "pdf" letter by letter.
function sayPart(part: string): string {
  if (/^\p{L}+$/u.test(part)) {
    const small = part.toLowerCase();
    return small === 'www' || spelledInSmallLetters.has(small) ? small.split('').join(' ') : small;
  }
  return sayAlphanumeric(part);
}

function sayAddress(address: string): string {
  return (address.match(/[\p{L}\p{M}\d]+|[^\p{L}\p{M}\d]/gu) ?? [])
    .map((part) => (/^[\p{L}\p{M}\d]/u.test(part) ? sayPart(part) : (signs[part] ?? '')))
    .filter((words) => words !== '')
    .join(' ');
}

const camelCase = (name: string) => name.replaceAll(/(?<=\p{Ll})(?=\p{Lu})|_/gu, ' ');

/** Electronic addresses as they are dictated: "jane dot doe at example dot com". `@name` is "at name", `#name` "hashtag name". */
export const webAddresses: NormalizerStep = {
  step: 'addresses of the net',
  apply(text) {
    if (!/[@.#]/.test(text)) return text;
    let said = rewrite(text, url, ({ scheme, rest }) => {
      const letters = scheme!.toLowerCase().split('').join(' ');
      return `${letters} colon slash slash ${sayAddress(rest!)}`;
    });
    said = rewrite(said, email, ({ local, host: domain }) => `${sayAddress(local!)} at ${sayAddress(domain!)}`);
    said = rewrite(said, host, ({ host: domain, path }) => {
      // "end.In" is two sentences that lack a blank.
      if (/\.\p{Lu}\p{Ll}/u.test(domain!)) return undefined;
      const tail = path!.replace(/[.?/]+$/, (end) =>
        end.startsWith('/') && path!.length > 1 ? '' : end.replaceAll(/[.?/]/g, ''),
      );
      return sayAddress(domain! + tail);
    });
    return rewrite(said, mention, ({ sign, name }) => `${sign === '@' ? 'at' : 'hashtag'} ${camelCase(name!)}`);
  },
};
