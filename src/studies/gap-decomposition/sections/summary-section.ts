import type { Section } from '../../../model/finding.ts';
import { counted, listed, named } from '../../shared/wording.ts';
import type { GapFinding } from '../finding.ts';

/** For readers who are no engineers: what was asked, of whom, how to read it, how sure, what it does not show. */
export function summarySection({ design, options, results, counterfactuals }: GapFinding): Section {
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
