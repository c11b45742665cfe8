import { formatFixed } from '../../base/number-format.ts';
import { counted } from '../../base/wording.ts';
import type { Section, Statement } from '../../model/finding.ts';
import { clean } from '../../model/trial.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Study } from '../contract.ts';
import { checkUtterances } from '../shared/check-utterances.ts';
import { decidedRates } from '../shared/cube/decided.ts';
import { reasonOf } from '../shared/estimates.ts';
import { chosenNormalizer, namedNormalizer } from '../shared/options.ts';
import { column, comparisonColumns, recognizerIn, tableOf } from '../shared/tables.ts';
import { listed, named } from '../shared/wording.ts';
import { readAttacks } from './answers.ts';
import { attackCube } from './attack-cube.ts';
import { type Breaking, type BreakingPoint, findBreaking, highestDb, lowestDb } from './breaking.ts';
import { type AttackDesign, attackBatch, planAttacks, relativeStep, testedSpeakers } from './design.ts';
import { searchHalfLost } from './half-lost.ts';
import { type AdversarialOptions, adversarialOptions } from './options.ts';
import { answerOf, scoresOf, sectionsOf, warningsOf } from './report.ts';
import { conclude } from './results.ts';

const study = { name: 'adversarial', version: 14 };

/**
 * How many words recognizers lose to sounds that were made to be misheard, beside white noise of the same SNR: by projected gradient descent
 * on the recognizer itself (Speech Robust Bench, section 3.2), by taking the weakest parts of the spectrum away (Kenansville), and by sounds
 * that were made against another recognizer. WER, CER and the share of clips for which an attack succeeds, with intervals by speaker.
 *
 * @example
 * const asking = adversarial.run(adversarial.options.parse({ snrDb: [30, 20], steps: 20 }), context);
 */
export const adversarial: Study<AdversarialOptions> = {
  ...study,
  about: 'Words lost to sounds that were made to be misheard, beside noise of the same SNR, and what passes to others',
  options: adversarialOptions,
  async check(options, context) {
    planAttacks(options, context);
    await testedSpeakers(options, context);
    await checkUtterances('adversarial', { texts: true, attributes: { groupBy: options.groupBy } }, context);
  },
  async *run(options, whole) {
    const { context, fitted, tested } = await testedSpeakers(options, whole);
    const normalizer = await chosenNormalizer(context, namedNormalizer(options));
    const design = planAttacks(options, context);
    const answers: AsyncIterable<Answer> = yield attackBatch(design, context);
    const cube = attackCube(design, options, context);
    const read = await readAttacks(answers, cube, design, options, normalizer);
    const breaking = options.breaking ? yield* findBreaking(design, options, context, normalizer) : null;
    const found = options.halfLost ? yield* searchHalfLost(design, options, context, normalizer) : [];
    const known = { design, options, cube, read, results: conclude(cube, design, options, context, found) };
    const { attacks, snrDb, steps, transfer, profile, successCer, groupBy } = options;
    const beside = design.attacks.flatMap(({ kind, condition }) => (kind === 'beside' ? [condition.name] : []));
    const { level, resamples, minimumSpeakers } = options;
    const scores = scoresOf(known);
    const decided = decidedRates(
      study.name,
      (['answered', 'groups'] as const).flatMap((slice) => cube.decisive(slice, 'wer')),
      { measure: 'WER' },
    );
    return {
      study,
      title: 'Adversarial attacks',
      settings: {
        normalizer: normalizerIdentity(normalizer),
        alignment: 'least edits (Levenshtein), each counting 1',
        attacks,
        sources: design.sources.map((place) => design.recognizers[place]!.name),
        snrDb,
        steps,
        relativeStep,
        transfer,
        beside,
        profile,
        successCer,
        ...(fitted !== null && {
          fit: {
            fittedSpeakers: fitted,
            testedSpeakers: tested,
            recipe: options.fitRecipe,
            maxEpochs: options.fitEpochs,
          },
        }),
        ...(attacks.includes('prepend') && {
          prepend: { lengthSeconds: options.prependSeconds, peak: options.prependPeak },
        }),
        ...(options.halfLost && { halfLost: options.halfLost }),
        ...(options.breaking && { breakingCer: options.breakingCer }),
        groupBy,
        level,
        resamples,
        minimumSpeakers,
      },
      ...(scores !== null && { scores }),
      answer: [...answerOf(known), ...(breaking === null ? [] : breakingAnswer(breaking, design))],
      sections: [
        ...sectionsOf(known),
        ...(breaking === null ? [] : [breakingSection(breaking, design, options.breakingCer)]),
        ...decided.sections,
      ],
      warnings: [...decided.warnings, ...fittedNote(options.attacks, fitted, tested), ...warningsOf(known)],
    };
  },
};

function fittedNote(attacks: AdversarialOptions['attacks'], fitted: number | null, tested: number): string[] {
  const names = attacks.filter((attack) => attack === 'universal' || attack === 'prepend');
  return fitted === null
    ? []
    : [
        `The sound of ${listed(names)} was fitted on clips of ${counted(fitted, 'speaker')}; everything here is counted on the clips of the other ${tested}.`,
      ];
}

/** At which SNR half of the clips are heard otherwise, for each recognizer. */
export function breakingAnswer({ points }: Breaking, { recognizers }: AttackDesign): Statement[] {
  return points
    .filter(({ group, kind }) => group === null && kind === 'kenansville')
    .map(({ recognizer, median }): Statement => {
      const name = named(recognizers[recognizer]!.name);
      const noise = points.find(
        (one) => one.recognizer === recognizer && one.group === null && one.kind !== 'kenansville',
      )!;
      const beside = noise.median.value === null ? 'unknown' : `${formatFixed(noise.median.value, 0)} dB`;
      if (median.value === null)
        return {
          text: `${name}: it is not known at which SNR kenansville changes half of the transcripts: ${reasonOf(median)}.`,
        };
      return {
        text: `${name}: kenansville changes half of the transcripts at ${formatFixed(median.value, 0)} dB SNR (white noise: ${beside}).`,
        estimate: median,
        kind: 'number',
        headline: true,
        about: {
          recognizer: recognizers[recognizer]!.name,
          conditions: asFaint(median.value),
          than: { condition: clean.name },
          by: 'change',
        },
      };
    });
}

/** Conditions of the search at this SNR and above it. */
function asFaint(snrDb: number): string[] {
  const from = Math.ceil(snrDb);
  return Array.from({ length: Math.max(1, highestDb - from + 1) }, (_, step) => `kenansville, ${from + step} dB`);
}

/** The distribution over clips of the SNR at which a transcript first changes. */
export function breakingSection(
  { points, leftOut }: Breaking,
  { recognizers }: AttackDesign,
  breakingCer: number,
): Section {
  const id = 'adversarial-breaking';
  const change =
    breakingCer === 0
      ? 'any word of it differs from that of the clean clip'
      : `it is at least ${Number((100 * breakingCer).toFixed(1))} % of its characters (CER) away from that of the clean clip`;
  const ticks = Array.from({ length: (highestDb - lowestDb) / 5 + 1 }, (_, index) => lowestDb + 5 * index);
  const failed = leftOut.reduce((sum, clips) => sum + clips, 0);
  return {
    id,
    title: 'SNR at which a transcript changes',
    text: [
      `A transcript has changed where ${change}. The highest SNR at which it has is searched for clip by clip, by halving over whole decibels from ${lowestDb} to ${highestDb}; the higher it is, the fainter a sound is enough. The median is over clips, its interval by speaker.`,
      ...(failed > 0 ? [`Left out because a recognizer failed on the way: ${counted(failed, 'clip')}.`] : []),
    ],
    charts: recognizers.map(({ name }, place) => ({
      ...{
        title: `Changed transcripts of ${named(name)}`,
        xLabel: 'SNR (dB)',
        yLabel: 'Share of clips',
        yKind: 'rate' as const,
      },
      xTicks: ticks.map(String),
      series: points
        .filter(({ recognizer, group }) => recognizer === place && group === null)
        .map(({ kind, shares, median }) => ({
          name: kind.replace('-', ' '),
          points: ticks.map((snrDb, x) => ({
            x,
            estimate: {
              ...{ value: shares[snrDb - lowestDb]!, low: null, high: null, level: median.level, n: median.n },
              ...{ reason: { code: 'median-has-it' }, method: 'share of clips' },
            },
          })),
        })),
    })),
    tables: [
      tableOf(id, 'Highest SNR at which the transcript has changed', points, [
        recognizerIn(recognizers),
        column('sounds', 'Sounds', 'text', ({ kind }) => kind.replace('-', ' ')),
        column('group', 'Group', 'text', ({ group }) => (group === null ? 'all' : `${group.attribute} ${group.value}`)),
        column('median', 'Median (dB)', 'number', ({ median }) => median),
        column('upper', 'A quarter changed at (dB)', 'number', ({ shares }) => reachedAt(shares, 0.25)),
        column('lower', 'Three quarters changed at (dB)', 'number', ({ shares }) => reachedAt(shares, 0.75)),
        column('clips', 'Clips', 'count', ({ clips }) => clips),
        column('never', 'Never changed', 'count', ({ never }) => never),
        column(
          'overNoise',
          'Mean, less that of white noise (dB)',
          'number',
          ({ overNoise }) => overNoise?.difference ?? null,
        ),
        ...comparisonColumns(
          'From swapping attack and noise speaker by speaker',
          (row: BreakingPoint) => row.overNoise!,
        ).map((one) => ({ ...one, of: (row: BreakingPoint) => (row.overNoise === null ? null : one.of(row)) })),
      ]),
    ],
  };
}

/** The highest SNR at which at least a share of the clips has changed; null: at none. */
function reachedAt(shares: readonly number[], share: number): number | null {
  const step = shares.findLastIndex((one) => one >= share);
  return step === -1 ? null : lowestDb + step;
}
