import { asJson } from '../../base/json.ts';
import type { Finding, Section } from '../../model/finding.ts';
import { type Normalizer, normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Study } from '../contract.ts';
import { checkUtterances } from '../shared/check-utterances.ts';
import { namedTrials, failuresSection as sectionOf } from '../shared/failures.ts';
import { chosenNormalizer } from '../shared/options.ts';
import { type SoundOrigins, soundOrigins } from '../shared/plain-sentences.ts';
import {
  adjustedColumn,
  attributeColumn,
  column,
  comparedWithColumn,
  groupColumn,
  judgedColumns,
  recognizerIn,
  tableOf,
} from '../shared/tables.ts';
import { counted, listed } from '../shared/wording.ts';
import { answerOf } from './answer.ts';
import { dataOf } from './data.ts';
import { designedBatch, makeDesign } from './design.ts';
import { domainShifts } from './domain-shift.ts';
import type { DisparityFinding } from './finding.ts';
import { modelGaps } from './model-gaps.ts';
import { type DisparityOptions, disparityOptions } from './options.ts';
import { plainSummaryOf } from './plain-summary.ts';
import { planeSection } from './plane-section.ts';
import { conclude, type GroupFailures } from './results.ts';
import { chanceHelp, groupsSection, pairsSection, shiftSection } from './sections.ts';
import { tallyAnswers } from './tally.ts';
import { warningsOf } from './warnings.ts';
import { groupLabel } from './wording.ts';

const study = { name: 'disparity', version: 10 };

/**
 * Whether recognizers serve groups of speakers unequally: error rates of groups and their intersections, how far they lie
 * from everybody's, which recognizer is less unequal, and whether any of it is more than chance (FairLENS: Y. Wang and
 * others, "FairLENS: Assessing Fairness in Law Enforcement Speech Recognition"; beside it tests over speakers and a
 * mixed-effects model). Utterances without a reference are passed over.
 *
 * @example
 * const asking = disparity.run(disparity.options.parse({ attributes: ['sex', 'accent'] }), context);
 * const { value: batch } = await asking.next();
 * const { value: finding } = await asking.next(answersTo(batch));
 */
export const disparity: Study<DisparityOptions> = {
  ...study,
  about: 'Whether groups of speakers are served unequally, by how much, by which recognizer, and whether it is chance',
  options: disparityOptions,
  check(options, context) {
    const { bins, values, pairs, domains } = options;
    const own = (names: readonly string[]) => names.filter((name) => !Object.hasOwn(pairs, name));
    const attributes = {
      attributes: own(options.attributes ?? []),
      bins: own(Object.keys(bins)),
      values: own(Object.keys(values)),
      pairs: Object.values(pairs).flatMap(({ of }) => of),
      domains: own(domains === null ? [] : [domains.attribute]),
    };
    return checkUtterances('disparity', { texts: true, attributes }, context);
  },
  async *run(options, context) {
    const normalizer = await chosenNormalizer(context, options.normalizer);
    const design = await makeDesign(options, context);
    const answers: AsyncIterable<Answer> = yield designedBatch(design, context);
    const tally = await tallyAnswers(answers, design, normalizer);
    return findingOf(
      {
        tally,
        design,
        options,
        results: conclude(tally, design, options, context),
        shifts: domainShifts(tally, design, options, context.seed),
        model: options.model ? modelGaps(tally, design, options) : null,
      },
      normalizer,
      await soundOrigins(context),
    );
  },
};

function findingOf(known: DisparityFinding, normalizer: Normalizer, origins: SoundOrigins): Finding {
  const { design, options } = known;
  return {
    study,
    title: 'Who is served worse',
    settings: {
      normalizer: normalizerIdentity(normalizer),
      alignment: 'least edits (Levenshtein), each counting 1',
      attributes: design.survey.attributes.map(({ name }) => name),
      orders: asJson([...new Set(design.subgroups.map(({ attributes }) => attributes.length))]),
      bins: asJson(options.bins),
      pairs: asJson(options.pairs),
      values: asJson(options.values),
      other: options.other,
      minimumSpeakers: options.minimumSpeakers,
      profile: options.profile,
      baseline: options.baseline,
      domains: asJson(options.domains),
      conditions: design.conditions.map(({ name }) => name),
      model: options.model,
      permutations: options.permutations,
      level: options.level,
      resamples: options.resamples,
    },
    plain: plainSummaryOf(known, origins),
    answer: answerOf(known),
    sections: sectionsOf(known),
    warnings: warningsOf(known),
    data: dataOf(known),
  };
}

/** Every part of the finding, in the order in which a reader wants them: plain words first, then what an engineer needs. */
function sectionsOf(known: DisparityFinding): Section[] {
  return [
    groupsSection(known),
    planeSection(known),
    modelSection(known),
    shiftSection(known),
    failuresSection(known),
    pairsSection(known),
  ].filter((section) => section !== null);
}

/** Trials without a transcript, and whether they hit some groups more than others. */
function failuresSection({ design, tally, results }: DisparityFinding): Section {
  const section = sectionOf(
    'disparity',
    'A failed trial is no empty transcript: it is left out of its rate, and in a comparison of recognizers out of both sides. A recognizer that gives up on a group more often than on others is unequal all the same: gaps in failures are tested as gaps in errors are.',
    namedTrials({ design, tally }),
  );
  if (results.failures.length === 0) return section;
  return {
    ...section,
    tables: [
      ...(section.tables ?? []),
      tableOf('disparity-group-failures', 'Failures by group', results.failures, [
        { ...groupColumn, of: ({ group }) => groupLabel(group) },
        recognizerIn(design.recognizers),
        { key: 'failed', label: 'Failed', kind: 'count' },
        { key: 'asked', label: 'Trials', kind: 'count' },
        column('share', 'Share', 'rate', ({ asked, failed }) => (asked === 0 ? null : failed / asked)),
        { key: 'gap', label: 'Gap to everybody', kind: 'difference', help: 'Above zero: more failures.' },
        ...judgedColumns(chanceHelp, ({ gap }: GroupFailures) => gap),
      ]),
    ],
  };
}

/** Gaps as ratios, each between speakers who are alike in the other attributes. */
function modelSection({ design, model }: DisparityFinding): Section | null {
  if (model === null) return null;
  const names = design.recognizers.map(({ name }) => name);
  const notes = [...Map.groupBy(model.notes, ({ note }) => note)].map(
    ([note, own]) => `${listed(own.map(({ recognizer }) => names[recognizer]!))}: ${note}.`,
  );
  return {
    id: 'disparity-model',
    title: 'Gaps with the other attributes held equal',
    text: [
      `A regression of word errors in which every speaker has a difficulty of their own (mixed-effects Poisson), with ${listed(model.attributes)} together, fitted to ${counted(model.speakers, 'speaker')} who have all of these. A ratio of 1.2 means 20 % more errors than for the value it is compared with, between speakers who are alike in the other attributes.`,
      ...notes,
    ],
    tables: [
      {
        ...tableOf('disparity-model', 'Ratios of error rates', model.gaps, [
          recognizerIn(design.recognizers),
          attributeColumn,
          { key: 'value', label: 'Value', kind: 'text' },
          comparedWithColumn,
          { key: 'ratio', label: 'Ratio of error rates', kind: 'ratio', help: 'Above 1: more errors.' },
        ]),
        note: 'Each interval stands for itself; the tests beneath are corrected. Each attribute is compared with its value of most speakers.',
      },
      tableOf('disparity-model-tests', 'Whether an attribute matters, given the others', model.tests, [
        recognizerIn(design.recognizers),
        attributeColumn,
        { key: 'pValue', label: 'p', kind: 'pvalue' },
        adjustedColumn(chanceHelp),
        column('test', 'Test', 'text', ({ reason, test }) => reason ?? test),
      ]),
    ],
  };
}
