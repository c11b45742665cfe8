import { asJson, type Json } from '../../base/json.ts';
import type { Section } from '../../model/finding.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Study } from '../contract.ts';
import { checkUtterances } from '../shared/check-utterances.ts';
import { failureGaps, failureGapsSection, failuresSection, namedTrials } from '../shared/failures.ts';
import { pairLabel } from '../shared/group-pairs.ts';
import { chosenNormalizer } from '../shared/options.ts';
import { counted, listed, percent } from '../shared/wording.ts';
import { answerOf } from './answer.ts';
import { designedBatch, makeDesign } from './design.ts';
import type { FewReferencesFinding } from './finding.ts';
import { nextRecordings } from './next-recordings.ts';
import { type FewReferencesOptions, fewReferencesOptions } from './options.ts';
import { conclude } from './results.ts';
import { ratesSection } from './sections/rates-section.ts';
import { tallyAnswers } from './tally.ts';
import { warningsOf } from './warnings.ts';

const study = { name: 'few-references', version: 7 };

/**
 * Error rates of all recordings, and gaps between groups, where only a sample is transcribed: verdicts that need no reference,
 * calibrated on that sample (prediction-powered inference, `predictionPoweredRate`). Says beside it what the sample alone tells,
 * and which recordings to transcribe next.
 *
 * @example
 * const asking = fewReferences.run(fewReferences.options.parse({ groupBy: ['sex'], next: 100 }), context);
 */
export const fewReferences: Study<FewReferencesOptions> = {
  ...study,
  about: 'Error rates and gaps of all recordings where few have references, and which to transcribe next',
  options: fewReferencesOptions,
  check(options, context) {
    const { groupBy, bins, reference, strata } = options;
    const attributes = { groupBy: groupBy ?? [], bins: Object.keys(bins), reference: Object.keys(reference), strata };
    return checkUtterances('few-references', { attributes }, context);
  },
  async *run(options, context) {
    const normalizer = await chosenNormalizer(context, options.normalizer);
    const design = await makeDesign(options, context);
    const answers: AsyncIterable<Answer> = yield designedBatch(design, context);
    const tally = await tallyAnswers(answers, design, options, normalizer);
    const results = conclude(tally, design, options);
    const next = nextRecordings(tally, design, results.rates, options);
    const { level, minimumSpeakers, reference } = options;
    const settings = { level, minimumSpeakers, seed: context.seed, study: study.name };
    const failures = failureGaps(tally.groupTrials, design.recognizers, reference, settings);
    const known = { design, options, tally, results, failures, next };
    return {
      study,
      title: 'Few references, many recordings',
      settings: {
        normalizer: normalizerIdentity(normalizer),
        alignment: 'least edits (Levenshtein), each counting 1',
        method: 'prediction-powered inference with tuned weight, speakers as units',
        verdict: options.verdict,
        judges: options.judges,
        groupBy: design.survey.groupBy,
        bins: asJson(options.bins),
        reference: options.reference,
        share: options.share,
        strata: options.strata,
        next: options.next,
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
function sectionsOf(known: FewReferencesFinding): Section[] {
  const failures = failuresSection(
    'few-references',
    'A failed trial is no empty transcript: it is left out, of the sample and of all recordings alike.',
    namedTrials(known),
  );
  return [
    summarySection(known),
    ratesSection(known),
    gapsSection(known),
    nextSection(known),
    failures,
    failureGapsSection('few-references', known.failures),
  ].filter((section) => section !== null);
}

/** For readers who are no engineers: what was asked, of what, how it is done, how sure, what it does not show. */
function summarySection({ design, options }: FewReferencesFinding): Section {
  const { survey } = design;
  const standsFor = {
    distance: 'how many words differ from what other recognizers wrote',
    majority: 'how many words differ from what most other recognizers wrote',
    confidence: 'how unsure the recognizer is of its words',
  }[options.verdict];
  const share = survey.utterances === 0 ? '' : ` (${percent(survey.transcribed, survey.utterances)})`;
  const unknown =
    survey.withoutSpeaker > 0
      ? ` (${counted(survey.withoutSpeaker, 'recording')} without a known speaker count as one each)`
      : '';
  return {
    id: 'few-references-summary',
    title: 'In plain words',
    text: [
      `What was asked. How many words are written down wrongly over all recordings, and for which groups more, although somebody has transcribed only some of them. Groups are made by ${listed(survey.groupBy) || 'nothing'}.`,
      `Of what. ${counted(survey.utterances, 'recording')} by ${counted(survey.clusters.count, 'speaker')}${unknown}; ${survey.transcribed}${share} transcribed.`,
      `How it is done. For every recording it is known ${standsFor}. That is no error rate. But on the transcribed recordings both are known, so that it can be told how much of it is error, and whether the transcribed ones are easier than the rest. So the rate of the sample is moved by what sets the sample apart from all recordings.`,
      'How sure. Intervals hold whatever these verdicts are worth: where they do not go with errors they count for nothing, and what is left is the sample. They hold for recordings of such speakers, not of these alone.',
      'What it does not show. Anything, if the transcribed recordings were chosen for being easy, short or interesting. They must have been drawn at random, or at random within strata that are named.',
    ],
  };
}

/** All numbers as plain rows. */
function dataOf({ design, tally, results, failures, next }: FewReferencesFinding): Json {
  const { survey, recognizers } = design;
  const named = (recognizer: number) => recognizers[recognizer]!.name;
  return asJson({
    recordings: {
      all: survey.utterances,
      transcribed: survey.transcribed,
      withoutSpeaker: survey.withoutSpeaker,
    },
    clusters: { count: survey.clusters.count, merged: survey.clusters.merged },
    trials: recognizers.map(({ name }, recognizer) => ({
      recognizer: name,
      ...tally.trials.at(recognizer),
      withoutVerdict: tally.withoutVerdict[recognizer]!,
    })),
    rates: results.rates.map(({ recognizer, group, ...row }) => ({
      recognizer: named(recognizer),
      attribute: group?.attribute ?? null,
      value: group?.value ?? null,
      ...row,
    })),
    gaps: results.gaps.map(({ recognizer, pair, ...row }) => ({
      recognizer: named(recognizer),
      attribute: pair.attribute,
      value: pair.value,
      comparedWith: pair.comparedWith,
      speakers: pair.speakers,
      ...row,
    })),
    failures,
    next,
  });
}

/** Gaps between groups, from the sample alone and over all recordings. */
function gapsSection({ design, results }: FewReferencesFinding): Section | null {
  if (results.gaps.length === 0) return null;
  return {
    id: 'few-references-gaps',
    title: 'Gaps between groups',
    tables: [
      {
        id: 'few-references-gaps',
        title: 'Differences of word error rates',
        columns: [
          { key: 'recognizer', label: 'Recognizer', kind: 'text' },
          { key: 'pair', label: 'Groups', kind: 'text' },
          {
            key: 'powered',
            label: 'All recordings',
            kind: 'difference',
            help: 'Above zero: more for the first group.',
          },
          { key: 'adjustedPValue', label: 'Adjusted p', kind: 'pvalue', help: 'Holm over all gaps.' },
          { key: 'verdict', label: 'Verdict', kind: 'verdict' },
          { key: 'sample', label: 'Sample alone', kind: 'difference' },
          { key: 'sampleVerdict', label: 'Its verdict', kind: 'verdict' },
          { key: 'varianceRatio', label: 'Variance, of that of the sample', kind: 'ratio' },
          { key: 'transcribed', label: 'With a reference', kind: 'count' },
          { key: 'speakers', label: 'Speakers of these', kind: 'count' },
        ],
        rows: results.gaps.map(({ recognizer, pair, sample, powered, varianceRatio }) => ({
          recognizer: design.recognizers[recognizer]!.name,
          pair: pairLabel(pair),
          powered,
          adjustedPValue: powered.adjustedPValue,
          verdict: powered.verdict,
          sample,
          sampleVerdict: sample.verdict,
          varianceRatio,
          transcribed: powered.difference.n.utterances,
          speakers: powered.difference.n.speakers,
        })),
      },
    ],
  };
}

/** Which recordings to transcribe next. */
function nextSection({ next, options }: FewReferencesFinding): Section | null {
  const { attributes, cells } = next;
  const wanted = cells.reduce((sum, cell) => sum + cell.next, 0);
  if (options.next === 0) return null;
  const nameOf = (values: readonly (string | null)[]) =>
    attributes.length === 0
      ? 'all recordings'
      : attributes.map((attribute, place) => `${attribute} ${values[place] ?? 'unknown'}`).join(' × ');
  const strata = attributes.filter((name) => !options.strata.includes(name));
  return {
    id: 'few-references-next',
    title: 'What to transcribe next',
    text:
      wanted === 0
        ? ['Every recording has a reference.']
        : [
            'So many of each group that all are known about equally well: more where verdicts leave much open and little is transcribed. Within a group they were drawn at random, because only then does the sample stand for the rest; transcribe all that are listed, not the easy ones.',
            ...(strata.length > 0
              ? [
                  `With these, more of some groups is transcribed than of others: set strata: [${strata.join(', ')}] then.`,
                ]
              : []),
          ],
    tables: [
      {
        id: 'few-references-cells',
        title: 'How many of each group',
        columns: [
          { key: 'cell', label: 'Recordings of', kind: 'text' },
          { key: 'recordings', label: 'Recordings', kind: 'count' },
          { key: 'transcribed', label: 'With a reference', kind: 'count' },
          {
            key: 'open',
            label: 'Left open',
            kind: 'number',
            help: 'Standard deviation of a recording’s errors per word that verdicts do not explain.',
          },
          { key: 'next', label: 'Transcribe next', kind: 'count' },
        ],
        rows: cells.map(({ values, recordings, transcribed, residualDeviation, next: count }) => ({
          cell: nameOf(values),
          recordings,
          transcribed,
          open: residualDeviation,
          next: count,
        })),
      },
      {
        id: 'few-references-next',
        title: 'Recordings to transcribe next',
        columns: [
          { key: 'utterance', label: 'Recording', kind: 'text' },
          { key: 'cell', label: 'Of', kind: 'text' },
        ],
        rows: cells.flatMap(({ values, ids }) => ids.map((utterance) => ({ utterance, cell: nameOf(values) }))),
      },
    ],
  };
}
