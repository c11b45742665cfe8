import { formatFixed, grouped, pValuePhrase } from '../../base/number-format.ts';
import { printable, visibleText } from '../../base/printable.ts';
import type { GateCheck, GateMeasure, GateResult, GateVerdict, WorseUtterance } from '../../model/gate.ts';
import { escapeMarkdown } from '../markdown/render-markdown.ts';
import { createPaint, type Ink, wrapToWidth } from '../text/display-width.ts';

/** How a verdict is marked; the word always stands by it. */
const gateMarks: Readonly<Record<GateVerdict, string>> = { pass: '✓', fail: '✗', inconclusive: '?' };

const measureNames: Readonly<Record<GateMeasure, string>> = {
  wer: 'WER',
  worseBy: 'change of WER',
  gap: 'WER gap',
  thresholdDb: 'reception threshold',
  hallucinatedWordsPerMinute: 'hallucinated words per minute',
  failures: 'failed trials',
  collapsed: 'empty or looping transcripts',
  realTimeFactor: 'real-time factor',
  pricePerMinute: 'price of a minute of audio',
};

/** `new, clean, sex female: WER`: what is limited, and where. */
export function checkName({
  measure,
  recognizer,
  condition,
  group,
}: Pick<GateCheck, 'measure' | 'recognizer' | 'condition' | 'group'>): string {
  const isPooled = ['wer', 'worseBy', 'gap'].includes(measure);
  const places = [
    recognizer,
    condition ?? (isPooled ? 'all conditions pooled' : 'all conditions'),
    ...(group === null
      ? []
      : [`${group.attribute} ${group.value}${group.other === undefined ? '' : ` – ${group.other}`}`]),
  ];
  return `${places.join(', ')}: ${measureNames[measure]}`;
}

/** The number, its interval, the limit, why it is what it is, and who is not in it; without a full stop. */
function checkInWords(check: GateCheck, level: number): string {
  return [judgedCheck(check, level), ...(check.notes ?? [])].join('; ');
}

function judgedCheck(check: GateCheck, level: number): string {
  const { measure, value, before, verdict, upperBound, pValue, why, moreSpeakers, decidedAtLook } = check;
  const confidence = `${Number((100 * level).toFixed(1))} %`;
  const { factor, unit, decimals } = scaleOf(measure);
  const limited = limitInWords(check);
  const early = decidedAtLook === undefined ? '' : `, of the first ${grouped(value.n.speakers)} speakers`;
  const bare = (number: number) => formatFixed(factor * number, decimals);
  // Which of the two it is stands in the check: a limit on elapsed time is one on the machine too.
  const ofTime = measure === 'realTimeFactor' ? ` s of ${value.method} per second of audio` : unit;
  const shown = (number: number) => `${bare(number)}${ofTime}`;
  if (value.value === null) return `no number (${value.reason ?? why}); ${limited}`;
  const interval =
    value.low === null || value.high === null || measure === 'gap'
      ? ''
      : ` (${confidence} CI ${bare(value.low)}${measure === 'worseBy' ? ' to ' : '-'}${bare(value.high)})`;
  const size = measure === 'gap' ? Math.abs(value.value) : value.value;
  const said = before === undefined ? shown(size) : besideBaseline(before, value.value);
  if (verdict === 'pass' && upperBound === 0 && value.value === 0 && before !== undefined)
    return `${formatFixed(100 * before, 1)} %, the same errors in every trial${early}; ${limited}`;
  const told = `${said}${interval}${early}; ${limited}`;
  if (verdict === 'pass')
    return upperBound === null ? told : `${told}; at most ${shown(upperBound)} with ${confidence} confidence`;
  if (verdict === 'fail') return pValue === null ? told : `${told} (${pValuePhrase(pValue, 'adjusted p')})`;
  const speakers = `${grouped(moreSpeakers ?? 0)} more speaker${moreSpeakers === 1 ? '' : 's'}`;
  const more =
    moreSpeakers == null
      ? ''
      : upperBound === null
        ? `; ${speakers} would do for an interval`
        : `; about ${speakers} would decide`;
  return `${told}: ${why}${more}`;
}

/** `limit 2 points more` */
export function limitInWords({ measure, limit }: Pick<GateCheck, 'measure' | 'limit'>): string {
  const { factor, unit } = scaleOf(measure);
  return `limit ${Number((factor * limit).toFixed(4))}${unit}${measure === 'worseBy' ? ' more' : ''}`;
}

/** `34.8 → 77.3 %, 42.5 points more` */
function besideBaseline(before: number, difference: number): string {
  const bare = (rate: number) => formatFixed(100 * rate, 1);
  const points = `${bare(Math.abs(difference))} points ${difference < 0 ? 'less' : 'more'}`;
  return `${bare(before)} → ${bare(before + difference)} %, ${points}`;
}

function scaleOf(measure: GateMeasure): { readonly factor: number; readonly unit: string; readonly decimals: number } {
  if (measure === 'worseBy' || measure === 'gap') return { factor: 100, unit: ' points', decimals: 1 };
  if (measure === 'thresholdDb') return { factor: 1, unit: ' dB', decimals: 1 };
  if (measure === 'realTimeFactor' || measure === 'hallucinatedWordsPerMinute')
    return { factor: 1, unit: '', decimals: 2 };
  if (measure === 'pricePerMinute') return { factor: 1, unit: '', decimals: 4 };
  return { factor: 100, unit: ' %', decimals: 1 };
}

/** The answer in one sentence. */
export function gateInWords({ verdict, checks, ifInconclusive }: GateResult): string {
  const count = (wanted: GateVerdict) => checks.filter((check) => check.verdict === wanted).length;
  const of = `of ${checks.length} check${checks.length === 1 ? '' : 's'}`;
  if (verdict === 'fail')
    return `Fail: ${count('fail')} ${of} above ${count('fail') === 1 ? 'its limit' : 'their limits'}.`;
  if (verdict === 'pass')
    return `Pass: all ${checks.length === 1 ? 'that is checked' : `${checks.length} checks`} within the limits.`;
  const policy = ifInconclusive === 'warn' ? ' (the config lets this pass with a warning)' : '';
  return `Inconclusive: ${count('inconclusive')} ${of} cannot be decided with these data${policy}.`;
}

/** Of which run it is: `Run 20261128T090512-5f2c8a11 (nightly, begun 2026-11-28 09:05 UTC).` */
export function judgedInWords({ run, runName, runBegun }: GateResult): string {
  return `Run ${run} (${printable(runName, 60)}, begun ${runBegun === null ? 'at an unknown time' : `${runBegun.slice(0, 16).replace('T', ' ')} UTC`}).`;
}

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
    ...lines(judgedInWords(result), 0),
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
    cell(judgedInWords(result)),
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
    `Words by the normalizer ${cell(result.normalizer.name)} ${result.normalizer.version}; earwitness ${cell(result.earwitness)}.`,
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
  <testsuite name="${escapeXml(`earwitness gate: ${result.runName}, run ${result.run}`)}"${result.runBegun === null ? '' : ` timestamp="${escapeXml(result.runBegun)}"`} ${counts}>
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
  return `${[...annotations, `::notice title=earwitness::${data(`${gateInWords(result)} ${judgedInWords(result)}`)}`].join('\n')}\n`;
}

const data = (text: string) => visibleText(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
