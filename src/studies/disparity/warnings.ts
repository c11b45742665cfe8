import { failureWarnings, namedTrials } from '../shared/failures.ts';
import { type SampledCounts, samplingWarnings } from '../shared/speaker-warnings.ts';
import { counted, listed, named, percent } from '../shared/wording.ts';
import type { DisparityFinding } from './finding.ts';
import { gather } from './gather.ts';
import type { Subgroup } from './subgroups.ts';

/** What a reader must know before believing the numbers. */
export function warningsOf(known: DisparityFinding): string[] {
  const { design, options, tally, model } = known;
  const { survey, subgroups } = design;
  const { scored, skipped, withoutSpeaker, attributes, undivided, clusters } = survey;
  const warnings: string[] = [];
  if (scored === 0) warnings.push('No utterance has a reference, so nothing was scored.');
  if (skipped > 0) {
    warnings.push(
      `${counted(skipped, 'utterance')} without a reference ${skipped === 1 ? 'was' : 'were'} not asked about.`,
    );
  }
  if (tally.withoutWords > 0) {
    warnings.push(
      `${counted(tally.withoutWords, 'utterance')} ${tally.withoutWords === 1 ? 'has' : 'have'} no words in the reference: what is recognized there counts as added words.`,
    );
  }
  if (attributes.length === 0) {
    warnings.push('No attribute divides the speakers: name attributes, or see what there is with the study corpus.');
  }
  if (undivided.length > 0) {
    warnings.push(`One value alone, so that nobody is divided: ${listed(undivided)}.`);
  }
  for (const { name, missing } of attributes) {
    if (missing.utterances === 0) continue;
    warnings.push(
      `${named(name)} is not known for ${counted(missing.utterances, 'utterance')} (${percent(missing.utterances, scored)}; ${counted(missing.speakers, 'speaker')}): they count in the average of everybody, but in no group of this attribute.`,
    );
  }
  const small = subgroups.filter(({ counted: isCounted }) => !isCounted);
  if (small.length > 0) {
    warnings.push(
      `${counted(small.length, 'group')} of ${subgroups.length} ${small.length === 1 ? 'is' : 'are'} shown with counts alone (fewer than ${options.minimumSpeakers} speakers, or other values): nothing is claimed of them, and they are in no disparity. They may well be served worse.`,
    );
  }
  if (withoutSpeaker > 0) {
    const which =
      withoutSpeaker === scored ? 'The speakers are' : `The speakers of ${counted(withoutSpeaker, 'utterance')} are`;
    warnings.push(
      `${which} unknown: such utterances are taken to be independent of each other and counted as speakers, and what is claimed is too sure where one person spoke several.`,
    );
  }
  if (clusters.merged) {
    warnings.push(
      `There are more than ${clusters.count} speakers: they were merged at random into ${clusters.count}, which are counted as speakers.`,
    );
  }
  if (options.profile === 'fairlens') {
    warnings.push(
      'Recognizers are told apart by the rules of FairLENS: overlap of intervals, and W-tests without correction that take groups for independent. Where the sound tests say something else, the tables show it.',
    );
  }
  if (options.model && model === null && attributes.length > 0) {
    warnings.push('No model was fitted: no attribute has two values of enough speakers.');
  }
  return [
    ...warnings,
    ...failureWarnings(
      namedTrials({ design, tally }),
      'they are left out of its rates. Whether they hit some groups more stands under failures',
    ),
    ...oddities(known),
  ];
}

function oddities({ design, options, tally }: DisparityFinding): string[] {
  const { survey, subgroups, recognizers } = design;
  const ofGroup = (group: Subgroup): SampledCounts => {
    const numerators = new Float64Array(survey.clusters.count);
    const denominators = new Float64Array(survey.clusters.count);
    recognizers.forEach((_, recognizer) => {
      const { counts } = gather(survey, group, tally.main(recognizer));
      counts.numerators.forEach((errors, place) => {
        numerators[place]! += errors;
        denominators[place]! += counts.denominators[place]!;
      });
    });
    return { name: group.name, counts: { numerators, denominators } };
  };
  const single = subgroups.filter(({ attributes, counted: isCounted }) => isCounted && attributes.length === 1);
  return samplingWarnings(
    recognizers.map(({ name }, number) => ({ name, counts: gather(survey, null, tally.main(number)).counts })),
    [...Map.groupBy(single, ({ attributes }) => attributes[0]!)].map(([name, groups]) => ({
      name,
      groups: groups.map(ofGroup),
    })),
    options.minimumSpeakers,
  );
}
