import { splitWords } from '../normalizers/split-words.ts';
import { parseReference } from '../reference-network/parse-reference.ts';
import type { ReferenceNetwork } from '../reference-network/reference-network.ts';
import { foldAsciiCase } from './fold-ascii-case.ts';
import type { Glm, GlmRule } from './glm.ts';

/** Which side of a comparison a text is on; some rules are for one of them. */
export type GlmSide = 'ref' | 'hyp';

/**
 * Rewrites a text by the rules of a GLM, as rfilter1 does within csrfilt: from left to right, at each place by the first
 * rule that fits there; contexts look at the text as it was, blanks stand before the first word and after the last, and
 * parentheses stand apart. Letters of ASCII are compared without case where the file says so; what rules put in is
 * written as in the file, so compare words without case then (`foldAsciiCase`). Alternatives that come out are read by
 * `parseReference`.
 *
 * @example applyGlm(parseGlm(";;\nHE'S => {HE IS / HE HAS} / [ ] __ [ ]"), "HE'S GONE", 'hyp') // '{HE IS / HE HAS} GONE'
 */
export function applyGlm(glm: Glm, text: string, side: GlmSide): string {
  const spaced = text.replaceAll('(', '( ').replaceAll(')', ' )');
  return rewrite(glm, ` ${spaced} `, side, (literal) => literal)
    .replace(/\( +/g, '(')
    .replaceAll(' )', ')')
    .trim();
}

/**
 * Words rewritten by the rules of a GLM, as a network. Only rules bring in alternatives: braces, slashes, parentheses and
 * @ among the words themselves, which a recognizer may write, are words.
 *
 * @param split finds the words in what comes out; a normalizer's `words`, white space by default
 * @example glmNetwork(glm, ['he’s', 'gone'], 'hyp', (text) => splitWords(foldAsciiCase(text)))
 */
export function glmNetwork(
  glm: Glm,
  words: readonly string[],
  side: GlmSide,
  split: (text: string) => string[] = splitWords,
): ReferenceNetwork {
  const text = rewrite(glm, ` ${words.join(' ')} `, side, hideNotation);
  return parseReference(text, (stretch) => split(stretch.replace(hidden, shown)));
}

/** What the rules of one side may be marked with: the side, or the format that csrfilt knows it by. */
const formats: Readonly<Record<GlmSide, readonly string[]>> = { ref: ['ref', 'stm'], hyp: ['hyp', 'ctm'] };

/** Signs of notation, and noncharacters of Unicode that stand for them while alternatives are read. */
const notation = '{}/()@';
const firstStandIn = 0xfdd0;
const hidden = /[\ufdd0-\ufdd5]/g;

function hideNotation(character: string): string {
  const place = notation.indexOf(character);
  return place < 0 ? character : String.fromCharCode(firstStandIn + place);
}

function shown(standIn: string): string {
  return notation[standIn.charCodeAt(0) - firstStandIn]!;
}

function rewrite(glm: Glm, text: string, side: GlmSide, copied: (character: string) => string): string {
  const folded = comparableIn(glm)(text);
  const rules = rulesOf(glm, side);
  const parts: string[] = [];
  let place = 0;
  while (place < text.length) {
    const found = rules
      .get(folded[place]!)
      ?.find(
        ({ input, leftContext, rightContext }) =>
          folded.startsWith(input, place) &&
          place >= leftContext.length &&
          folded.startsWith(leftContext, place - leftContext.length) &&
          folded.startsWith(rightContext, place + input.length),
      );
    if (found) parts.push(found.output);
    else if (glm.keepUnmatched) parts.push(copied(text[place]!));
    place += found ? found.input.length : 1;
  }
  return parts.join('');
}

type RuleTable = ReadonlyMap<string, readonly GlmRule[]>;

const tables = new WeakMap<Glm, Partial<Record<GlmSide, RuleTable>>>();

/** The table of a file's rules for one side, made for its first text: such files have thousands of rules. */
function rulesOf(glm: Glm, side: GlmSide): RuleTable {
  const known = tables.get(glm) ?? {};
  tables.set(glm, known);
  known[side] ??= rulesByFirst(glm, side);
  return known[side];
}

function comparableIn(glm: Glm): (written: string) => string {
  return glm.caseSensitive ? (written) => written : foldAsciiCase;
}

function rulesByFirst(glm: Glm, side: GlmSide): RuleTable {
  const comparable = comparableIn(glm);
  const rules = new Map<string, GlmRule[]>();
  for (const rule of glm.rules) {
    if (rule.side !== null && !formats[side].some((name) => new RegExp(rule.side!, 'i').test(name))) continue;
    const input = comparable(rule.input);
    const known = rules.get(input[0]!) ?? [];
    known.push({
      ...rule,
      input,
      leftContext: comparable(rule.leftContext),
      rightContext: comparable(rule.rightContext),
    });
    rules.set(input[0]!, known);
  }
  return rules;
}
