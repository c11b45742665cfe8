import { printable } from '../../base/printable.ts';
import type { ExplainedStep } from '../../scoring/normalizers/normalizer.ts';
import { glossary } from './text-table.ts';

/** Of hostile text, what is longer than this is cut where it is shown. */
const longestShown = 2000;

/**
 * A text, what each step of a normalizer that changed something made of it, and the words at the end. Runs of white space
 * are shown as one blank.
 */
export function explainedSteps(
  text: string,
  steps: readonly ExplainedStep[],
  words: readonly string[],
  width: number,
): string {
  const rows: [string, string][] = [];
  let before = text;
  for (const { step, text: after } of steps) {
    if (after !== before) rows.push([printable(step, 60), differing(before, after)]);
    before = after;
  }
  rows.push([words.length === 1 ? '1 word' : `${words.length} words`, shown(words.join(' '))]);
  const termWidth = Math.max(...rows.map(([step]) => step.length));
  return `${shown(text)}\n${glossary(rows, { width, indent: 2, termWidth })}`;
}

function differing(before: string, after: string): string {
  const [was, is] = [shown(before), shown(after)];
  return oneBlank(was) === oneBlank(is) ? '(white space only)' : is;
}

function shown(text: string): string {
  return text.trim() === '' ? '(nothing)' : printable(text, longestShown);
}

function oneBlank(text: string): string {
  return text.split(/\s+/).join(' ').trim();
}
