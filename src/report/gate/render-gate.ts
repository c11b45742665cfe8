import { visibleText } from '../../base/printable.ts';
import type { GateCheck, GateResult, GateVerdict, WorseUtterance } from '../../model/gate.ts';
import { escapeMarkdown } from '../markdown/render-markdown.ts';
import { wrapToWidth } from '../text/display-width.ts';
import { createPaint, type Ink } from '../text/paint.ts';
import { checkInWords, checkName, gateInWords, gateMarks } from './gate-words.ts';

const inks: Readonly<Record<GateVerdict, Ink>> = { pass: 'good', fail: 'bad', inconclusive: 'caution' };

function beside({ baseline }: GateResult): string | null {
  if (baseline === null) return null;
  return `Baseline ${baseline.name} (run ${baseline.run}): ${baseline.compared.toLocaleString('en-US')} of its ${baseline.of.toLocaleString('en-US')} trials are compared.`;
}

/** For the terminal: the answer first, then what must be known, then each check, the worst first. */
export function renderGateText(
  result: GateResult,
  { width, color }: { readonly width: number; readonly color: boolean },
): string {
  const paint = createPaint(color);
  const lines = (text: string, indent: number) =>
    wrapToWidth(visibleText(text), width - indent).map((line) => ' '.repeat(indent) + line);
  const checks = result.checks.flatMap((check) => {
    const label = `${gateMarks[check.verdict]} ${check.verdict}`;
    const [first, ...rest] = wrapToWidth(
      visibleText(`${checkName(check)} ${checkInWords(check, result.level)}.`),
      width - 17,
    );
    const head = `  ${paint(inks[check.verdict], label)}${' '.repeat(Math.max(1, 15 - label.length))}${first ?? ''}`;
    return [head, ...rest.map((line) => ' '.repeat(17) + line)];
  });
  const own = beside(result);
  return [
    ...lines(gateInWords(result), 0).map((line) => paint(inks[result.verdict], line)),
    ...(own === null ? [] : lines(own, 0)),
    ...(result.asking === undefined ? [] : lines(result.asking, 0)),
    ...result.notes.flatMap((note) => lines(`! ${note}`, 2)),
    '',
    ...checks,
    ...(result.worseUtterances.length === 0 ? [] : ['', 'More errors than in the baseline']),
    ...result.worseUtterances.flatMap((one) => lines(worseInWords(one), 2)),
    '',
  ].join('\n');
}

function worseInWords({ recognizer, utterance, condition, errorsBefore, errorsAfter, words }: WorseUtterance): string {
  return `${utterance}, ${recognizer}, ${condition}: ${errorsBefore} → ${errorsAfter} errors in ${words} words`;
}

/** For a comment on a pull request (GitHub and GitLab). */
export function renderGateMarkdown(result: GateResult): string {
  const cell = (text: string) => escapeMarkdown(text);
  const own = beside(result);
  const rows = result.checks.map(
    (check) =>
      `| ${gateMarks[check.verdict]} ${check.verdict} | ${cell(checkName(check))} | ${cell(checkInWords(check, result.level))} |`,
  );
  const worse = result.worseUtterances.map((one) => `- ${cell(worseInWords(one))}`);
  return `${[
    `### Earwitness: ${gateInWords(result)}`,
    '',
    ...(own === null ? [] : [cell(own), '']),
    ...(result.asking === undefined ? [] : [cell(result.asking), '']),
    ...result.notes.map((note) => `- ⚠ ${cell(note)}`),
    ...(result.notes.length === 0 ? [] : ['']),
    '| Verdict | Limit on | Result |',
    '|---|---|---|',
    ...rows,
    ...(worse.length === 0
      ? []
      : ['', '<details><summary>More errors than in the baseline</summary>', '', ...worse, '', '</details>']),
    '',
    `Run ${cell(result.run)}; words by the normalizer ${cell(result.normalizer.name)} ${result.normalizer.version}; earwitness ${cell(result.earwitness)}.`,
  ].join('\n')}\n`;
}

/**
 * JUnit XML as GitLab and Jenkins read it: one test case a check. An inconclusive one is a failure where the config blocks on it, else skipped.
 */
export function renderJunit(result: GateResult): string {
  const failed = ({ verdict }: GateCheck) =>
    verdict === 'fail' || (verdict === 'inconclusive' && result.ifInconclusive === 'block');
  const skipped = (check: GateCheck) => check.verdict === 'inconclusive' && !failed(check);
  const cases = result.checks.map((check) => {
    const said = escapeXml(checkInWords(check, result.level));
    const inside = failed(check)
      ? `<failure message="${said}" type="${check.verdict}">${said}</failure>`
      : skipped(check)
        ? `<skipped message="${said}"/>`
        : `<system-out>${said}</system-out>`;
    return `    <testcase classname="${escapeXml(`earwitness.${check.recognizer}`)}" name="${escapeXml(checkName(check))}" time="0">${inside}</testcase>`;
  });
  const counts = `tests="${result.checks.length}" failures="${result.checks.filter(failed).length}" errors="0" skipped="${result.checks.filter(skipped).length}" time="0"`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="earwitness" tests="${result.checks.length}" failures="${result.checks.filter(failed).length}" errors="0" time="0">
  <testsuite name="${escapeXml(`earwitness gate: ${result.runName}`)}" ${counts}>
${cases.join('\n')}
  </testsuite>
</testsuites>
`;
}

/** What XML 1.0 cannot hold is shown by its number. */
function escapeXml(text: string): string {
  return visibleText(text)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[\ud800-\udfff]/gu, '\ufffd');
}

/** Workflow commands of GitHub Actions: an annotation for each check that did not pass. */
export function renderGithub(result: GateResult): string {
  const annotations = result.checks.flatMap((check) => {
    if (check.verdict === 'pass') return [];
    const kind = check.verdict === 'fail' || result.ifInconclusive === 'block' ? 'error' : 'warning';
    return [
      `::${kind} title=${property(`earwitness: ${check.verdict}`)}::${data(`${checkName(check)} ${checkInWords(check, result.level)}`)}`,
    ];
  });
  return `${[...annotations, `::notice title=earwitness::${data(gateInWords(result))}`].join('\n')}\n`;
}

const data = (text: string) => visibleText(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
