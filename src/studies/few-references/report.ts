import { formatFixed, grouped } from '../../base/number-format.ts';
import { counted } from '../../base/wording.ts';
import type { Chart, Section, Statement } from '../../model/finding.ts';
import type { Scores } from '../../model/scores.ts';
import { clean } from '../../model/trial.ts';
import type { Normalizer } from '../../scoring/normalizers/normalizer.ts';
import { missingAttributeWarnings } from '../shared/attributes.ts';
import { claimFrom, nearestToVerdict } from '../shared/claims.ts';
import { type FailureGap, failureStatements } from '../shared/failure-gaps.ts';
import { failureWarnings, namedTrials } from '../shared/failures.ts';
import { pairWords } from '../shared/group-pairs.ts';
import { samplingWarnings } from '../shared/speaker-warnings.ts';
import { column, groupColumn, recognizerIn, tableOf } from '../shared/tables.ts';
import { listed, named, rateInWords } from '../shared/wording.ts';
import type { FewReferencesOptions, SampleDesign } from './design.ts';
import type { NextRecordings } from './next-recordings.ts';
import { labelOf, unequal } from './recordings.ts';
import type { GapResult, RateResult, Results } from './results.ts';
import { gather, type Verdicts } from './tally.ts';

/** All that the parts of the finding are made of. */
export interface FewReferencesFinding {
  readonly design: SampleDesign;
  readonly options: FewReferencesOptions;
  readonly tally: Verdicts;
  readonly normalizer: Normalizer;
  readonly results: Results;
  readonly failures: readonly FailureGap[];
  readonly next: NextRecordings;
}

/** Recognizers and gaps with a statement of their own. */
const maxStatements = 6;

/** Error rates of all recordings, gaps that are beyond chance, and what to transcribe next. */
export function answerOf(known: FewReferencesFinding): Statement[] {
  const { design, results, next } = known;
  const { survey, recognizers } = design;
  if (recognizers.length === 0) return [{ text: 'There is no recognizer to ask.' }];
  const sampled: Statement = {
    text:
      survey.transcribed === 0
        ? `None of ${counted(survey.utterances, 'recording')} has a reference: without one, the verdicts cannot be calibrated, and there is no error rate.`
        : `${grouped(survey.transcribed)} of ${counted(survey.utterances, 'recording')} ${survey.transcribed === 1 ? 'has' : 'have'} a reference. The results hold for all recordings if these are a random sample${known.options.strata.length > 0 ? ' within each stratum' : ''}.`,
  };
  const wholes = byRate(results.rates);
  const [best, ...others] = wholes.slice(0, maxStatements).map((rate) => rateStatement(known, rate));
  return [
    ...(best === undefined ? [] : [best]),
    sampled,
    ...others,
    ...(wholes.length > maxStatements
      ? [{ text: `The rates of ${grouped(wholes.length - maxStatements)} more are below.` }]
      : []),
    ...gapStatements(known),
    ...failureStatements(known.failures).slice(0, maxStatements),
    ...(next.cells.every((cell) => cell.next === 0)
      ? []
      : [{ text: 'Recordings to transcribe next are listed below, where references would help most.' }]),
  ];
}

/** Recognizers: over all recordings, and over those with a reference alone. */
export function scoresOf(answer: readonly Statement[]): Scores {
  const where = { group: 'everybody' };
  const rates = (column: string) => ({ table: 'few-references-rates', column, where });
  return {
    measure: 'WER',
    found: answer.slice(0, 2).map(({ text }) => text),
    columns: [
      { words: 'over all recordings', head: ['all', 'recordings'], rates: rates('powered') },
      { words: 'with a reference', head: ['transcribed', 'alone'], rates: rates('sample'), best: null },
    ],
    ranks: 0,
  };
}

/** Rates of everybody, the lowest first. */
function byRate(rates: readonly RateResult[]): RateResult[] {
  return rates
    .filter(({ group, powered }) => group === null && powered.value !== null)
    .sort((a, b) => a.powered.value! - b.powered.value!);
}

/** So many times as many transcripts would do as much as the verdicts do. */
function worthOf({ varianceRatio }: Pick<RateResult, 'varianceRatio'>): number | null {
  return varianceRatio === null || varianceRatio === 0 ? null : 1 / varianceRatio;
}

function rateStatement(
  { design }: FewReferencesFinding,
  { recognizer, powered, varianceRatio, recordings }: RateResult,
): Statement {
  const worth = worthOf({ varianceRatio });
  const name = named(design.recognizers[recognizer]!.name);
  const gain =
    worth === null || worth < 1.05 || powered.low === null
      ? 'verdicts without a reference add almost nothing to the sample'
      : `verdicts without a reference are worth about ${formatFixed(worth, 1)} times as many transcripts, as far as variances are known`;
  const about = { recognizer: design.recognizers[recognizer]!.name, conditions: [clean.name] };
  const over = `over ${recordings === design.survey.utterances ? 'all ' : ''}${counted(recordings, 'recording')}`;
  return { text: `${name}: ${rateInWords(powered, 'WER', over)}; ${gain}.`, estimate: powered, about };
}

/** What gaps are of: those of studies that score what has a reference are others. */
const overAll = 'over all recordings, with a reference or without';

function gapStatements({ design, results }: FewReferencesFinding): Statement[] {
  if (results.gaps.length === 0) return [];
  if (results.gaps.every(({ powered }) => powered.difference.value === null)) {
    return [{ text: 'No gap between groups can be estimated; the table says why.', verdict: 'cannot tell' }];
  }
  const proven = results.gaps
    .filter(({ powered }) => powered.verdict !== 'cannot tell')
    .sort((a, b) => Math.abs(b.powered.difference.value!) - Math.abs(a.powered.difference.value!));
  const tested = results.gaps.filter(({ powered }) => powered.pValue !== null).length;
  const untested =
    tested === results.gaps.length
      ? ''
      : ` (${grouped(results.gaps.length - tested)} more cannot be tested, and may be of any size)`;
  if (proven.length === 0) {
    const none =
      tested === 0
        ? `${results.gaps.length === 1 ? 'The gap between groups cannot' : `None of ${counted(results.gaps.length, 'gap')} between groups can`} be tested.`
        : `Of ${counted(tested, 'gap')} between groups ${overAll}${untested}, these data show none that is beyond chance. That is no proof of equal service.`;
    const nearest = nearestToVerdict(
      results.gaps.map((gap) => ({ ...gap, comparison: gap.powered })),
      'gap',
      ({ recognizer, pair }) => `${named(design.recognizers[recognizer]!.name)}, ${pairWords(pair)}`,
    );
    const about = nearest === null ? {} : { about: aboutGap(design, nearest.row) };
    return [{ text: `${none}${nearest?.text ?? ''}`, verdict: 'cannot tell', ...about }];
  }
  const first: Statement = {
    text: `Of ${counted(tested, 'gap')} between groups ${overAll}${untested}, ${grouped(proven.length)} ${proven.length === 1 ? 'is' : 'are'} beyond chance${proven.length > maxStatements ? `; the ${maxStatements} largest follow` : ''}. The others are left open.`,
  };
  const largest = proven.slice(0, maxStatements).map(({ recognizer, pair, powered, sample }) => {
    const about = aboutGap(design, { recognizer, pair, powered });
    const who = `${named(about.recognizer)} makes ${powered.difference.value! > 0 ? 'more' : 'fewer'} errors for ${named(pair.attribute)} ${named(pair.value)} than for ${named(pair.comparedWith)}, ${overAll}`;
    const alone = sample.verdict === 'cannot tell' ? '; the transcribed recordings alone do not show this' : '';
    return claimFrom(
      { comparison: powered, kind: 'difference', about },
      'errors in 100 words',
      (apart) => `${who}: ${apart}${alone}`,
    );
  });
  return [first, ...largest];
}

/** The group of the two that has more errors. */
function aboutGap(
  { recognizers }: SampleDesign,
  { recognizer, pair, powered }: Pick<GapResult, 'recognizer' | 'pair' | 'powered'>,
) {
  return {
    recognizer: recognizers[recognizer]!.name,
    conditions: [clean.name],
    group: { [pair.attribute]: (powered.difference.value ?? 0) > 0 ? pair.value : pair.comparedWith },
  };
}

/** What a reader must know before believing the numbers. */
export function warningsOf(known: FewReferencesFinding): string[] {
  const { design, options, tally } = known;
  const { survey, recognizers, judges } = design;
  const { utterances, transcribed, withoutSpeaker, clusters } = survey;
  const warnings: string[] = [];
  if (transcribed > 0 && transcribed === utterances) {
    warnings.push('All recordings have references, so verdicts without them add nothing; use the study disparity.');
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
      `There are more than ${grouped(clusters.count)} speakers: they were merged at random into ${grouped(clusters.count)}, which are counted as speakers.`,
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
      `they are left out of its rates${known.failures.length > 0 ? '; failures by group are below' : ''}`,
    ),
    ...unequal(known),
    ...oddities(known),
  ];
}

/** What the transcribed recordings show of variants in which intervals hold the truth less often than they say. */
function oddities({ design: { recognizers, survey }, options, tally, normalizer }: FewReferencesFinding): string[] {
  const { minimumSpeakers } = options;
  const sampled = recognizers.map(({ name }, number) => {
    const { errors, words } = gather(tally.sums[number]!, survey, null, options).counts;
    return { name, counts: { numerators: errors, denominators: words } };
  });
  const understood = recognizers.map(({ name }, number) => ({ name, counts: tally.withoutLoops[number]! }));
  const rarely = sampled.flatMap(({ name, counts }) => {
    const heard = counts.denominators.filter((words) => words > 0).length;
    const right = counts.denominators.filter((words, place) => words > 0 && counts.numerators[place] === 0).length;
    return heard >= minimumSpeakers && right > heard / 2
      ? [`${named(name)} (${grouped(right)} of ${grouped(heard)})`]
      : [];
  });
  return [
    ...samplingWarnings(understood, [], minimumSpeakers, normalizer),
    ...(rarely.length === 0
      ? []
      : [
          `Most transcribed speakers have no error: ${listed(rarely)}. Intervals of gaps then contain the true value in 89 to 93 of 100 samples, not in 95 (docs/few-references.md).`,
        ]),
  ];
}

/** Charts beyond this nobody looks at; the table has all. */
const maxCharts = 12;

/** Error rates of everybody and of groups, from the sample alone and over all recordings. */
export function ratesSection({ design, results: { rates }, options }: FewReferencesFinding): Section | null {
  const { recognizers } = design;
  if (recognizers.length === 0) return null;
  const leading = byRate(rates).map(({ recognizer }) => recognizer);
  const drawn = [...new Set([...leading, ...recognizers.keys()])].slice(0, maxCharts);
  const charts = drawn.flatMap((recognizer): Chart[] => {
    const { name } = recognizers[recognizer]!;
    const own = rates.filter((rate) => rate.recognizer === recognizer);
    const series = (['sample', 'powered'] as const).map((kind) => ({
      name: kind === 'sample' ? 'transcribed recordings alone' : 'all recordings',
      points: own.flatMap((rate, x) => (rate[kind].value === null ? [] : [{ x, estimate: rate[kind] }])),
    }));
    if (own.length < 2 || series.every(({ points }) => points.length === 0)) return [];
    const [xTicks, yLabel] = [own.map(labelOf), 'Word error rate'];
    return [
      {
        title: `${name}: word error rate by group`,
        xLabel: 'Group',
        xTicks,
        yLabel,
        yKind: 'rate',
        unordered: true,
        series,
      },
    ];
  });
  return {
    id: 'few-references-rates',
    title: 'Error rates of all recordings',
    charts,
    tables: [
      {
        ...tableOf('few-references-rates', 'Word error rates, from the sample alone and over all recordings', rates, [
          recognizerIn(recognizers),
          { ...groupColumn, of: labelOf },
          { key: 'recordings', label: 'Recordings', kind: 'count', help: 'With a transcript and a verdict.' },
          { key: 'transcribed', label: 'With a reference', kind: 'count' },
          column('speakers', 'Speakers of these', 'count', ({ sample }) => sample.n.speakers),
          { key: 'powered', label: 'All recordings', kind: 'rate' },
          { key: 'sample', label: 'Sample alone', kind: 'rate' },
          options.share < 1 && { key: 'byAll', label: 'By all references', kind: 'rate' },
          {
            key: 'varianceRatio',
            label: 'Variance, of that of the sample',
            kind: 'ratio',
            help: '0.5 is worth twice as many transcripts; 1 is no gain.',
          },
          column('worth', 'Worth so many times as many transcripts', 'ratio', worthOf),
          {
            key: 'weight',
            label: 'Weight of verdicts',
            kind: 'number',
            help: 'Lambda of PPI++; 0: they do not count.',
          },
          {
            ...column('pseudoAll', 'Verdicts, all', 'rate', ({ pseudo }) => pseudo.all),
            help: 'Pseudo errors per pseudo word.',
          },
          column('pseudoSample', 'Verdicts, sample', 'rate', ({ pseudo }) => pseudo.sample),
        ]),
        note: 'Over all recordings: the rate of the sample + weight × (verdicts of all – verdicts of the sample). The weight is fitted on everybody and kept for groups. Intervals: t, speakers as units.',
      },
    ],
  };
}
