import type { Section } from '../../../model/finding.ts';
import { counted, listed, named } from '../../shared/wording.ts';
import { provenWorse } from '../answer.ts';
import type { DisparityFinding } from '../finding.ts';
import { groupLabel } from '../wording.ts';

/** Groups of a recognizer that are named here; the table has all. */
const mostNamed = 8;

/** One page for readers who are no engineers: what was asked, of whom, what was found, how sure, what it does not show. */
export function summarySection(known: DisparityFinding): Section {
  return {
    id: 'disparity-summary',
    title: 'In plain words',
    text: [asked(known), ofWhom(known), ...found(known), howSure(known), notShown(known)],
  };
}

function asked({ design }: DisparityFinding): string {
  const { recognizers, subgroups, survey, conditions } = design;
  const orders = new Set(subgroups.map(({ attributes }) => attributes.length));
  const and = [...orders].some((order) => order > 1) ? ' and their intersections' : '';
  const where = conditions.length > 1 ? ', in clean sound' : '';
  return `What was asked. Whether ${recognizers.length === 1 ? named(recognizers[0]!.name) : counted(recognizers.length, 'recognizer')} write${recognizers.length === 1 ? 's' : ''} down wrongly more of the words that some groups of people say than of what everybody says${where}. Groups are made by ${listed(survey.attributes.map(({ name }) => name)) || 'nothing'}${and}.`;
}

function ofWhom({ design }: DisparityFinding): string {
  const { survey, subgroups, counted: tested } = design;
  const people = survey.clusters.count;
  const unknown =
    survey.withoutSpeaker > 0
      ? ` (${counted(survey.withoutSpeaker, 'recording')} without a known speaker count as one each)`
      : '';
  return `Of whom. ${counted(survey.scored, 'recording')} by ${people === 1 ? '1 speaker' : `${people} speakers`}${unknown}. Of ${counted(subgroups.length, 'group')} that occur, ${tested.length} ${tested.length === 1 ? 'has' : 'have'} enough speakers to be judged.`;
}

function found({ design, results }: DisparityFinding): string[] {
  const lines = design.recognizers.map(({ name }, recognizer) => {
    const worse = provenWorse(results.groups, recognizer);
    return { name: named(name), worse: worse.map(({ group }) => groupLabel(group)) };
  });
  const unfair = lines.filter(({ worse }) => worse.length > 0);
  const fair = lines.filter(({ worse }) => worse.length === 0).map(({ name }) => name);
  return [
    unfair.length === 0
      ? 'What was found. No group is shown to be served worse than everybody.'
      : 'What was found. These groups are shown to be served worse than everybody, the largest gaps first:',
    ...unfair.map(({ name, worse }) => {
      const more = worse.length > mostNamed ? `; and ${worse.length - mostNamed} more` : '';
      return `${name}: ${worse.slice(0, mostNamed).map(named).join('; ')}${more}.`;
    }),
    ...(unfair.length > 0 && fair.length > 0 ? [`No such group is shown for ${listed(fair, 12)}.`] : []),
  ];
}

function howSure({ options, results, design }: DisparityFinding): string {
  const share = Number((100 * (1 - options.level)).toFixed(1));
  const tests = results.groups.filter(({ gap }) => gap.pValue !== null).length;
  return `How sure. Speakers’ attributes were exchanged at random ${options.permutations} times to see what chance alone does to ${counted(tests, 'comparison')} of ${counted(design.counted.length, 'group')}. If recognizers served all alike, the chance of even one false alarm here would be about ${share} %. Each gap has an interval: the values that these data leave plausible.`;
}

function notShown({ design }: DisparityFinding): string {
  const small = design.subgroups.filter(({ counted: isCounted }) => !isCounted).length;
  const silent = small === 0 ? '' : ` It says nothing of ${counted(small, 'group')} with too few speakers.`;
  return `What it does not show. A gap that is shown says that these recordings of the group were recognized worse, not why: sound, manner of speaking and what was read may differ between groups as well. A gap that is not shown may still exist: absence of proof is not proof of absence.${silent} Other recordings, other speakers and later versions of a recognizer may differ.`;
}
