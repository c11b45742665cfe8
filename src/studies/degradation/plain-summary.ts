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
    `When recordings are disturbed, for example by noise, do ${listed(recognizers.map(({ name }) => name))}, which transcribe what people say, get worse for some groups of people than for others?`,
    conditions.length === 1
      ? 'The recordings were not disturbed, so there is no result.'
      : `The same recordings were transcribed as they are${conditions[0]!.name === 'clean' ? '' : ` (${named(conditions[0]!.name)})`} and disturbed in ${counted(conditions.length - 1, 'way')}: ${listed(families.map(({ name }) => name))}.`,
    ...(kinds.has('word error rate')
      ? ['A mistake is a word that is wrong, left out or added, compared with what people wrote down.']
      : []),
    ...(kinds.has('distance')
      ? [
          'Where two recognizers give different words, at least one is wrong. How often they disagree therefore reveals problems even where nobody has written down what was said, but not which of them is wrong.',
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
            text: `Of ${counted(rest, 'more comparison')}, ${restTold} ${restTold === 1 ? 'shows' : 'show'} a difference and ${rest - restTold} ${rest - restTold === 1 ? 'leaves' : 'leave'} it open; all are in the appendix.`,
            verdict: 'cannot tell' as const,
          },
        ]
      : []),
  ];
}

function claimOf(found: GroupComparison, results: Results): PlainClaim {
  const { attribute, group, comparedWith, kind, rests, comparison } = found;
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
  const [mine, theirs] = rests === null ? [lossOf(group), lossOf(comparedWith)] : [rests.own.value, rests.others.value];
  const signed = (value: number) => `${ofHundred(value)} ${value < 0 ? 'fewer' : 'more'}`;
  return plainClaim(comparison, {
    more: `Perturbed audio costs ${one} more than ${other}, ${what}`,
    fewer: `Perturbed audio costs ${one} less than ${other}, ${what}`,
    whether: `perturbed audio costs ${one} more or less than ${other}, ${what}`,
    unit,
    ...(mine === null || theirs === null
      ? {}
      : { numbers: `${signed(mine)} in 100 words than without disturbance, for ${other} ${signed(theirs)}` }),
  });
}

function unitOf(kind: MeasureKind): { readonly unit: string; readonly what: string } {
  return kind === 'distance'
    ? { unit: 'disagreements in 100 words', what: 'counted in words on which recognizers disagree' }
    : { unit: 'mistakes in 100 words', what: 'counted in mistakes' };
}

function howSure({ results, options }: Known): string[] {
  if (results.overall.length === 0) return ['No difference is claimed, so there is no certainty to state.'];
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
    'Who has more mistakes to begin with: this page is about what disturbance adds. Mistakes without disturbance are in the appendix.',
    ...(noRoom.length > 0
      ? [
          `${listed(noRoom)}: so many words are wrong even without disturbance that few more can be lost. A small loss there is not a good sign.`,
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
function leftOutSentences({ results, design, validity }: Known): string[] {
  const byKind = Map.groupBy(
    results.kept.filter(({ kept }) => !kept),
    ({ kind }) => kind,
  );
  const parts = [...byKind].map(([kind, conditions]) => {
    const names = listed(conditions.map(({ condition }) => design.conditions[condition]!.name));
    return `${kind === 'distance' ? 'for disagreements' : 'for mistakes'} ${names}`;
  });
  const isGated = validity !== null && results.kept.some(({ kept, mean }) => !kept && mean === null);
  const gated = isGated ? ` Before that, clips were left out that do not count (${validity.rule}).` : '';
  return parts.length === 0
    ? []
    : [
        `Disturbances that were left out: ${parts.join('; ')}. Where nearly everything is lost, no group can lose more.${gated}`,
      ];
}
