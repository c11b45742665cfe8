import { missingAttributeWarnings } from '../shared/attributes.ts';
import { failureWarnings, namedTrials } from '../shared/failures.ts';
import { samplingWarnings } from '../shared/speaker-warnings.ts';
import { counted, listed, named, percent } from '../shared/wording.ts';
import type { FewReferencesFinding } from './finding.ts';
import { gather } from './sums.ts';

/** Groups whose transcribed shares differ by more than this factor were hardly drawn alike. */
const unequalShares = 2;

/** What a reader must know before believing the numbers. */
export function warningsOf(known: FewReferencesFinding): string[] {
  const { design, options, tally } = known;
  const { survey, recognizers, judges } = design;
  const { utterances, transcribed, withoutSpeaker, clusters } = survey;
  const warnings: string[] = [];
  if (transcribed > 0 && transcribed === utterances) {
    warnings.push(
      'All recordings have references: verdicts without them can add nothing; the study disparity says more.',
    );
  }
  if (options.share < 1) {
    warnings.push(
      `Some references are hidden (share: ${options.share}), to try how few do. Leave the option out for the best estimates.`,
    );
  }
  if (withoutSpeaker > 0) {
    warnings.push(
      `The speakers of ${counted(withoutSpeaker, 'utterance')} are unknown: such utterances are taken to be independent of each other, and intervals are too narrow where one person spoke several.`,
    );
  }
  if (clusters.merged) {
    warnings.push(
      `There are more than ${clusters.count} speakers: they were merged at random into ${clusters.count}, which are counted as speakers.`,
    );
  }
  const alone = recognizers.filter((_, number) => options.verdict !== 'confidence' && judges[number]!.length === 0);
  if (alone.length > 0) {
    warnings.push(
      `No other recognizer judges ${listed(alone.map(({ name }) => name))}: add one, or use verdict: confidence where the recognizer gives confidences.`,
    );
  }
  for (const [number, { name }] of recognizers.entries()) {
    const without = tally.withoutVerdict[number]!;
    if (without > 0 && !alone.includes(recognizers[number]!)) {
      warnings.push(
        `${counted(without, 'transcript')} of ${named(name)} without a verdict left out: ${options.verdict === 'confidence' ? 'there are no confidences' : 'no judge answered'}. If they are harder than others, rates look too good.`,
      );
    }
  }
  const missing = survey.groupBy.map((attribute) => {
    const place = survey.attributes.indexOf(attribute);
    const without = survey.profiles.map((values, profile) =>
      values[place] === null ? survey.recordings[profile]! : 0,
    );
    return { attribute, utterances: without.reduce((sum, count) => sum + count, 0) };
  });
  return [
    ...warnings,
    ...missingAttributeWarnings(missing, utterances),
    ...failureWarnings(
      namedTrials(known),
      `they are left out of its rates${known.failures.length > 0 ? '; failures by group stand below' : ''}`,
    ),
    ...unequal(known),
    ...oddities(known),
  ];
}

/** What the transcribed recordings show of worlds in which intervals hold the truth less often than they say. */
function oddities({ design, options, tally }: FewReferencesFinding): string[] {
  const { recognizers, survey } = design;
  const { minimumSpeakers } = options;
  const sampled = recognizers.map(({ name }, number) => {
    const { errors, words } = gather(tally.sums[number]!, survey, null, options).counts;
    return { name, counts: { numerators: errors, denominators: words } };
  });
  const rarely = sampled.flatMap(({ name, counts }) => {
    const heard = counts.denominators.filter((words) => words > 0).length;
    const right = counts.denominators.filter((words, place) => words > 0 && counts.numerators[place] === 0).length;
    return heard >= minimumSpeakers && right > heard / 2 ? [`${named(name)} (${right} of ${heard})`] : [];
  });
  return [
    ...samplingWarnings(sampled, [], minimumSpeakers),
    ...(rarely.length === 0
      ? []
      : [
          `Most transcribed speakers have no error: ${listed(rarely)}. Intervals of gaps then hold the truth in 89 to 93 of 100 samples, not in 95 (docs/few-references.md).`,
        ]),
  ];
}

/** Groups of which far more was transcribed than of others, and which no stratum accounts for. */
function unequal({ design, options }: FewReferencesFinding): string[] {
  const { survey } = design;
  return survey.groupBy.flatMap((attribute, place) => {
    if (options.strata.includes(attribute)) return [];
    const shares = design.groups
      .filter((group) => group.place === place)
      .map(({ value }) => {
        const own = [...survey.profiles.keys()].filter((profile) => survey.profiles[profile]![place] === value);
        const sum = (of: readonly number[]) => own.reduce((total, profile) => total + of[profile]!, 0);
        return { value, recordings: sum(survey.recordings), references: sum(survey.references) };
      })
      // Of few recordings an unequal share is chance.
      .filter(({ recordings }) => recordings >= 50)
      .map((one) => ({ ...one, share: one.references / one.recordings }))
      .sort((a, b) => a.share - b.share);
    const [least, most] = [shares[0], shares.at(-1)];
    if (least === undefined || most === undefined || !(most.share > unequalShares * least.share)) return [];
    return [
      `Transcribed were ${percent(most.references, most.recordings)} of ${named(attribute)} ${named(most.value)}, but ${percent(least.references, least.recordings)} of ${named(least.value)}: rates of everybody are wrong if that was on purpose. Then name it, as in strata: [${named(attribute)}].`,
    ];
  });
}
