import type { PlainClaim, PlainSummary, SampleSize } from '../../model/finding.ts';
import { namedTrials } from '../shared/failures.ts';
import {
  chanceSentence,
  chosenByOthers,
  failureSentences,
  machineSentences,
  many,
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
import { groupWords } from './design.ts';
import { type DisparityFinding, provenWorse } from './report.ts';
import type { GroupResult } from './results.ts';

const maxClaims = 3;
const maxAttributes = 4;

/** The finding for a reader who knows neither recognizers nor statistics. */
export function plainSummaryOf(known: DisparityFinding, origins: SoundOrigins): PlainSummary {
  return {
    asked: asked(known),
    ofWhom: ofWhom(known),
    found: found(known),
    howSure: howSure(known),
    doesNotShow: doesNotShow(known, origins),
  };
}

function asked({ design }: DisparityFinding): string[] {
  const recognizers = design.recognizers.map(({ name }) => name);
  const orders = new Set(design.subgroups.map(({ attributes }) => attributes.length));
  const together = orders.has(3)
    ? ', and by up to three of these together'
    : orders.has(2)
      ? ', and by two of these together'
      : '';
  return [
    `${recognizers.length === 1 ? 'Does' : 'Do'} ${listed(recognizers, 6)}, ${recognizers.length === 1 ? 'a program that transcribes' : 'programs that transcribe'} what people say, make more mistakes for some groups of people than for everybody? A mistake is a word that is wrong, left out or added.`,
    ...(design.survey.attributes.length === 0
      ? []
      : [
          `The groups: by ${listed(design.survey.attributes.map(({ name }) => name))}${together}. They were fixed before this study looked at any answer.`,
        ]),
  ];
}

function ofWhom({ design }: DisparityFinding): string[] {
  const { survey, subgroups } = design;
  const unknown = survey.withoutSpeaker === survey.scored;
  const people = new Set(survey.rows.clusters).size;
  const by = survey.attributes.slice(0, maxAttributes).flatMap(({ name, values }) => {
    const groups = subgroups.filter(({ attributes }) => attributes.length === 1 && attributes[0] === name);
    if (groups.length === 0) return [`${named(name)}: ${listed(values, 6)}`];
    const parts = groups.map(({ values: [value], speakers, utterances }) =>
      unknown ? `${named(value!)} ${utterances}` : `${named(value!)} ${speakers}`,
    );
    return [`${named(name)}: ${listed(parts, 6)}`];
  });
  return [
    peopleSentence(people, survey.scored, survey.withoutSpeaker),
    ...(by.length > 0 ? [`${unknown ? 'Recordings' : 'People'} by ${by.join('; ')}.`] : []),
    chosenByOthers,
  ];
}

function found({ design, results }: DisparityFinding): PlainClaim[] {
  if (design.recognizers.length === 0) return [{ text: 'There was no recognizer to ask.', verdict: 'cannot tell' }];
  if (design.counted.length === 0) {
    return [
      {
        text: 'We cannot tell anything about any group: none has enough people. The counts are in the appendix.',
        verdict: 'cannot tell',
      },
    ];
  }
  const worst = design.recognizers
    .flatMap((_, recognizer) => provenWorse(results.groups, recognizer).slice(0, 1))
    .sort((a, b) => b.gap.difference.value! - a.gap.difference.value!);
  const proven = results.groups.filter(({ gap }) => gap.verdict === 'worse');
  if (worst.length === 0) return [noneShown(known(design, results.groups))];
  const shown = worst.slice(0, maxClaims).map((row) => claimOf(row, design.recognizers[row.recognizer]!.name, results));
  const rest = proven.length - shown.length;
  const better = design.recognizers.filter((_, recognizer) => provenWorse(results.groups, recognizer).length === 0);
  return [
    ...shown,
    ...(rest > 0
      ? [
          {
            text: `${counted(rest, 'smaller difference')} of this kind ${rest === 1 ? 'was' : 'were'} found too; all are in the appendix.`,
            verdict: 'worse' as const,
          },
        ]
      : []),
    ...(better.length > 0
      ? [
          {
            text: `For ${listed(better.map(({ name }) => name))} no group was shown to get more mistakes than everybody; smaller differences than the ranges in the appendix remain possible.`,
            verdict: 'cannot tell' as const,
          },
        ]
      : []),
  ];
}

function claimOf(
  { group, gap, wordErrorRate, recognizer }: GroupResult,
  name: string,
  results: DisparityFinding['results'],
): PlainClaim {
  const who = groupWords(group);
  const everybody = results.recognizers[recognizer]!.wordErrorRate.value;
  const numbers =
    wordErrorRate.value === null || everybody === null
      ? {}
      : {
          numbers: `${ofHundred(wordErrorRate.value)} in 100 words${peopleIn(wordErrorRate.n)}, everybody ${ofHundred(everybody)}`,
        };
  return plainClaim(gap, {
    more: `${named(name)} makes more mistakes for ${who} than for everybody`,
    fewer: `${named(name)} makes fewer mistakes for ${who} than for everybody`,
    whether: `${named(name)} makes more or fewer mistakes for ${who} than for everybody`,
    unit: 'mistakes in 100 words',
    ...numbers,
  });
}

/** How many people a rate is of, where they are known. */
function peopleIn({ speakers }: SampleSize): string {
  return speakers === 0 ? '' : ` of ${many(speakers, 'person', 'people')}`;
}

interface Open {
  readonly row: GroupResult;
  readonly name: string;
  readonly high: number;
}

/** The comparison that leaves most room for more mistakes. */
function known(design: DisparityFinding['design'], groups: readonly GroupResult[]): Open | null {
  const open = groups.flatMap((row): Open[] => {
    const { high } = row.gap.difference;
    return row.group.counted && high !== null ? [{ row, name: design.recognizers[row.recognizer]!.name, high }] : [];
  });
  return open.reduce<Open | null>((most, one) => (most === null || one.high > most.high ? one : most), null);
}

function noneShown(widest: Open | null): PlainClaim {
  const room =
    widest === null || widest.high <= 0
      ? ''
      : ` Up to ${ofHundred(widest.high)} more mistakes in 100 words remain possible (${named(widest.name)}, ${groupWords(widest.row.group)}).`;
  return {
    text: `We cannot tell whether any group gets more mistakes than everybody, or whether all get the same.${room}`,
    verdict: 'cannot tell',
  };
}

function howSure({ design, results, options }: DisparityFinding): string[] {
  if (design.counted.length === 0) return ['No difference is claimed, so there is no certainty to state.'];
  const comparisons = results.groups.filter(({ group, gap }) => group.counted && gap.pValue !== null).length;
  return [
    rangeSentence(options.level),
    chanceSentence([{ comparisons, of: 'of groups with everybody' }], options.level),
  ];
}

function doesNotShow(finding: DisparityFinding, origins: SoundOrigins): string[] {
  const { design, options, results } = finding;
  const { survey, subgroups } = design;
  const small = subgroups.filter(({ counted: isCounted }) => !isCounted).map(groupWords);
  const missing = survey.attributes.filter(({ missing: { utterances } }) => utterances > 0);
  return [
    ...smallGroupSentence(small, subgroups.length, options.minimumSpeakers),
    notNamedIsNotEqual,
    ...failureSentences(
      namedTrials(finding),
      results.failures.some(({ gap }) => gap.verdict === 'worse'),
    ),
    ...machineSentences(origins),
    ...(missing.length > 0
      ? [
          `People with unknown values: ${listed(missing.map(({ name, missing: { utterances } }) => `${name} (${many(utterances, 'recording')})`))}. They count in the total, but in no group of that attribute.`,
        ]
      : []),
    ...unnamedSentence(survey.withoutSpeaker),
    ...(survey.skipped > 0 ? [`${many(survey.skipped, 'recording')} without a reference.`] : []),
    otherCauses,
    onlyTheseRecordings,
  ];
}
