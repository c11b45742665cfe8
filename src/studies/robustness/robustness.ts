import { asJson } from '../../base/json.ts';
import type { Column, Estimate, Finding, Statement, Table } from '../../model/finding.ts';
import { type Normalizer, normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Study, StudyContext } from '../contract.ts';
import { checkUtterances } from '../shared/check-utterances.ts';
import { failureWarnings, namedTrials } from '../shared/failures.ts';
import { chosenNormalizer, defaultNormalizer } from '../shared/options.ts';
import { slicedSamplingWarnings, speakerWarnings } from '../shared/speaker-warnings.ts';
import { recognizerColumn } from '../shared/tables.ts';
import { judgeCases } from '../shared/validity/gate.ts';
import type { CaseValidity } from '../shared/validity/validity.ts';
import { counted, named } from '../shared/wording.ts';
import { answerOf, cleanLeader } from './answer.ts';
import { concludeValid, judgedCases } from './condition-results.ts';
import { knownLadders } from './conditions.ts';
import { dataOf } from './data.ts';
import { type Design, designedBatch, makeDesign } from './design.ts';
import { drawSpreads } from './draws.ts';
import { gapStatement } from './gap-statement.ts';
import { groupRatios, languageGaps } from './group-ratios.ts';
import { concludeLevels } from './levels.ts';
import { measureDifficulties } from './measured-difficulties.ts';
import { type RobustnessOptions, robustnessOptions } from './options.ts';
import type { Overview } from './overview.ts';
import { conclude } from './results.ts';
import { sectionsOf } from './sections/sections.ts';
import { streamColumns } from './stream-speed.ts';
import { surveyUtterances } from './survey.ts';
import { type Tally, tallyAnswers } from './tally.ts';

const study = { name: 'robustness', version: 10 };

/**
 * How many words each recognizer gets wrong, on clean sound and in each condition, by family and category of conditions and
 * over all of them, for everybody and for the group that fares worst, in every language and corpus, and which recognizer
 * is better (M. A. Shah et al., "Speech Robust Bench", arXiv 2403.07937v3). Utterances without a reference are passed over.
 *
 * @example
 * const asking = robustness.run(robustness.options.parse({ conditions: ['aequevox/noise'] }), context);
 * const { value: batch } = await asking.next();
 * const { value: finding } = await asking.next(answersTo(batch));
 */
export const robustness: Study<RobustnessOptions> = {
  ...study,
  about: 'Word error rates on clean and disturbed sound, for everybody and by group, and which recognizer is better',
  options: robustnessOptions,
  check(options, context) {
    const { groupBy, corpusBy } = options;
    const corpora = corpusBy === robustnessOptions.parse({}).corpusBy ? [] : [corpusBy];
    const attributes = { groupBy: groupBy ?? [], corpusBy: corpora };
    return checkUtterances('robustness', { texts: true, attributes }, context);
  },
  async *run(options, context) {
    const normalizer = await chosenNormalizer(
      context,
      options.normalizer ?? (options.profile === 'sound' ? defaultNormalizer : 'srb'),
    );
    const begun = await makeDesign(options, context, await surveyUtterances(options, context));
    const measured = options.difficulties === 'measured' ? yield* measureDifficulties(options, begun, context) : null;
    const validity =
      options.validity === null ? null : yield* judgeCases(options.validity, judgedCases(begun, options), context);
    const design = { ...begun, measured };
    const answers: AsyncIterable<Answer> = yield designedBatch(design, context);
    const tally = await tallyAnswers(answers, design, options, normalizer, validity);
    return findingOf({ tally, design, options, context, normalizer, validity });
  },
};

function findingOf(known: {
  readonly tally: Tally;
  readonly design: Design;
  readonly options: RobustnessOptions;
  readonly context: StudyContext;
  readonly normalizer: Normalizer;
  readonly validity: CaseValidity | null;
}): Finding {
  const { tally, design, options, context, normalizer, validity } = known;
  const { draws, repeats, level, resamples, minimumSpeakers, familyError, groupBy, profile, difficulties, corpusBy } =
    options;
  const { seed } = context;
  const results = conclude(tally, design, options, context);
  const overview: Overview = {
    levels: concludeLevels(tally, design, options, seed),
    comparisons: results.levelComparisons,
    ratios: groupRatios(tally, design, options, seed),
    gaps: languageGaps(tally, design, options, seed),
    draws: drawSpreads(tally, design, level),
    valid: concludeValid(tally, validity, design, options, context),
  };
  const gap = gapStatement(cleanLeader(results, design), tally, design, options, seed);
  return {
    study,
    title: 'Robustness',
    settings: {
      normalizer: normalizerIdentity(normalizer),
      alignment: 'least edits (Levenshtein), each counting 1; characters are code points, blanks included',
      conditions: design.conditions.map(({ name }) => name),
      profile,
      difficulties: design.measured?.about ?? difficulties,
      validity: validity === null ? null : asJson({ rule: validity.rule, identity: validity.identity }),
      corpusBy,
      recorded: asJson(options.recorded),
      draws,
      repeats,
      level,
      resamples,
      minimumSpeakers,
      // Told only where it is not what stands elsewhere too.
      ...(familyError === 'fwer' ? {} : { familyError }),
      groupBy,
    },
    answer: answerOf(results, overview, design, gap),
    sections: sectionsOf(results, overview, tally, design, {
      options,
      ladders: knownLadders(options, context.ladders),
    }),
    warnings: warningsOf(tally, design, options, normalizer.name),
    data: dataOf(results, overview, tally, design, options),
    timing: timingPart(tally, design),
  };
}

/** What a reader must know before believing the numbers. */
function warningsOf(
  tally: Tally,
  design: Design,
  { minimumSpeakers, profile, corpusBy }: RobustnessOptions,
  normalizer: string,
): string[] {
  const warnings: string[] = [];
  const { slices, utterances, withoutSpeaker, withoutWords } = tally;
  const { skipped, merged } = design.survey;
  if (skipped > 0) {
    warnings.push(
      `${counted(skipped, 'utterance')} without a reference ${skipped === 1 ? 'was' : 'were'} not asked about.`,
    );
  }
  if (utterances === 0) warnings.push('No utterance has a reference, so nothing was scored.');
  if (withoutWords > 0) {
    warnings.push(
      `${counted(withoutWords, 'utterance')} ${withoutWords === 1 ? 'has' : 'have'} no words in the reference: what is recognized there counts as added words.`,
    );
  }
  if (merged) {
    warnings.push(`There are too many corpora by ${named(corpusBy)} to be kept apart; they are pooled.`);
  }
  if (profile !== 'sound' && normalizer !== 'srb') {
    warnings.push(
      `The averages are those of Speech Robust Bench (${profile}), but not the words: set normalizer: srb to count errors as it does.`,
    );
  }
  warnings.push(
    ...failureWarnings(
      namedTrials({ tally, design }, tally.series.words),
      'they are left out of its rates, which may flatter it',
    ),
  );
  // Of all speakers together the next ones say it.
  if (slices.clusters.count >= minimumSpeakers) warnings.push(...design.survey.shortages);
  warnings.push(...speakerWarnings(slices, { utterances, withoutSpeaker, minimumSpeakers }));
  const clean = design.recognizers.map(({ name }, recognizer) => ({ name, series: tally.series.words(recognizer, 0) }));
  warnings.push(...slicedSamplingWarnings(slices, clean, minimumSpeakers));
  return warnings;
}

const columns: readonly Column[] = [
  recognizerColumn,
  {
    key: 'realTimeFactor',
    label: 'Seconds per second of sound',
    kind: 'ratio',
    help: 'Real-time factor over all answers together; below 1 is faster than speech.',
  },
  { key: 'median', label: 'Median', kind: 'ratio', help: 'The same of the answer in the middle.' },
  { key: 'pricePerHour', label: 'Price per hour of sound', kind: 'money' },
  { key: 'currency', label: 'Currency', kind: 'text' },
  { key: 'answers', label: 'Answers timed', kind: 'count' },
];

/** Speed and price of each recognizer: what differs from run to run, apart from everything else. */
function timingPart(tally: Tally, design: Design): NonNullable<Finding['timing']> {
  const whole = tally.slices.whole();
  const speakers = whole.rows.filter((row) => whole.isSpeaker(row)).length;
  const rows: Table['rows'][number][] = [];
  const streams: Table['rows'][number][] = [];
  const answer: Statement[] = [];
  const factors: { readonly name: string; readonly estimate: Estimate }[] = [];
  design.recognizers.forEach(({ name, pricePerMinute }, index) => {
    const speed = tally.speeds[index]!;
    const realTimeFactor = speed.realTimeFactor(speakers);
    const price = speed.pricePerHour(pricePerMinute, speakers);
    rows.push({
      recognizer: name,
      realTimeFactor,
      median: speed.medianFactor(speakers),
      pricePerHour: price?.estimate ?? null,
      currency: price?.currency ?? null,
      answers: speed.timed,
    });
    const stream = speed.stream.row(name, realTimeFactor.n.utterances, speakers);
    if (stream !== null) streams.push(stream);
    if (realTimeFactor.value !== null) factors.push({ name, estimate: realTimeFactor });
    if (price !== null) {
      const text = `${named(name)}: price of an hour of sound in ${named(price.currency)}.`;
      answer.push({ text, estimate: price.estimate, kind: 'money' });
    }
  });
  const fastest = speedStatement(factors);
  if (fastest !== null) answer.unshift(fastest);
  const table: Table = { id: 'robustness-speed', title: 'Speed and price', columns, rows };
  const streaming: Table = {
    id: 'robustness-streaming',
    title: 'Heard while it is spoken',
    columns: streamColumns,
    rows: streams,
  };
  const tables = streams.length === 0 ? [table] : [table, streaming];
  return { answer, sections: [{ id: 'robustness-speed', title: 'Speed and price', tables }] };
}

/** More recognizers than this have their speed in the table alone, but for the fastest. */
const maxSpeeds = 4;

/** Who is fastest; null where no time is known. */
function speedStatement(factors: readonly { readonly name: string; readonly estimate: Estimate }[]): Statement | null {
  const [first, ...others] = factors.toSorted((a, b) => a.estimate.value! - b.estimate.value!);
  if (first === undefined) return null;
  const seconds = ({ value }: Estimate) => `${Number(value!.toPrecision(2))} s`;
  const rest = others.slice(0, maxSpeeds - 1).map(({ name, estimate }) => `${named(name)} ${seconds(estimate)}`);
  const most = others.length === 0 ? '' : 'Fastest: ';
  const beside = rest.length === 0 ? '' : `; ${rest.join(', ')}`;
  return {
    text: `${most}${named(first.name)}, ${seconds(first.estimate)} of computing for a second of audio${beside}.`,
    headline: true,
  };
}
