import type { GateCheck, GateResult, WorseUtterance } from '../../model/gate.ts';
import { escapeMarkdown } from '../markdown/render-markdown.ts';
import { cellsOfLine, foldChecks, nameOfLine } from './folded-checks.ts';
import {
  beside,
  type CheckCells,
  checkName,
  confidence,
  countedInWords,
  gateInWords,
  groupsInWords,
  judgedInWords,
  openInWords,
  outcomeInWords,
  verdictAt,
  worseAt,
} from './render-gate.ts';

function worseInWords(one: WorseUtterance, result: GateResult): string {
  const { errorsBefore, errorsAfter, words } = one;
  return `${worseAt(one, result)}: ${errorsBefore} → ${errorsAfter} errors in ${words} words`;
}

/** For a comment on a pull request (GitHub and GitLab). */
export function renderGateMarkdown(result: GateResult): string {
  const cell = (text: string) => escapeMarkdown(text);
  const head = [
    `| Verdict | Limit | Before | Now | Change | ${confidence(result.level)} interval | Why |`,
    '|---|---|--:|--:|--:|--:|---|',
  ];
  const rowsOf = (shown: readonly (readonly GateCheck[])[]) => {
    return shown.map((line) => row(line, cellsOfLine(line, result.conditionNames)));
  };
  const row = (line: readonly GateCheck[], { before, now, change, interval, unit, note }: CheckCells) => {
    const cells = [verdictAt(line[0]!), cell(checkName(nameOfLine(line), result.conditionNames))];
    const numbers = [before, now && `${now}${before === '' ? unit : ' %'}`, change, interval, note ?? ''];
    return `| ${[...cells, ...numbers.map(cell)].join(' | ')} |`;
  };
  const { lines, folded } = foldChecks(result.checks);
  const whole = foldChecks(result.checks, true).lines;
  const behind = (title: string, inside: readonly string[]) =>
    inside.length === 0 ? [] : ['', `<details><summary>${title}</summary>`, '', ...inside, '', '</details>'];
  const worse = result.worseUtterances.map((one) => `- ${cell(worseInWords(one, result))}`);
  const told = [
    ...[openInWords(result), outcomeInWords(result), groupsInWords(result)],
    ...[judgedInWords(result), beside(result), result.asking],
  ];
  return `${[
    `### Earwitness: ${gateInWords(result)}`,
    '',
    ...told.flatMap((text) => (text == null ? [] : [cell(text), ''])),
    ...result.notes.map((note) => `- ⚠ ${cell(note)}`),
    ...(result.notes.length === 0 ? [] : ['']),
    ...head,
    ...rowsOf(lines),
    ...behind(`Each of the ${whole.length} checks`, folded === 0 ? [] : [...head, ...rowsOf(whole)]),
    ...behind('Largest increases in errors', worse),
    '',
    `${cell(countedInWords(result))} Earwitness ${cell(result.earwitness)}.`,
  ].join('\n')}\n`;
}
