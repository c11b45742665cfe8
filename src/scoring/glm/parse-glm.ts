import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { Glm, GlmRule } from './glm.ts';

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
      new EarwitnessError('bad-input', `${file}:${index + 1}: ${problem}, but here is “${printable(line, 80)}”`);
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
