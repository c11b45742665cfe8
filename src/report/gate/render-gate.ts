import { exitCodes } from '../../base/errors.ts';
import { formatFixed, grouped, pValuePhrase, signedFixed } from '../../base/number-format.ts';
import { printable, visibleText } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import type { GateCheck, GateMeasure, GateResult, GateVerdict, WorseUtterance } from '../../model/gate.ts';
import { openInBrief, reasonText } from '../../model/reason.ts';

/** How a verdict is marked; the word always stands by it. */
const gateMarks: Readonly<Record<GateVerdict, string>> = { pass: '✓', fail: '✗', inconclusive: '?' };

const measureNames: Readonly<Record<GateMeasure, string>> = {
  wer: 'WER',
  worseBy: 'WER',
  gap: 'gap',
  thresholdDb: 'reception threshold',
  hallucinatedWordsPerMinute: 'hallucinated words per minute',
  failures: 'failed trials',
  collapsed: 'empty or looping transcripts',
  realTimeFactor: 'real-time factor',
  pricePerMinute: 'price of a minute of audio',
};

/** In a table, where a long name would take two lines. */
const briefly: Partial<typeof measureNames> = { collapsed: 'empty or looping' };

/** `condition` undefined: it is not said. */
type Placed = Pick<GateCheck, 'measure' | 'group'> & { readonly condition: string | null | undefined };

type CheckedAt = Pick<GateCheck, 'measure' | 'limit' | 'recognizer' | 'condition' | 'group'>;

const isPooled = (measure: GateMeasure) => ['wer', 'worseBy', 'gap'].includes(measure);

/**
 * A limit by its rule: `new, clean, sex female: WER at most 12.0`.
 *
 * @param called what people call conditions, by their names
 */
export function checkName(check: CheckedAt, called: Readonly<Record<string, string>> = {}): string {
  return [`${check.recognizer}`, ruleAt(check, called)].join(isElsewhere(check) ? ', ' : ': ');
}

/** What is measured and where, beside its limit: `WER, clean, sex female`. */
export function placeAt(check: Placed, called: Readonly<Record<string, string>>): string {
  const { measure } = check;
  const unit = isPooled(measure) ? '' : scaleOf(measure).unit;
  // A limit on how high it is may stand beside one on how far it rose.
  const name = measure === 'worseBy' ? 'WER rise' : (briefly[measure] ?? measureNames[measure]);
  return [`${name}${unit && `, ${unit.trim()}`}`, ...placesOf(check, called)].join(', ');
}

/** `pass`, `fail`, or of what is open whether it is for too few. */
export function verdictAt({ verdict, why }: Pick<GateCheck, 'verdict' | 'why'>): string {
  if (verdict !== 'inconclusive') return `${gateMarks[verdict]} ${verdict}`;
  const { mark, word } = openInBrief(why && { reason: why, unit: 'speaker' });
  return `${mark} ${word}`;
}

/** The same beneath a recognizer: `clean: WER may rise 2.0`. */
export function ruleAt(check: CheckedAt, called: Readonly<Record<string, string>>): string {
  const places = placesOf(check, called);
  return [...(places.length === 0 ? [] : [places.join(', ')]), ruleOf(check)].join(': ');
}

function placesOf({ measure, condition, group }: Placed, called: Readonly<Record<string, string>>): string[] {
  return [
    ...(condition !== undefined && (isPooled(measure) || condition !== null) ? [placeOf(condition, called)] : []),
    ...(group === null
      ? []
      : [`${group.attribute} ${group.value}${group.other === undefined ? '' : ` − ${group.other}`}`]),
  ];
}

const placeOf = (condition: string | null, called: Readonly<Record<string, string>>) =>
  condition === null ? 'all conditions' : (called[condition] ?? condition);

/** What is counted is counted everywhere where nothing else is said. */
const isElsewhere = ({ measure, condition, group }: CheckedAt) =>
  isPooled(measure) || condition !== null || group !== null;

function ruleOf({ measure, limit }: Pick<GateCheck, 'measure' | 'limit'>): string {
  const bare = limitOf({ measure, limit: measure === 'worseBy' ? Math.abs(limit) : limit }).replace('+', '');
  if (measure === 'worseBy') return `${measureNames[measure]} ${limit < 0 ? 'must fall' : 'may rise'} ${bare}`;
  return `${measureNames[measure]} at most ${bare}${isPooled(measure) ? '' : scaleOf(measure).unit}`;
}

/** A limit as every form shows it: numbers without their unit, empty where there is none. */
export interface CheckCells {
  readonly before: string;
  readonly now: string;
  readonly change: string;
  /** Of the change where there is a before, else of now. */
  readonly interval: string;
  readonly limit: string;
  /** With the blank that stands before it. */
  readonly unit: string;
  /** Why it is what it is where its numbers do not show that, what would decide it, and who is not in it. */
  readonly note: string | null;
}

export function cellsOf(check: GateCheck): CheckCells {
  const { measure, value, before } = check;
  const { factor, unit, decimals, signed } = scaleOf(measure);
  const bare = (number: number, finer = decimals) => formatFixed(factor * number, finer);
  const points = (number: number, finer = decimals) =>
    signed ? signedFixed(factor * number, finer) : bare(number, finer);
  const { value: now, low, high } = value;
  return {
    before: before === undefined ? '' : bare(before),
    now: now === null ? '–' : bare(now + (before ?? 0)),
    change: before === undefined || now === null ? '' : points(now),
    interval:
      low === null || high === null || measure === 'gap' || isSame(check) ? '' : `${points(low)} to ${points(high)}`,
    limit: limitOf(check),
    unit,
    note: noteOf(check, bare),
  };
}

/** `+2.0`, `50.0`: as fine as the config has it. */
function limitOf({ measure, limit }: Pick<GateCheck, 'measure' | 'limit'>): string {
  const { factor, decimals, signed } = scaleOf(measure);
  const own = String(Number((factor * limit).toFixed(4))).split('.')[1]?.length ?? 0;
  return (signed ? signedFixed : formatFixed)(factor * limit, Math.max(decimals, own));
}

/** Where not one trial has another count of errors, no interval says more. */
export function isSame({ verdict, upperBound, value, before }: GateCheck): boolean {
  return verdict === 'pass' && upperBound === 0 && value.value === 0 && before !== undefined;
}

function noteOf(check: GateCheck, bare: (number: number) => string): string | null {
  const { measure, limit, value, verdict, upperBound, why, moreSpeakers, decidedAtLook, notes = [] } = check;
  const speakers = `${grouped(moreSpeakers ?? 0)} more speaker${moreSpeakers === 1 ? '' : 's'}`;
  const more = upperBound === null ? `${speakers} would do for an interval` : `about ${speakers} would decide`;
  // The interval has two sides, and a pass one.
  const isAbove = !isSame(check) && verdict === 'pass' && upperBound !== null && (value.high ?? 0) > limit;
  // No interval is shown of a gap.
  const isSeen = measure !== 'gap' || why?.code !== 'limit-inside';
  const told = value.value === null ? (value.reason ?? why) : verdict === 'inconclusive' && isSeen ? why : undefined;
  const parts = [
    told && reasonText(told),
    verdict === 'inconclusive' && moreSpeakers != null ? more : undefined,
    isSame(check) ? 'the same errors in every trial' : undefined,
    isAbove ? `at most ${bare(upperBound)}, the one-sided bound that decides` : undefined,
    decidedAtLook === undefined ? undefined : `of the first ${grouped(value.n.speakers)} speakers`,
    ...notes,
  ];
  const noted = [...new Set(parts)].filter((part) => part !== undefined);
  return noted.length === 0 ? null : noted.join('; ');
}

/** The numbers, the limit, and the note; without a full stop. */
function checkInWords(check: GateCheck, level: number): string {
  const { before, now, change, interval, limit, unit, note } = cellsOf(check);
  const numbers = before === '' ? `${now}${unit}` : `${before} → ${now} %, ${change} points`;
  const within = interval === '' ? '' : ` (${confidence(level)} CI ${interval})`;
  const chance = check.pValue === null ? '' : ` (${pValuePhrase(check.pValue, 'adjusted p')})`;
  return `${numbers}${within}; limit ${limit}${unit}${chance}${note === null ? '' : `: ${note}`}`;
}

export const confidence = (level: number) => `${Number((100 * level).toFixed(1))} %`;

function scaleOf(measure: GateMeasure) {
  const points = { factor: 100, unit: ' points', decimals: 1, signed: false };
  if (measure === 'worseBy') return { ...points, signed: true };
  if (measure === 'gap') return points;
  if (measure === 'thresholdDb') return { ...points, factor: 1, unit: ' dB' };
  if (measure === 'realTimeFactor' || measure === 'hallucinatedWordsPerMinute')
    return { ...points, factor: 1, unit: '', decimals: 2 };
  if (measure === 'pricePerMinute') return { ...points, factor: 1, unit: '', decimals: 4 };
  return { ...points, unit: ' %' };
}

/** The answer in one sentence; where something failed, with what is furthest above its limit. */
export function gateInWords({ verdict, checks, ifInconclusive, conditionNames }: GateResult): string {
  const count = (wanted: GateVerdict) => checks.filter((check) => check.verdict === wanted).length;
  const of = `of ${checks.length} check${checks.length === 1 ? '' : 's'}`;
  if (verdict === 'fail')
    return `Fail: ${count('fail')} ${of} above ${count('fail') === 1 ? 'its limit' : 'their limits'}${count('inconclusive') > 0 ? `, ${count('inconclusive')} undecided` : ''}.${largestInWords(checks, conditionNames)}`;
  if (verdict === 'pass')
    return `Pass: all ${checks.length === 1 ? 'that is checked' : `${checks.length} checks`} within the limits.`;
  const policy = ifInconclusive === 'warn' ? ' (the config lets this pass with a warning)' : '';
  return `Inconclusive: ${count('inconclusive')} ${of} cannot be decided with these data${policy}.`;
}

/** ` Largest rise of WER: +49.7, accent british (limit +5.0).`, of error rates that failed; empty where none did. */
function largestInWords(checks: readonly GateCheck[], called: Readonly<Record<string, string>>): string {
  const above = ({ value, limit }: GateCheck) => (value.value ?? limit) - limit;
  const failed = checks.filter(({ verdict, measure }) => verdict === 'fail' && isPooled(measure));
  const [largest] = failed.toSorted((a, b) => above(b) - above(a));
  if (largest === undefined) return '';
  const { measure, group, condition } = largest;
  const { change, now, limit } = cellsOf(largest);
  const whose = new Set(checks.map(({ recognizer }) => recognizer)).size > 1 ? [largest.recognizer] : [];
  const conditions = new Set(failed.map((one) => one.condition));
  const places = placesOf(
    { measure, group, condition: group !== null && conditions.size === 1 ? undefined : condition },
    called,
  );
  const what = measure === 'worseBy' ? 'Largest rise of WER' : measure === 'gap' ? 'Largest gap' : 'Highest WER';
  return ` ${what}: ${[change || now, ...whose, ...places].join(', ')} (limit ${limit}).`;
}

/** Of which run it is: `Run 20261128T090512-5f2c8a11 (nightly, begun 2026-11-28 09:05 UTC).` */
export function judgedInWords({ run, runName, runBegun }: GateResult): string {
  return `Run ${run} (${printable(runName, 60)}, begun ${runBegun === null ? 'at an unknown time' : `${runBegun.slice(0, 16).replace('T', ' ')} UTC`}).`;
}

/** What is open besides, and what would decide it; null where nothing is, or nobody can say. */
export function openInWords({ verdict, checks }: GateResult): string | null {
  const open = checks.filter((check) => check.verdict === 'inconclusive');
  if (open.length === 0) return null;
  // Of a failure the first sentence says how many.
  if (verdict === 'fail') return null;
  const more = open.map(({ moreSpeakers }) => moreSpeakers ?? null);
  const bare = open.filter(({ upperBound }) => upperBound === null).length;
  // More speakers give those an interval first, and nobody knows on which side of the limit it will be.
  if (bare > 0)
    return `${bare === open.length ? (bare === 1 ? 'It has' : 'They have') : `${bare} of them ${bare === 1 ? 'has' : 'have'}`} no interval yet: what each lacks stands beside it.`;
  if (more.includes(null)) return null;
  const most = Math.max(...more.map(Number));
  return `About ${grouped(most)} more speaker${most === 1 ? '' : 's'} would decide ${open.length === 1 ? 'it' : 'them'}.`;
}

/** What it does to CI; null where everything passes. */
export function outcomeInWords({ verdict, ifInconclusive }: GateResult): string | null {
  if (verdict === 'pass') return null;
  if (verdict === 'fail') return `CI stops (exit code ${exitCodes['gate-failed']}).`;
  return ifInconclusive === 'warn'
    ? 'CI goes on (exit code 0).'
    : `CI stops (exit code ${exitCodes['gate-inconclusive']}) unless gate.ifInconclusive is warn.`;
}

/** Whether some limit asks for whom errors are made; null where one does. */
export function groupsInWords({ checks }: GateResult): string | null {
  return checks.every(({ group }) => group === null) ? 'No limit is about groups.' : null;
}

export function beside({ baseline }: GateResult): string | null {
  if (baseline === null) return null;
  const { name, run, compared, of } = baseline;
  const trials =
    compared === of ? `all ${counted(of, 'trial')}` : `${grouped(compared)} of its ${counted(of, 'trial')}`;
  return `Baseline ${name} (run ${run}): ${trials} compared.`;
}

/** `clip-1, asr, noise, 10 dB` */
export function worseAt(
  { recognizer, utterance, condition }: WorseUtterance,
  { conditionNames }: Pick<GateResult, 'conditionNames'>,
): string {
  return `${utterance}, ${recognizer}, ${placeOf(condition, conditionNames)}`;
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
    return `    <testcase classname="${escapeXml(`earwitness.${check.recognizer}`)}" name="${escapeXml(checkName(check, result.conditionNames))}" time="0">${inside}</testcase>`;
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
      `::${kind} title=${property(`earwitness: ${check.verdict}`)}::${data(`${checkName(check, result.conditionNames)}: ${checkInWords(check, result.level)}`)}`,
    ];
  });
  return `${[...annotations, `::notice title=earwitness::${data(`${gateInWords(result)} ${judgedInWords(result)}`)}`].join('\n')}\n`;
}

const data = (text: string) => visibleText(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string) => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** `Words counted with the normalizer by-language (version 26).` */
export function countedInWords({ normalizer: { name, version } }: Pick<GateResult, 'normalizer'>): string {
  return `Words counted with the normalizer ${name} (version ${version}).`;
}
