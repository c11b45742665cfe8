import { badInput, type EarwitnessError } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import { splitWords } from './normalizers/normalizer.ts';
import { parseReference, type ReferenceNetwork } from './reference-network/reference-network.ts';

/** One rule of rewriting: `input` between its contexts becomes `output`. */
export interface GlmRule {
  readonly input: string;
  readonly output: string;
  /** What must stand before the input; it stays. Empty for anything. */
  readonly leftContext: string;
  readonly rightContext: string;
  /** For which side the rule was written (`ref` or `hyp`, as a regular expression); null for both. */
  readonly side: string | null;
}

/** A global mapping file: the rules by which an evaluation makes the writings of a word equal or acceptable. */
export interface Glm {
  readonly name: string;
  readonly rules: readonly GlmRule[];
  readonly caseSensitive: boolean;
  /** Whether text that no rule meets is kept. */
  readonly keepUnmatched: boolean;
}

/**
 * A text with its ASCII letters in lower case and all others as they are: how sclite compares words unless it is given
 * `-s` (in SCTK 2.4.10 with `-e utf-8`, “É” and “é” differ), and how rfilter1 compares text.
 *
 * @example foldAsciiCase('ÉTÉ Ever') // 'ÉtÉ ever'
 */
export function foldAsciiCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

const isTrue = /^(?:t|true|yes|y)$/i;
const sideLine = /^;;\s+INPUT_DEPENDENT_APPLICATION\s*=\s*"([^"]*)"/;

/**
 * Reads a global mapping file (GLM) as NIST's rfilter1 and csrfilt do: `INPUT => OUTPUT / [left context] __ [right
 * context]`, where square or double brackets keep blanks; headers `* name "…"`, `* case_sensitive = 'F'`,
 * `* copy_no_hit = 'T'`; comments from `;;` (or from whatever begins the first line) on; and `;;
 * INPUT_DEPENDENT_APPLICATION = "hyp"` for rules of one side. Format: `doc/GLMRules.txt` of NIST's SCTK.
 *
 * Two things differ from rfilter1: a slash is read as the beginning of a context only where `__` follows, so that
 * `[WORD] => {A / B}` means what it says, and a first line that holds a rule is a rule.
 *
 * @param file what an error names before the line
 * @throws EarwitnessError for a line without an arrow, a rule without input, or a header without a value in quotes
 * @example parseGlm(";; rules\nTAXPAYERS => TAX PAYERS / [ ] __ [ ]").rules.length // 1
 */
export function parseGlm(text: string, file = 'glm'): Glm {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  const first = lines[0]!.match(/^\S+/)?.[0] ?? '';
  const comment = first === '' || first.startsWith('*') || lines[0]!.includes('=>') ? ';;' : first;
  const rules: GlmRule[] = [];
  let name = file;
  let caseSensitive = true;
  let keepUnmatched = true;
  let side: string | null = null;
  for (const [index, line] of lines.entries()) {
    const fail = (problem: string) =>
      badInput(`${file}:${index + 1}: ${problem}, but here is “${printable(line, 80)}”`);
    const sideName = line.match(sideLine)?.[1];
    if (sideName !== undefined) {
      side = checkedSide(sideName, fail);
      continue;
    }
    const cut = line.indexOf(comment);
    const content = (cut < 0 ? line : line.slice(0, cut)).trim();
    if (content === '') continue;
    if (!line.startsWith('*')) {
      rules.push({ ...parseRule(content, fail), side });
      continue;
    }
    const header = content.match(/^([^"']*)["']([^"']*)["']/);
    if (!header) throw fail('expected a header with its value in quotes, such as * case_sensitive = "F"');
    const keyword = header[1]!.toLowerCase();
    const value = header[2]!;
    if (keyword.includes('name')) name = value;
    else if (keyword.includes('case_sensitive')) caseSensitive = isTrue.test(value);
    else if (keyword.includes('copy_no_hit')) keepUnmatched = isTrue.test(value);
  }
  return { name, rules, caseSensitive, keepUnmatched };
}

function parseRule(content: string, fail: (problem: string) => EarwitnessError): Omit<GlmRule, 'side'> {
  const arrow = content.indexOf('=>');
  if (arrow < 0) throw fail('expected a rule such as WORD => OTHER / [ ] __ [ ]');
  const input = unbracketed(content.slice(0, arrow));
  if (input === '') throw fail('expected the words to be replaced before the arrow');
  const right = content.slice(arrow + 2);
  const slash = right.lastIndexOf('/');
  const context = slash < 0 ? '' : right.slice(slash + 1);
  const slot = context.indexOf('_');
  if (slot < 0) return { input, output: unbracketed(right), leftContext: '', rightContext: '' };
  return {
    input,
    output: unbracketed(right.slice(0, slash)),
    leftContext: unbracketed(context.slice(0, slot)),
    rightContext: unbracketed(context.slice(slot).replace(/^_+/, '')),
  };
}

function unbracketed(text: string): string {
  const trimmed = text.trim();
  const ends = trimmed.length < 2 ? '' : `${trimmed[0]}${trimmed.at(-1)}`;
  return ends === '[]' || ends === '""' ? trimmed.slice(1, -1) : trimmed;
}

function checkedSide(pattern: string, fail: (problem: string) => EarwitnessError): string {
  try {
    new RegExp(pattern);
    return pattern;
  } catch {
    throw fail('expected a regular expression for the sides that the rules below apply to (such as "hyp")');
  }
}

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
