import { asJson, type Json } from '../../base/json.ts';
import type { Section } from '../../model/finding.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Study } from '../contract.ts';
import { attributeReader } from '../shared/attributes.ts';
import { checkUtterances } from '../shared/check-utterances.ts';
import { failureGaps, failureGapsSection, failuresSection, namedTrials } from '../shared/failures.ts';
import { pairLabel } from '../shared/group-pairs.ts';
import { chosenNormalizer } from '../shared/options.ts';
import { counted, listed, named } from '../shared/wording.ts';
import { answerOf } from './answer.ts';
import { counterfactuals } from './counterfactuals.ts';
import { clipQuestions, makeDesign, recognitionQuestions } from './design.ts';
import { targetsOf } from './equalize.ts';
import type { GapFinding } from './finding.ts';
import { type GapDecompositionOptions, gapDecompositionOptions } from './options.ts';
import { conclude } from './results.ts';
import { causeQuartiles, causesSection, partsSection } from './sections.ts';
import { askedIn, tallyAnswers, tallyClips } from './tally.ts';
import { warningsOf } from './warnings.ts';

const study = { name: 'gap-decomposition', version: 8 };

/**
 * How much of a gap between groups goes with how they were recorded, how they speak and what they say, and what remains: an
 * Oaxaca-Blinder decomposition of word errors by Poisson regression with Shapley values (`decomposeGap`). Beside it the gap in
 * sound that was made alike: every clip brought to one level, one noise, one rate of speech.
 *
 * @example
 * const asking = gapDecomposition.run(gapDecomposition.options.parse({ groupBy: ['sex'] }), context);
 */
export const gapDecomposition: Study<GapDecompositionOptions> = {
  ...study,
  about: 'How much of a gap between groups goes with recording, manner of speaking and text, and what remains',
  options: gapDecompositionOptions,
  check(options, context) {
    const { groupBy, bins, reference } = options;
    const attributes = {
      ...{ groupBy: groupBy ?? [], bins: Object.keys(bins), reference: Object.keys(reference) },
      attributes: Object.keys(options.attributes),
    };
    return checkUtterances('gap-decomposition', { texts: true, attributes }, context);
  },
  async *run(options, context) {
    const normalizer = await chosenNormalizer(context, options.normalizer);
    const design = await makeDesign(options, normalizer, context);
    const measured: AsyncIterable<Answer> = yield {
      about: 'what clips are like',
      size: null,
      questions: () => clipQuestions(design, context),
    };
    const clips = await tallyClips(measured, design);
    const targets = targetsOf(clips);
    const answers: AsyncIterable<Answer> = yield {
      about:
        design.worlds.length === 1 ? 'clean' : `clean, and made alike in ${counted(design.worlds.length - 1, 'way')}`,
      size: null,
      questions: () => recognitionQuestions(design, clips, targets, context),
    };
    const tally = await tallyAnswers(answers, design, clips, targets, {
      normalizer,
      read: attributeReader(options.bins),
    });
    const results = conclude({ design, clips, tally }, options, context.seed);
    const { level, minimumSpeakers, reference } = options;
    const settings = { level, minimumSpeakers, seed: context.seed, study: study.name };
    const known = {
      design,
      options,
      clips,
      targets,
      tally,
      results,
      failures: failureGaps(tally.groupTrials, design.recognizers, reference, settings),
      counterfactuals: counterfactuals({ design, tally }, options),
    };
    return {
      study,
      title: 'What a gap goes with',
      settings: {
        normalizer: normalizerIdentity(normalizer),
        alignment: 'least edits (Levenshtein), each counting 1',
        method: 'Poisson regression with an indicator of the group, Shapley values, jackknife over speakers',
        groupBy: design.survey.groupBy,
        bins: asJson(options.bins),
        reference: options.reference,
        causes: options.causes,
        attributes: options.attributes,
        frequencies: options.frequencies,
        bent: options.bent,
        measures: design.measures,
        worlds: design.worlds.map(({ name }) => name),
        level: options.level,
        minimumSpeakers: options.minimumSpeakers,
      },
      answer: answerOf(known),
      sections: sectionsOf(known),
      warnings: warningsOf(known),
      data: dataOf(known),
    };
  },
};

/** Every part of the finding: plain words first, then what an engineer needs. */
function sectionsOf(known: GapFinding): Section[] {
  const { design, tally } = known;
  const failures = failuresSection(
    'gap-decomposition',
    'A failed trial is no empty transcript: it is left out.',
    namedTrials({ tally, design: { ...design, conditions: askedIn } }),
  );
  return [
    summarySection(known),
    partsSection(known),
    counterfactualsSection(known),
    causesSection(known),
    failures,
    failureGapsSection('gap-decomposition', known.failures),
  ].filter((section) => section !== null);
}

/** For readers who are no engineers: what was asked, of whom, how to read it, how sure, what it does not show. */
function summarySection({ design, options, results, counterfactuals }: GapFinding): Section {
  const { survey, recognizers } = design;
  const causes = [...new Set(results.flatMap(({ parts }) => parts.map(({ name }) => name)))];
  const share = Number((100 * (1 - options.level)).toFixed(1));
  const who = recognizers.length === 1 ? named(recognizers[0]!.name) : counted(recognizers.length, 'recognizer');
  const unknown =
    survey.withoutSpeaker > 0
      ? ` (${counted(survey.withoutSpeaker, 'recording')} without a known speaker count as one each)`
      : '';
  return {
    id: 'gap-decomposition-summary',
    title: 'In plain words',
    text: [
      `What was asked. Where ${who} ${recognizers.length === 1 ? 'writes' : 'write'} down more words wrongly for one group than for another: how much of that goes with how they were recorded, how they speak and what they say, and how much with none of these. Groups are made by ${listed(survey.groupBy) || 'nothing'}; looked at were ${listed(causes, 12) || 'no causes'}.`,
      `Of whom. ${counted(survey.utterances.length, 'recording')} by ${counted(survey.clusters.count, 'speaker')}${unknown}.`,
      'How to read it. A part is in points of the word error rate: of a gap of 6 points, 4 may go with noise and 2 remain. Parts may be larger than the gap, or against it, where causes cancel each other out. What remains goes with none of the causes: the recognizer may be worse for the group, or something that was not measured may be.',
      `How sure. Each part has an interval that knows how many speakers there are. If no cause mattered, the chance of even one false claim among all parts would be about ${share} %.`,
      `What it does not show. That a cause makes the errors: people who were recorded in noise may differ in other ways too. ${counterfactuals.length === 0 ? 'Sound was not changed here, so that nothing confirms it.' : 'So the same clips were made alike and recognized again: a gap that goes with noise should shrink where all clips are alike noisy.'} Measured causes are measured with errors, which moves some of their part to what remains.`,
    ],
  };
}

/** All numbers as plain rows. */
function dataOf({ design, clips, targets, tally, results, failures, counterfactuals }: GapFinding): Json {
  const { survey } = design;
  const named = (recognizer: number) => design.recognizers[recognizer]!.name;
  const pairOf = ({ attribute, value, comparedWith, speakers }: (typeof results)[number]['pair']) => {
    return { attribute, value, comparedWith, speakers };
  };
  return asJson({
    utterances: {
      scored: survey.utterances.length,
      withoutReference: survey.withoutReference,
      withoutWords: survey.withoutWords,
      withoutSpeaker: survey.withoutSpeaker,
    },
    clusters: { count: survey.clusters.count, merged: survey.clusters.merged },
    trials: design.recognizers.map(({ name }, recognizer) => ({
      recognizer: name,
      clean: tally.trials.at(2 * recognizer),
      changed: tally.trials.at(2 * recognizer + 1),
    })),
    gaps: results.map(({ recognizer, pair, ...row }) => ({ recognizer: named(recognizer), ...pairOf(pair), ...row })),
    causes: causeQuartiles({ design, clips }),
    targets: { levelDbfs: targets.level, snrDb: targets.noise, lettersPerSecond: targets.rate },
    failures,
    counterfactuals: counterfactuals.map(({ recognizer, pair, world, ...row }) => ({
      recognizer: named(recognizer),
      ...pairOf(pair),
      world: design.worlds[world]!.name,
      ...row,
    })),
  });
}

/** Gaps in sound as it is, and in sound that was made alike. */
function counterfactualsSection({ design, counterfactuals, targets }: GapFinding): Section | null {
  if (counterfactuals.length === 0) return null;
  const aims = [
    targets.level === null
      ? null
      : `one level: ${targets.level.toFixed(0)} dB relative to full scale, in steps of 1 dB`,
    targets.noise === null
      ? null
      : `one noise: white noise was added up to a signal-to-noise ratio of ${targets.noise.toFixed(0)} dB; the tenth of the clips that are noisier stay as they are`,
    targets.rate === null ? null : `one rate: ${targets.rate.toFixed(1)} letters a second, in steps of 5 % of tempo`,
  ];
  const made = design.worlds.map(({ equalization }) => equalization);
  const order = ['level', 'noise', 'rate'] as const;
  return {
    id: 'gap-decomposition-counterfactuals',
    title: 'The same clips made alike',
    text: [
      'If a gap goes with a cause, it should change where the cause is the same for everybody. Noise and haste make errors for all, so that gaps may grow with the rates: look at both groups.',
      ...order.flatMap((name, place) => {
        const aim = aims[place];
        return made.includes(name) && aim != null ? [`${aim[0]!.toUpperCase()}${aim.slice(1)}.`] : [];
      }),
    ],
    tables: [
      {
        id: 'gap-decomposition-counterfactuals',
        title: 'Gaps in sound as it is and made alike',
        columns: [
          { key: 'recognizer', label: 'Recognizer', kind: 'text' },
          { key: 'pair', label: 'Groups', kind: 'text' },
          { key: 'world', label: 'Made alike', kind: 'text' },
          { key: 'before', label: 'Gap before', kind: 'difference' },
          { key: 'after', label: 'Gap after', kind: 'difference' },
          { key: 'change', label: 'Change', kind: 'difference', help: 'Below zero: less against the first group.' },
          { key: 'adjustedPValue', label: 'Adjusted p', kind: 'pvalue' },
          { key: 'group', label: 'First group, after', kind: 'rate' },
          { key: 'others', label: 'Second group, after', kind: 'rate' },
          { key: 'changed', label: 'Clips changed', kind: 'count' },
          { key: 'utterances', label: 'Clips', kind: 'count' },
          { key: 'speakers', label: 'Speakers', kind: 'count' },
        ],
        rows: counterfactuals.map(({ recognizer, pair, world, before, after, change, changed, n }) => ({
          recognizer: design.recognizers[recognizer]!.name,
          pair: pairLabel(pair),
          world: design.worlds[world]!.name,
          before: before.gap,
          after: after.gap,
          change,
          adjustedPValue: change.adjustedPValue,
          group: after.group,
          others: after.others,
          changed,
          utterances: n.utterances,
          speakers: n.speakers,
        })),
        note: 'On the clips that could be brought there and have transcripts in both; speakers are the same in both. Holm over all changes.',
      },
    ],
  };
}
