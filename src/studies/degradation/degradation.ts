import { asJson } from '../../base/json.ts';
import type { Chart, Section } from '../../model/finding.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Study } from '../contract.ts';
import { checkUtterances, someUtterances } from '../shared/check-utterances.ts';
import { namedTrials, failuresSection as sectionOf } from '../shared/failures.ts';
import { chosenNormalizer, defaultNormalizer } from '../shared/options.ts';
import { soundOrigins } from '../shared/plain-sentences.ts';
import { attributeColumn, conditionColumn, groupColumn } from '../shared/tables.ts';
import { type JudgedCases, judgeCases } from '../shared/validity/gate.ts';
import { ratingsTable, validitySection } from '../shared/validity/validity.ts';
import { type Design, designedBatch, makeDesign } from './design.ts';
import { type DegradationOptions, degradationOptions, study } from './options.ts';
import { plainSummaryOf } from './plain-summary.ts';
import { answerOf, dataOf, kindInWords, scopeInWords, warningsOf } from './report.ts';
import { conclude, type Known } from './results.ts';
import { comparisonTable, groupsSection, kindColumn, scopeColumn, violationsSection } from './sections.ts';
import { tallyAnswers } from './tally.ts';

/**
 * Whether disturbed sound costs some groups of speakers more than others, without a reference: how far recognizers come apart
 * (S. S. Rajan, S. Udeshi and S. Chattopadhyay, "AequeVox", FASE 2022, arXiv 2110.09843v2, Algorithm 1). Beside the counts of
 * the paper stands what it lacks: intervals and tests that know how few speakers there are. With references the same is
 * asked of word error rates.
 *
 * @example
 * const asking = degradation.run(degradation.options.parse({ conditions: ['aequevox'], groupBy: ['sex'] }), context);
 */
export const degradation: Study<DegradationOptions> = {
  ...study,
  about: 'Whether disturbed sound costs some groups more than others, with or without references (AequeVox)',
  options: degradationOptions,
  async check(options, context) {
    const { groupBy, bins, reference, where } = options;
    const attributes = { groupBy: groupBy ?? [], bins: Object.keys(bins), reference: Object.keys(reference) };
    const needs = { texts: context.recognizers.length < 2, attributes };
    await checkUtterances('degradation', needs, await someUtterances(where, context));
  },
  asksOfFew: ({ where }) => where !== null,
  async *run(options, everything) {
    const context = await someUtterances(options.where, everything);
    const normalizer = await chosenNormalizer(
      context,
      options.normalizer ?? (options.profile === 'aequevox' ? 'aequevox' : defaultNormalizer),
    );
    const design = await makeDesign(options, context);
    const validity =
      options.validity === null ? null : yield* judgeCases(options.validity, judgedCases(design, options), context);
    const answers: AsyncIterable<Answer> = yield designedBatch(design, context, validity);
    const tally = await tallyAnswers(answers, design, options, normalizer);
    const results = conclude(tally, design, options, context);
    const known = { results, tally, design, options, validity, normalizer: normalizer.name };
    const { profile, tolerances, ceiling, groupBy, bins, reference, draws, level, resamples, permutations } = options;
    return {
      study,
      title: 'Degradation by group',
      settings: {
        normalizer: normalizerIdentity(normalizer),
        distance: 'edits over the words of the longer transcript, both added up over utterances',
        baseline: design.conditions[0]!.name,
        conditions: design.conditions.slice(1).map(({ name }) => name),
        profile,
        tolerances,
        ceiling: profile === 'aequevox' ? null : ceiling,
        validity: validity === null ? null : asJson({ rule: validity.rule, identity: validity.identity }),
        where: asJson(options.where),
        groupBy,
        bins: asJson(bins),
        reference,
        draws,
        level,
        resamples,
        permutations,
        minimumSpeakers: options.minimumSpeakers,
      },
      plain: plainSummaryOf(known, await soundOrigins(context)),
      answer: answerOf(known),
      sections: sectionsOf(known),
      warnings: warningsOf(known),
      data: dataOf(known),
    };
  },
};

/** The changed clips that a gate judges. */
function judgedCases({ conditions, drawn }: Design, options: DegradationOptions): JudgedCases {
  return {
    conditions: conditions.slice(1),
    draws: (condition) => drawn[condition + 1]!,
    wanted: () => true,
    groupOf: (condition) => condition,
    corpusBy: 'corpus',
    means: options,
  };
}

/** Every part of the finding, in the order in which a reader wants it. */
function sectionsOf(known: Known): Section[] {
  const { options } = known;
  const violations = violationsSection(known);
  return [
    ...(options.profile === 'aequevox' ? [violations] : []),
    groupsSection(known),
    curvesSection(known),
    detailsSection(known),
    beforeSection(known),
    ...(options.profile === 'aequevox' ? [] : [violations]),
    conditionsSection(known),
    ...gateSections(known),
    failuresSection(known),
  ].filter((section) => section !== null);
}

/** What was left out because listeners or measures find it too bad; nothing without a gate. */
function gateSections({ validity, design }: Known): Section[] {
  if (validity === null) return [];
  const { conditions, ratings, rule } = validity;
  if (conditions !== null) return [validitySection('degradation', { conditions, rule })];
  const labels = new Map(design.conditions.map(({ name, rung }) => [name, rung?.label]));
  return [
    {
      id: 'degradation-ratings',
      title: 'Sounds that count',
      text: [`Kept is what has ${rule}; what nobody rated does not count.`],
      tables: [ratingsTable('degradation', ratings ?? [], (about) => labels.get(about) ?? null)],
    },
  ];
}

/** Trials without a transcript, by condition, recognizer and kind. */
function failuresSection(known: Known): Section {
  return sectionOf(
    'degradation',
    'A failed trial is no empty transcript: it is left out of rates and distances; whether one group has more of them is tested with the gaps before.',
    namedTrials(known),
  );
}

/** Where the groups stand before, and who has more failures; null where nothing can be compared. */
function beforeSection({ results, design }: Known): Section | null {
  if (results.before.length === 0) return null;
  return {
    id: 'degradation-before',
    title: 'Gaps before any disturbance, and failures',
    text: [
      `A group may be served worse in ${design.conditions[0]!.name} already (Equation 1 of AequeVox, with a test), or get no answer more often. A failed trial is no empty transcript: it is left out of rates, which hides it from them.`,
    ],
    tables: [comparisonTable('degradation-before', 'Gaps before, and shares of failed trials', results.before, design)],
  };
}

/** By family of conditions and by pair of recognizers; null where there is one of each. */
function detailsSection({ results, design }: Known): Section | null {
  const own = results.degradations.filter(({ measure, family }) => measure !== null || family !== null);
  if (own.length === 0) return null;
  return {
    id: 'degradation-details',
    title: 'By kind of disturbance and by recognizer',
    text: [
      'Speakers are dealt anew among the groups, once for all of these comparisons, so that the chance of even one false verdict is kept (step-down maximum): four fifths of it are for what is lost over all conditions, one fifth for these and for where groups stand before. Where speakers are in several groups, p values are corrected after Holm.',
    ],
    tables: [
      {
        id: 'degradation-details',
        title: 'Degradation in parts',
        columns: [
          attributeColumn,
          groupColumn,
          kindColumn,
          scopeColumn,
          { key: 'baseline', label: 'Before', kind: 'rate' },
          { key: 'degradation', label: 'Degradation', kind: 'difference' },
        ],
        rows: own.map((one) => ({
          attribute: one.attribute,
          group: one.group,
          kind: one.kind,
          scope: scopeInWords(one, design),
          baseline: one.baseline,
          degradation: one.degradation,
        })),
      },
      comparisonTable('degradation-detail-comparisons', 'Differences in parts', results.details, design),
    ],
  };
}

/** Which conditions count and which are left out, with the mean that decides. */
function conditionsSection({ results, design, options }: Known): Section {
  const left = results.kept.filter(({ kept }) => !kept).length;
  const rule =
    options.profile === 'aequevox'
      ? 'the two slowest rates are left out by name, as AequeVox did'
      : `left out is what has a mean above ${options.ceiling}`;
  return {
    id: 'degradation-conditions',
    title: 'Conditions that count',
    text: [`${left} of ${results.kept.length} are left out: ${rule}.`],
    tables: [
      {
        id: 'degradation-conditions',
        title: 'Everybody, condition by condition',
        columns: [
          conditionColumn,
          { key: 'severity', label: 'Severity', kind: 'text' },
          kindColumn,
          {
            key: 'mean',
            label: 'Mean',
            kind: 'rate',
            help: 'Over the recognizers or pairs, each pooled over everybody.',
          },
          { key: 'kept', label: 'Counts', kind: 'text' },
        ],
        rows: results.kept.map(({ kind, condition, mean, kept, reason }) => ({
          condition: design.conditions[condition]!.name,
          severity: design.conditions[condition]!.rung?.label ?? '',
          kind,
          mean,
          kept: kept ? 'yes' : `no: ${reason}`,
        })),
      },
    ],
  };
}

/** More lines cannot be told apart. */
const maxLines = 8;

/** Rates of groups along each family of severities; null where no family has two rungs left. */
function curvesSection({ results, design }: Known): Section | null {
  const { rates } = results;
  const series = Map.groupBy(rates, ({ attribute, kind }) => JSON.stringify([attribute, kind]));
  const charts = [...series.values()].flatMap((own) => {
    const { attribute, kind } = own[0]!;
    const groups = [...new Set(own.map(({ group }) => group))];
    if (groups.length > maxLines) return [];
    return design.families.flatMap(({ name, conditions }): Chart[] => {
      const shown = conditions.filter((condition) => own.some((one) => one.condition === condition));
      if (shown.length < 2) return [];
      const places = [0, ...shown];
      return [
        {
          title: `${name} by ${attribute}: ${kindInWords(kind)}`,
          xLabel: 'severity',
          xTicks: places.map((condition) =>
            condition === 0 ? 'before' : (design.conditions[condition]!.rung?.label ?? String(condition)),
          ),
          yLabel: kindInWords(kind),
          yKind: 'rate',
          series: groups.map((group) => ({
            name: group,
            points: own
              .filter((one) => one.group === group && places.includes(one.condition))
              .map(({ condition, rate }) => ({ x: places.indexOf(condition), estimate: rate })),
          })),
        },
      ];
    });
  });
  if (charts.length === 0) return null;
  return {
    id: 'degradation-curves',
    title: 'Group by group, from mild to severe',
    text: ['Means over the recognizers or their pairs, pooled over the utterances of a group.'],
    charts,
  };
}
