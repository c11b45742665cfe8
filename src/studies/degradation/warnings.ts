import { missingAttributeWarnings } from '../shared/attributes.ts';
import { failureWarnings, namedTrials } from '../shared/failures.ts';
import { slicedSamplingWarnings, speakerWarnings } from '../shared/speaker-warnings.ts';
import { counted, listed, named, percent } from '../shared/wording.ts';
import type { Known } from './known.ts';
import { groupInWords, kindInWords } from './wording.ts';

/** What a reader must know before believing the numbers. */
export function warningsOf(known: Known): string[] {
  const { results, tally, design, options, normalizer } = known;
  const { measures, recognizers, conditions } = design;
  const warnings: string[] = [];
  if (!measures.some(({ kind }) => kind === 'distance')) {
    warnings.push(
      `Without references two recognizers are compared, but there ${recognizers.length === 1 ? 'is one' : 'are none'}: only word error rates are looked at.`,
    );
  }
  if (options.wordErrors && tally.withReference < tally.utterances) {
    const without = tally.utterances - tally.withReference;
    warnings.push(
      tally.withReference === 0
        ? 'No utterance has a reference: only distances between recognizers are looked at. Recognizers that make the same mistakes are near to each other.'
        : `${counted(without, 'utterance')} without a reference ${without === 1 ? 'counts' : 'count'} for distances alone.`,
    );
  }
  if (options.profile === 'aequevox' && normalizer !== 'aequevox') {
    warnings.push(
      'The counts are those of AequeVox, but not the words: set normalizer: aequevox to split them as it does.',
    );
  }
  const groups = tally.slices.groups();
  if (groups.length === 0) {
    warnings.push(
      'No attribute divides the speakers into groups: name attributes in groupBy, or give utterances some.',
    );
  }
  for (const attribute of options.groupBy ?? []) {
    if (groups.some(({ group }) => group?.attribute === attribute) || tally.slices.manyValued.has(attribute)) continue;
    warnings.push(`${named(attribute)} makes no groups: fewer than two values of it are known.`);
  }
  for (const [attribute, value] of Object.entries(options.reference)) {
    if (!groups.some(({ group }) => group?.attribute === attribute && group.value === value))
      warnings.push(`The reference group ${groupInWords(attribute, value)} is not there.`);
  }
  warnings.push(...missingAttributeWarnings(tally.slices.missing(), tally.utterances), ...groupWarnings(known));
  for (const kind of new Set(measures.map((measure) => measure.kind))) {
    const gone = results.kept.filter((one) => one.kind === kind && !one.kept && one.mean !== null);
    if (gone.length === 0) continue;
    const names = listed(gone.map(({ condition }) => conditions[condition]!.name));
    const why = options.profile === 'aequevox' ? 'as AequeVox did' : `above the ceiling of ${options.ceiling}`;
    warnings.push(
      `Left out for the ${kindInWords(kind)}: ${names} (${why}), because where everything is lost no group can lose more than another.`,
    );
  }
  warnings.push(
    ...failureWarnings(namedTrials(known), 'they are left out of rates, so see whether one group has more of them'),
  );
  warnings.push(
    ...speakerWarnings(tally.slices, {
      utterances: tally.utterances,
      withoutSpeaker: tally.withoutSpeaker,
      minimumSpeakers: options.minimumSpeakers,
    }),
    ...slicedSamplingWarnings(
      tally.slices,
      measures.flatMap(({ kind, name }, number) =>
        kind === 'distance' ? [] : [{ name, series: tally.series.baseline(number) }],
      ),
      options.minimumSpeakers,
    ),
  );
  return warnings;
}

function groupWarnings({ results, tally, design, options }: Known): string[] {
  const warnings = results.noRoom.map(
    ({ attribute, group, measure, rate }) =>
      `${groupInWords(attribute, group)} has a ${kindInWords(design.measures[measure]!.kind)} of ${percent(rate, 1)} for ${named(design.measures[measure]!.name)} before anything is done to the sound: it has no room to lose more, so that a small degradation says nothing good.`,
  );
  for (const { attribute, group, kind } of results.silent) {
    const why = kind === 'distance' ? 'nobody wrote a word, or all failed' : 'it has no references, or all failed';
    warnings.push(`${groupInWords(attribute, group)} is not compared by ${kindInWords(kind)}: ${why}.`);
  }
  const few = tally.slices.groups().flatMap((part) => {
    const speakers = new Set(part.rows.map((row) => part.clusterOf(row))).size;
    const { attribute, value } = part.group!;
    return speakers < options.minimumSpeakers ? [`${groupInWords(attribute, value)} (${speakers})`] : [];
  });
  if (few.length > 0) {
    warnings.push(
      `Fewer than ${options.minimumSpeakers} speakers or unknown ones, so no interval and no claim: ${listed(few)}.`,
    );
  }
  const shared = [...Map.groupBy(tally.slices.groups(), ({ group }) => group!.attribute)].filter(([, parts]) => {
    const seen = new Set<number>();
    return parts.some((part) =>
      [...new Set(part.rows.map((row) => part.clusterOf(row)))].some((cluster) => {
        const before = seen.has(cluster);
        seen.add(cluster);
        return before;
      }),
    );
  });
  for (const [attribute] of shared) {
    warnings.push(`Some speakers have several values of ${named(attribute)}: its groups are compared within them.`);
  }
  return warnings;
}
