import { badConfig, badInput } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import type { Voice } from '../contract.ts';

/** What a synthesizer can be given. */
interface TextLimits {
  /** How sentences name it. */
  readonly engine: string;
  /** In UTF-16 units. */
  readonly maxCharacters: number;
  /**
   * `ascii`: typographic quotes, dashes and the like are written plainly, and what then is not ASCII is refused. `latin`:
   * so too with ISO 8859-1. `any`: everything is left.
   */
  readonly characters: 'ascii' | 'latin' | 'any';
}

/** Characters that have a plain form which is read in the same way. */
const plainForms: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019\u201a\u201b\u2032]/g, "'"],
  [/[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb]/g, '"'],
  [/[\u2010\u2011]/g, '-'],
  [/[\u2012-\u2015]/g, ' - '],
  [/\u2026/g, '...'],
];

const refused = { ascii: /[^\x20-\x7e]/u, latin: /[^\x20-\x7e\xa0-\xff]/u, any: /\p{Cc}/u } as const;
const allowedNames = {
  ascii: 'ASCII characters',
  latin: 'characters of ISO 8859-1',
  any: 'no control characters',
} as const;

/**
 * A text as it is handed to a synthesizer: one line, blanks single, without a mark of byte order.
 *
 * @throws EarwitnessError `bad-input` where there is nothing to say, too much, or something that cannot be said
 * @example speakableText('“Well…”', { engine: 'flite', maxCharacters: 1000, characters: 'ascii' }) // '"Well..."'
 */
export function speakableText(text: string, { engine, maxCharacters, characters }: TextLimits): string {
  const fail = (problem: string) => badInput(`${engine} cannot speak ${quoted(text)}: ${problem}`);
  if (text.length > maxCharacters) {
    throw fail(`expected at most ${maxCharacters} characters, but there are ${text.length}; split it into sentences`);
  }
  if (!text.isWellFormed()) {
    throw fail('expected well-formed Unicode, but it has half a surrogate pair; check the encoding of its file');
  }
  let line = text.normalize('NFC').replaceAll('\ufeff', '').replace(/\s+/g, ' ').trim();
  // Marks of direction and soft hyphens; but some scripts spell with joiners, which are of the same kind.
  if (characters !== 'any') line = line.replace(/\p{Cf}/gu, '');
  if (characters !== 'any') for (const [typographic, plain] of plainForms) line = line.replace(typographic, plain);
  const wrong = refused[characters].exec(line)?.[0];
  if (wrong !== undefined) {
    throw fail(
      `expected ${allowedNames[characters]}, but it has ${quoted(wrong)} (${codePoint(wrong)}); write it otherwise, or take another synthesizer`,
    );
  }
  if (!/[\p{L}\p{N}]/u.test(line)) {
    throw fail('expected at least one letter or digit, but there is nothing to say; take it out');
  }
  return line;
}

/** The beginning of a text in quotes, harmless wherever it is shown. */
export function quoted(text: string): string {
  const start = text.slice(0, 60).toWellFormed();
  const shown = start.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `<${codePoint(character)}>`);
  return `"${shown}${text.length > start.length ? '…' : ''}"`;
}

function codePoint(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/**
 * The voice of this name.
 *
 * @throws EarwitnessError `bad-config` where there is none, with the nearest name
 */
export function findVoice<V extends Voice>(engine: string, voices: readonly V[], name: string): V {
  const voice = voices.find((candidate) => candidate.name === name);
  if (voice) return voice;
  const names = voices.map((candidate) => candidate.name);
  const nearest = nearestName(name, names);
  const shown = names.slice(0, 12).join(', ') + (names.length > 12 ? ', …' : '');
  const hint = nearest === null ? `it has ${shown}` : `did you mean "${nearest}"?`;
  throw badConfig(`expected a voice of ${engine}, but it has none named ${quoted(name)}; ${hint}`);
}
