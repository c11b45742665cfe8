import { z } from 'zod';
import { between, list, nonEmpty, oneOf, whole } from '../../base/option-kinds.ts';
import { type GateCheck, type GateLimit, type GateMeasure, gateMeasures } from '../../model/gate.ts';
import { clean } from '../../model/trial.ts';

const share = z.number().min(0);

const limit = z
  .strictObject({
    wer: share.optional().describe('Word error rate at most: 0.12'),
    worseBy: share
      .optional()
      .describe('At most so much above the WER of the baseline: 0.01 is one point. Better never fails'),
    gap: share.max(1).optional().describe('Greatest difference of the WERs of two groups of `by`'),
    thresholdDb: z.number().optional().describe('Reception threshold (SNR in dB) at most; needs the study threshold'),
    hallucinatedWordsPerMinute: share
      .optional()
      .describe('Words per minute of audio without speech at most; needs the study hallucination'),
    failures: share.max(1).optional().describe('Share of trials without a transcript at most'),
    collapsed: share
      .max(1)
      .optional()
      .describe('Share of transcripts at most that are empty though words were said, or repeat themselves in a loop'),
    realTimeFactor: share
      .optional()
      .describe(
        'Processor seconds per second of audio at most; elapsed ones, named as such, where those of the processor are not known',
      ),
    pricePerMinute: share
      .optional()
      .describe(
        'Price of a minute of audio at most, in the currency of the recognizer: what answers told, else its pricePerMinute',
      ),
    recognizer: nonEmpty().optional().describe('Name of a recognizer (default: each)'),
    condition: nonEmpty()
      .optional()
      .describe('Name of a condition, or all: all together (default: clean for wer, worseBy and gap, else all)'),
    by: nonEmpty().optional().describe('Attribute: the limit holds in each of its groups, a gap between them'),
    group: z
      .record(nonEmpty(), z.string())
      .refine(
        (group) => Object.keys(group).length === 1,
        'expected one attribute with its value, as in { sex: female }',
      )
      .optional()
      .describe('One group of speakers: { sex: female }'),
  })
  .superRefine((one, context) => {
    const refuse = (message: string) => context.addIssue({ code: 'custom', message });
    const measures = measuresOf(one);
    if (measures.length !== 1) {
      const came = measures.length === 0 ? 'none' : measures.join(' and ');
      refuse(`expected exactly one of ${gateMeasures.join(', ')}, but got ${came}; write a limit of its own for each`);
      return;
    }
    const [measure] = measures as [GateMeasure];
    if (measure === 'gap' && one.by === undefined)
      refuse('expected the attribute whose groups are compared, as in { gap: 0.05, by: sex }');
    if (one.by !== undefined && one.group !== undefined) refuse('expected `by` or `group`, but got both; remove one');
    const grouped = one.by !== undefined || one.group !== undefined;
    if (grouped && !['wer', 'worseBy', 'gap'].includes(measure))
      refuse(`expected groups with wer, worseBy or gap, but got ${measure}; remove \`by\` and \`group\``);
    if (one.group !== undefined && measure === 'gap') refuse('expected `by` with gap, but got `group`');
  });

/** What a limit calls all conditions together. */
const everyCondition = 'all';

/** `gate` in a config: what a release must keep, and against what. */
export const gateOptions = z
  .strictObject({
    baseline: nonEmpty().optional().describe('File that `earwitness baseline` wrote; needed by worseBy'),
    level: between(0.5, 0.999)
      .default(0.95)
      .describe(
        'A release that breaks a limit passes, and one that keeps all fails, with at most the probability 1 - level',
      ),
    ifInconclusive: oneOf(['block', 'warn'])
      .default('block')
      .describe('Whether a gate that cannot tell ends with its own exit code (21) or with 0'),
    minimumSpeakers: whole(2).default(10).describe('With fewer speakers no interval is given'),
    askUntil: oneOf(['verdict', 'limits'])
      .optional()
      .describe(
        'A run asks speaker by speaker and stops as soon as the verdict of the gate is certain (verdict), or that of every limit (limits). Default: everything is asked',
      ),
    limits: list(limit, 1, 1000).describe('What is limited, one measure each'),
  })
  .superRefine(({ askUntil, limits }, context) => {
    if (askUntil === undefined) return;
    const [late] = limits.flatMap((one, index) =>
      measuresOf(one)
        .filter((measure) => unlooked.includes(measure))
        .map((measure) => ({ index, measure })),
    );
    if (late !== undefined) {
      const message = `expected limits that can be judged while a run goes on, but got ${late.measure} beside askUntil; leave askUntil out, or put this limit into a config of its own`;
      context.addIssue({ code: 'custom', path: ['limits', late.index], message });
    }
    if (!limits.some(isSampledLimit))
      context.addIssue({
        code: 'custom',
        path: ['askUntil'],
        message: 'expected wer, worseBy or gap beside askUntil, but there are only counts; leave askUntil out',
      });
  });

/** What studies find once all of their questions are answered. */
const unlooked: readonly GateMeasure[] = ['thresholdDb', 'hallucinatedWordsPerMinute'];

/** Rates of a sample of speakers; all else is counted, or found by a study. */
export const sampledMeasures = ['wer', 'worseBy', 'gap'] as const;

/** Whether a check is of a rate of a sample. */
export function isSampled({ measure }: Pick<GateCheck, 'measure'>): boolean {
  return (sampledMeasures as readonly GateMeasure[]).includes(measure);
}

/** The same of a limit. */
export function isSampledLimit(limit: GateLimit): boolean {
  return sampledMeasures.some((measure) => limit[measure] !== undefined);
}

/** What a limit is set on; one, where it was checked. */
export function measuresOf(one: GateLimit): GateMeasure[] {
  return gateMeasures.filter((measure) => one[measure] !== undefined);
}

/** The same limit at the same place has the same key; a gap names other groups ever again. */
export function checkKey({
  measure,
  limit,
  recognizer,
  condition,
  group,
}: Pick<GateCheck, 'measure' | 'limit' | 'recognizer' | 'condition' | 'group'>): string {
  return JSON.stringify([measure, limit, recognizer, condition, measure === 'gap' ? group!.attribute : group]);
}

/** The condition in which a limit holds; null: all together. Rates are limited on clean audio where nothing else is said. */
export function conditionOf(one: GateLimit): string | null {
  const wanted = one.condition ?? (isSampledLimit(one) ? clean.name : everyCondition);
  return wanted === everyCondition ? null : wanted;
}

/** Attributes whose groups limits name, each once. */
export function attributesOf(limits: readonly GateLimit[]): string[] {
  return [...new Set(limits.flatMap(({ by, group }) => [...(by ? [by] : []), ...Object.keys(group ?? {})]))];
}
