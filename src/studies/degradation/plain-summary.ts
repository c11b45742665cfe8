import type { PlainClaim, PlainSummary } from '../../model/finding.ts';
import { namedTrials } from '../shared/failures.ts';
import {
  chanceSentence,
  chosenByOthers,
  failureSentences,
  machineSentences,
  notNamedIsNotEqual,
  ofHundred,
  onlyTheseRecordings,
  otherCauses,
  peopleSentence,
  plainClaim,
  rangeSentence,
  type SoundOrigins,
  smallGroupSentence,
  unnamedSentence,
} from '../shared/plain-sentences.ts';
import { counted, listed, named } from '../shared/wording.ts';
import type { MeasureKind } from './design.ts';
import type { GroupComparison } from './group-findings.ts';
import { groupInWords, mostTelling } from './report.ts';
import type { Known, Results } from './results.ts';

const maxClaims = 4;
const maxAttributes = 4;

/** The finding for a reader who knows neither recognizers nor statistics. */
export function plainSummaryOf(known: Known, origins: SoundOrigins): PlainSummary {
  return {
    asked: asked(known),
    ofWhom: ofWhom(known),
    found: found(known),
    howSure: howSure(known),
    doesNotShow: doesNotShow(known, origins),
  };
}

function asked({ design }: Known): string[] {
  const { recognizers, conditions, families, measures } = design;
  const kinds = new Set(measures.map(({ kind }) => kind));
  return [
    `When sound is disturbed, do ${listed(recognizers.map(({ name }) => name))}, which write down what people say, get worse for some groups of people than for others?`,
    conditions.length === 1
      ? 'Nothing was done to the sound, so nothing can be said of disturbance.'
      : `The same recordings were heard as they are${conditions[0]!.name === 'clean' ? '' : ` (${named(conditions[0]!.name)})`} and disturbed in ${counted(conditions.length - 1, 'way')}: ${listed(families.map(({ name }) => name))}.`,
    ...(kinds.has('word error rate')
      ? ['A mistake is a word misheard, left out or added, against what somebody wrote down.']
      : []),
    ...(kinds.has('distance')
      ? [
          'Where two recognizers write different words, at least one is wrong: how often they disagree shows trouble without anybody having written down what was said. Which of them is wrong it does not show.',
        ]
      : []),
  ];
}

function ofWhom({ tally }: Known): string[] {
  const unknown = tally.withoutSpeaker === tally.utterances;
  const people = tally.slices.clusters.count;
  const groups = Map.groupBy(tally.slices.groups(), ({ group }) => group!.attribute);
  const by = [...groups].slice(0, maxAttributes).map(([attribute, parts]) => {
    const values = parts.map(
      (part) => `${named(part.group!.value)} ${new Set(part.rows.map((row) => part.clusterOf(row))).size}`,
    );
    return `${named(attribute)}: ${listed(values, 6)}`;
  });
  return [
    peopleSentence(people, tally.utterances, tally.withoutSpeaker),
    ...(by.length > 0 ? [`${unknown ? 'Recordings' : 'People'} by ${by.join('; ')}.`] : []),
    chosenByOthers,
  ];
}

function found({ results }: Known): PlainClaim[] {
  if (results.overall.length === 0) {
    return [
      {
        text: 'We cannot tell anything: there are no two groups that can be compared in any disturbance.',
        verdict: 'cannot tell',
      },
    ];
  }
  const { told, open } = mostTelling(results.overall);
  const shown = [...told, ...open].slice(0, maxClaims);
  const rest = results.overall.length - shown.length;
  const restTold = Math.max(0, told.length - maxClaims);
  return [
    ...shown.map((one) => claimOf(one, results)),
    ...(rest > 0
      ? [
          {
            text: `Of ${counted(rest, 'more comparison')}, ${restTold} ${restTold === 1 ? 'shows' : 'show'} a difference and ${rest - restTold} ${rest - restTold === 1 ? 'leaves' : 'leave'} it open; all stand in the appendix.`,
            verdict: 'cannot tell' as const,
          },
        ]
      : []),
  ];
}

function claimOf({ attribute, group, comparedWith, kind, comparison }: GroupComparison, results: Results): PlainClaim {
  const [one, other] = [groupInWords(attribute, group), groupInWords(attribute, comparedWith)];
  const { unit, what } = unitOf(kind!);
  const lossOf = (value: string) =>
    results.degradations.find(
      (row) =>
        row.attribute === attribute &&
        row.group === value &&
        row.kind === kind &&
        row.measure === null &&
        row.family === null,
    )?.degradation.value ?? null;
  const [mine, theirs] = [lossOf(group), lossOf(comparedWith)];
  const signed = (value: number) => `${ofHundred(value)} ${value < 0 ? 'fewer' : 'more'}`;
  return plainClaim(comparison, {
    more: `Perturbed audio costs ${one} more than ${other}, ${what}`,
    fewer: `Perturbed audio costs ${one} less than ${other}, ${what}`,
    whether: `perturbed audio costs ${one} more or less than ${other}, ${what}`,
    unit,
    ...(mine === null || theirs === null
      ? {}
      : { numbers: `${signed(mine)} in 100 words than undisturbed, for ${other} ${signed(theirs)}` }),
  });
}

function unitOf(kind: MeasureKind): { readonly unit: string; readonly what: string } {
  return kind === 'distance'
    ? { unit: 'disagreements in 100 words', what: 'counted in words on which recognizers disagree' }
    : { unit: 'mistakes in 100 words', what: 'counted in mistakes' };
}

function howSure({ results, options }: Known): string[] {
  if (results.overall.length === 0) return ['Nothing is claimed, so there is nothing to be sure of.'];
  const kinds = [...Map.groupBy(results.overall, ({ kind }) => kind!)];
  return [
    rangeSentence(options.level),
    chanceSentence(
      kinds.map(([kind, made]) => ({
        comparisons: made.filter(({ comparison }) => comparison.pValue !== null).length,
        of: kind === 'distance' ? 'of disagreements' : 'of mistakes',
      })),
      options.level,
    ),
  ];
}

function doesNotShow(known: Known, origins: SoundOrigins): string[] {
  const { results, tally, options } = known;
  const groups = tally.slices.groups();
  const small = groups.filter(
    (part) => new Set(part.rows.map((row) => part.clusterOf(row))).size < options.minimumSpeakers,
  );
  const unequal = results.before.some(
    ({ quantity, comparison }) => quantity === 'failures' && comparison.verdict !== 'cannot tell',
  );
  const noRoom = [...new Set(results.noRoom.map(({ attribute, group }) => groupInWords(attribute, group)))];
  return [
    ...smallGroupSentence(
      small.map((part) => groupInWords(part.group!.attribute, part.group!.value)),
      groups.length,
      options.minimumSpeakers,
    ),
    notNamedIsNotEqual,
    'Who is served worse to begin with: this is about what disturbance adds. Undisturbed mistakes stand in the appendix.',
    ...(noRoom.length > 0
      ? [
          `${listed(noRoom)}: so much is lost undisturbed that little more can be lost. A small loss there is nothing good.`,
        ]
      : []),
    ...leftOutSentences(known),
    ...failureSentences(namedTrials(known), unequal),
    ...machineSentences(origins),
    ...unnamedSentence(tally.withoutSpeaker),
    otherCauses,
    onlyTheseRecordings,
  ];
}

/** Disturbances that do not count, which may be others for mistakes than for disagreements. */
function leftOutSentences({ results, design }: Known): string[] {
  const byKind = Map.groupBy(
    results.kept.filter(({ kept }) => !kept),
    ({ kind }) => kind,
  );
  const parts = [...byKind].map(([kind, conditions]) => {
    const names = listed(conditions.map(({ condition }) => design.conditions[condition]!.name));
    return `${kind === 'distance' ? 'for disagreements' : 'for mistakes'} ${names}`;
  });
  return parts.length === 0
    ? []
    : [
        `Disturbances that were left out: ${parts.join('; ')}. Where nearly everything is lost, no group can lose more.`,
      ];
}
