import { missingAttributeWarnings } from '../shared/attributes.ts';
import { failureWarnings, namedTrials } from '../shared/failures.ts';
import { counted, listed } from '../shared/wording.ts';
import { causeFacts } from './causes.ts';
import { type GapFinding, pairWords } from './finding.ts';
import { askedIn } from './tally.ts';

/** Comparisons that are named one by one. */
const maxNamed = 4;

/** What a reader must know before believing the numbers. */
export function warningsOf(known: GapFinding): string[] {
  const { design, options, results } = known;
  const { survey } = design;
  const { utterances, withoutReference, withoutWords, withoutSpeaker, clusters } = survey;
  const warnings: string[] = [];
  if (utterances.length === 0) warnings.push('No utterance has a reference, so nothing was scored.');
  if (withoutReference > 0) {
    warnings.push(`${counted(withoutReference, 'utterance')} without a reference not asked about.`);
  }
  if (withoutWords > 0) {
    warnings.push(`${counted(withoutWords, 'utterance')} with no words in the reference left out.`);
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
  const missing = survey.groupBy.map((attribute) => {
    const place = survey.attributes.indexOf(attribute);
    return { attribute, utterances: utterances.filter(({ values }) => values[place] === null).length };
  });
  warnings.push(...missingAttributeWarnings(missing, utterances.length));
  const small = results.filter(({ recognizer, pair }) => {
    const fewest = Math.min(pair.speakers.group, pair.speakers.others);
    return recognizer === 0 && fewest < options.minimumSpeakers;
  });
  if (small.length > 0) {
    const which = listed(
      small.map(({ pair }) => pairWords(pair)),
      maxNamed,
    );
    warnings.push(
      `${counted(small.length, 'comparison')} of fewer than ${options.minimumSpeakers} speakers on one side (${which}): nothing is claimed of them.`,
    );
  }
  for (const { inRemainder, pair } of results.filter(({ recognizer }) => recognizer === 0).slice(0, maxNamed)) {
    if (inRemainder.length === 0) continue;
    warnings.push(
      `${pairWords(pair)}: ${listed(inRemainder)} ${inRemainder.length === 1 ? 'goes' : 'go'} with the group itself, so that it cannot be told whether the group or ${inRemainder.length === 1 ? 'that' : 'those'} makes the difference.`,
    );
  }
  const leftOut = Math.max(0, ...results.map((result) => result.leftOut));
  if (leftOut > 0) {
    warnings.push(
      `Up to ${counted(leftOut, 'utterance')} of a comparison left out, because some cause has no value there. Gaps here are those of the others.`,
    );
  }
  const failures = failureWarnings(
    namedTrials({ tally: known.tally, design: { ...design, conditions: askedIn } }),
    `they are left out${known.failures.length > 0 ? '; failures by group stand below' : ''}`,
  );
  return [...warnings, ...unmeasured(known), ...worldWarnings(known), ...failures];
}

function unmeasured({ design, options }: GapFinding): string[] {
  if (options.causes !== null) return [];
  const needed = { noise: 'noise-level', bandwidth: 'bandwidth', pitch: 'pitch' } as const;
  const absent = (Object.keys(needed) as (keyof typeof needed)[]).filter(
    (cause) => !design.measures.includes(needed[cause]),
  );
  if (absent.length === 0) return [];
  const add = absent.map((cause) => needed[cause]).join(', ');
  return [
    `Not measured: ${listed(absent.map((cause) => `${cause} (${causeFacts[cause].about.toLowerCase()})`))}. What goes with it is in what remains; add quality: [${add}] to the config.`,
  ];
}

function worldWarnings({ design, options }: GapFinding): string[] {
  const asked = new Set(options.equalize);
  for (const { equalization } of design.worlds) if (equalization !== null) asked.delete(equalization);
  const names = design.recognizers.filter(({ input }) => input === 'names').map(({ name }) => name);
  const warnings: string[] = [];
  if (names.length > 0 && design.recognizers.length > names.length) {
    warnings.push(`Sound was not made alike for ${listed(names)}: only transcripts are known.`);
  } else if (names.length > 0) {
    warnings.push('Sound could not be made alike, because only transcripts are known: the parts stand unconfirmed.');
  } else if (asked.has('noise')) {
    warnings.push('Noise was not made alike: it is not measured; add quality: [noise-level] to the config.');
  }
  return warnings;
}
