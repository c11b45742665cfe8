import { asJson } from '../../base/json.ts';
import { grouped } from '../../base/number-format.ts';
import { counted } from '../../base/wording.ts';
import type { Section } from '../../model/finding.ts';
import { clean } from '../../model/trial.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Study } from '../contract.ts';
import { allTrials } from '../shared/all-trials.ts';
import { checkUtterances } from '../shared/check-utterances.ts';
import { decidedRates } from '../shared/cube/decided.ts';
import { failureGaps, failureGapsSection } from '../shared/failure-gaps.ts';
import { failuresSection, namedTrials } from '../shared/failures.ts';
import { pairLabel } from '../shared/group-pairs.ts';
import { chosenNormalizer } from '../shared/options.ts';
import { otherVerdicts } from '../shared/other-verdicts.ts';
import { column, judgedColumns, recognizerIn, tableOf } from '../shared/tables.ts';
import { listed, percent } from '../shared/wording.ts';
import { type FewReferencesOptions, fewReferencesOptions, makeDesign } from './design.ts';
import { nextRecordings, nextSection } from './next-recordings.ts';
import { recordingsTable } from './recordings.ts';
import { answerOf, type FewReferencesFinding, ratesSection, scoresOf, warningsOf } from './report.ts';
import { conclude, type GapResult } from './results.ts';
import { judgeAnswers } from './tally.ts';

const study = { name: 'few-references', version: 25 };

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
  about: 'Error rates and gaps of all recordings when few have references, and which to transcribe next',
  options: fewReferencesOptions,
  check(options, context) {
    const { groupBy, bins, reference, strata } = options;
    const attributes = { groupBy: groupBy ?? [], bins: Object.keys(bins), reference: Object.keys(reference), strata };
    return checkUtterances('few-references', { attributes }, context);
  },
  async *run(options, context) {
    const normalizer = await chosenNormalizer(context, options.normalizer);
    const design = await makeDesign(options, context);
    const answers: AsyncIterable<Answer> = yield await allTrials(context, [clean], 'clean');
    const tally = await judgeAnswers(answers, design, { ...options, seed: context.seed }, normalizer);
    const results = conclude(tally, design, options);
    const next = nextRecordings(tally, design, results.rates, options);
    const { level, minimumSpeakers, reference } = options;
    const settings = { level, minimumSpeakers, seed: context.seed };
    const failures = failureGaps(tally.groupTrials, design.recognizers, reference, settings);
    const known = { design, options, tally, normalizer, results, failures, next };
    const gaps = results.gaps.map(({ recognizer, pair, powered: comparison }) => {
      return { recognizer: design.recognizers[recognizer]!.name, pair, comparison };
    });
    const { transcribed, utterances } = design.survey;
    const answer = answerOf(known);
    const decided = [
      decidedRates(study.name, tally.decided.sample, {
        measure: `WER of transcribed recordings${options.strata.length > 0 ? ', without weights' : ''}`,
      }),
      decidedRates(`${study.name}-verdicts`, tally.decided.verdicts, {
        measure: 'rate of verdicts over all recordings',
        counts: ['pseudo errors', 'pseudo words'],
      }),
    ];
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
      scores: scoresOf(answer),
      answer: [...answer, ...otherVerdicts(study.name, gaps, context.findings ?? [], transcribed === utterances)],
      sections: [...sectionsOf(known), ...decided.flatMap(({ sections }) => sections)],
      warnings: [...decided.flatMap(({ warnings }) => warnings), ...warningsOf(known)],
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
    nextSection(known.next, known.options),
    failures,
    failureGapsSection('few-references', known.failures),
  ].filter((section) => section !== null);
}

/** For readers who are no engineers: what was asked, of what, how it is done, how sure, what it does not show. */
function summarySection(known: FewReferencesFinding): Section {
  const { design, options } = known;
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
      `What was asked. How many words are wrong over all recordings, and for which groups more, although only some recordings have references. Groups: ${listed(survey.groupBy) || 'none'}.`,
      `Of what. ${counted(survey.utterances, 'recording')} by ${counted(survey.clusters.count, 'speaker')}${unknown}; ${grouped(survey.transcribed)}${share} transcribed.`,
      `How it is done. For every recording it is known ${standsFor}. That is not an error rate. But on the recordings with references both are known, which shows how much of it is error, and whether these recordings are easier than the rest. The rate of the sample is therefore adjusted by the difference between the sample and all recordings.`,
      'How certain. Intervals are valid however good or bad these verdicts are: if they do not correlate with errors, they get no weight, and the estimate is that of the sample. Intervals generalize to recordings of such speakers.',
      'What it does not show. Anything, if the transcribed recordings were chosen for being easy, short or interesting. They must have been drawn at random, or at random within strata that are named.',
    ],
    tables: [recordingsTable(known)],
  };
}

/** Gaps between groups, from the sample alone and over all recordings. */
function gapsSection({ design, results }: FewReferencesFinding): Section | null {
  if (results.gaps.length === 0) return null;
  const id = 'few-references-gaps';
  const table = tableOf(id, 'Differences of word error rates', results.gaps, [
    recognizerIn(design.recognizers),
    column('pair', 'Groups', 'text', ({ pair }) => pairLabel(pair)),
    { key: 'powered', label: 'All recordings', kind: 'difference', help: 'Above zero: more for the first group.' },
    ...judgedColumns('Holm over all gaps.', ({ powered }: GapResult) => powered),
    { key: 'sample', label: 'Sample alone', kind: 'difference' },
    column('sampleVerdict', 'Its verdict', 'verdict', ({ sample }) => sample.verdict),
    { key: 'varianceRatio', label: 'Variance, of that of the sample', kind: 'ratio' },
    column('transcribed', 'With a reference', 'count', ({ powered }) => powered.difference.n.utterances),
    column('speakers', 'Speakers of these', 'count', ({ powered }) => powered.difference.n.speakers),
  ]);
  return { id, title: 'Gaps between groups', tables: [table] };
}
