import { formatFixed, grouped, pValuePhrase } from '../../base/number-format.ts';
import type { GateCheck, GateMeasure, GateResult, GateVerdict } from '../../model/gate.ts';

/** How a verdict is marked; the word always stands by it. */
export const gateMarks: Readonly<Record<GateVerdict, string>> = { pass: '✓', fail: '✗', inconclusive: '?' };

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
  const isWhole = condition === null && ['wer', 'worseBy', 'gap'].includes(measure);
  const places = [
    recognizer,
    ...(condition !== null ? [condition] : isWhole ? ['all conditions'] : []),
    ...(group === null
      ? []
      : [`${group.attribute} ${group.value}${group.other === undefined ? '' : ` – ${group.other}`}`]),
  ];
  return `${places.join(', ')}: ${measureNames[measure]}`;
}

/** The number, its interval, the limit, and why it is what it is; without a full stop. */
export function checkInWords(check: GateCheck, level: number): string {
  const { measure, value, before, verdict, upperBound, pValue, why, moreSpeakers, decidedAtLook } = check;
  const confidence = `${Number((100 * level).toFixed(1))} %`;
  const { factor, unit, decimals } = scaleOf(measure);
  const limited = limitInWords(check);
  const early = decidedAtLook === undefined ? '' : `, of the first ${grouped(value.n.speakers)} speakers`;
  const bare = (number: number) => formatFixed(factor * number, decimals);
  const shown = (number: number) => `${bare(number)}${unit}`;
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
