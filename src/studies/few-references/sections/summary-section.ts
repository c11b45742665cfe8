import type { Section } from '../../../model/finding.ts';
import { counted, listed, percent } from '../../shared/wording.ts';
import type { FewReferencesFinding } from '../finding.ts';

/** For readers who are no engineers: what was asked, of what, how it is done, how sure, what it does not show. */
export function summarySection({ design, options }: FewReferencesFinding): Section {
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
