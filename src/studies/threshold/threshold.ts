import { badConfig } from '../../base/errors.ts';
import type { Finding } from '../../model/finding.ts';
import type { Scores } from '../../model/scores.ts';
import { countEdits } from '../../scoring/alignment/align.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Batch, Study, StudyContext } from '../contract.ts';
import { checkUtterances } from '../shared/check-utterances.ts';
import { leadersInWords, verdictAmong } from '../shared/claims.ts';
import { alignedTranscript } from '../shared/examples.ts';
import { FailureCounts, namedTrials } from '../shared/failures.ts';
import { peopleAmong } from '../shared/listeners.ts';
import { chosenNormalizer, withAequevox } from '../shared/options.ts';
import { named } from '../shared/wording.ts';
import { type Axis, chosenAxes } from './axes.ts';
import { beyondSection, beyondStatements, thresholdsBeyondListeners } from './beyond-listeners.ts';
import { chooseClips } from './clips.ts';
import { type ThresholdOptions, thresholdOptions } from './options.ts';
import {
  answerOf,
  axisInWords,
  comparisonStatement,
  isInDecibels,
  sectionsOf,
  thresholdStatement,
  warningsOf,
} from './report.ts';
import { concludeSearches, type ThresholdComparison, type ThresholdResults } from './results.ts';
import { ThresholdSearch, trialsAtOnce, type Wanted } from './search.ts';

const study = { name: 'threshold', version: 15 };

/**
 * How much of something (noise, lost packets, a lower cut-off) a recognizer bears before it understands only half of the
 * words: the speech reception threshold, as audiologists measure it for people, in decibels or the axis' own unit. The next
 * levels are chosen where they tell most, so that a tenth of a grid's recognitions does.
 *
 * @example
 * const asking = threshold.run(threshold.options.parse({ conditions: ['srb/gnoise'], maxTrials: 72 }), context);
 */
export const threshold: Study<ThresholdOptions> = {
  ...study,
  about: 'The level of noise (or another axis) at which half of the words are recognized, by an adaptive search',
  options: thresholdOptions,
  check(options, context) {
    return checkUtterances('threshold', { texts: true, attributes: { groupBy: options.groupBy } }, context);
  },
  asksOfFew: () => true,
  async *run(options, context) {
    checkPeople(options, context);
    const normalizer = await chosenNormalizer(context, options.normalizer);
    const axes = chosenAxes(options, withAequevox(context));
    const most = options.design === 'grid' ? options.gridClips : options.maxTrials;
    const clips = await chooseClips(context, options.groupBy, most, normalizer);
    const searches = searchesOf(axes, clips.parts, context, options);
    const names = context.recognizers.map(({ name }) => name);
    const trials = new FailureCounts(names.length * axes.length);
    for (let round = 0; ; round++) {
      const wanted = searches.flatMap((search) => search.next());
      if (wanted.length === 0) break;
      const answers: AsyncIterable<Answer> = yield batchOf(wanted, round);
      let place = 0;
      for await (const answer of answers) {
        const question = wanted[place++]!;
        if (answer.ask !== 'recognition') continue;
        const { transcript, failure } = answer.observation;
        const { clip, search } = question;
        const trial = names.indexOf(search.recognizer) * axes.length + axes.indexOf(search.axis);
        if (failure !== undefined) trials.addFailure(trial, failure.kind);
        else {
          trials.addAnswer(trial);
          const words = (text: string) => normalizer.words(text, clip.utterance.language);
          const { correct } = countEdits(clip.words, words(transcript.text));
          const shown = alignedTranscript(search.recognizer, clip.words, answer.observation, words);
          const by = transcript.details?.listener;
          const listener = typeof by === 'string' ? by : search.recognizer;
          search.take(question, { correct, listener, transcript: shown });
        }
      }
      for (const search of searches) search.judge();
    }
    const asked = { recognizers: context.recognizers, conditions: axes };
    const results = {
      ...concludeSearches(searches, options),
      trials: namedTrials({ tally: { trials }, design: asked }),
    };
    const { people } = options;
    const beyond = people === null ? null : thresholdsBeyondListeners(searches, people, options);
    const { target, of, design, gridClips, intervalWidth, minTrials, maxTrials } = options;
    const { groupBy, level, minimumSpeakers } = options;
    const finding: Finding = {
      study,
      title: 'Reception thresholds',
      settings: {
        normalizer: normalizerIdentity(normalizer),
        right: 'reference words that the alignment (Levenshtein) finds in the transcript; insertions do not count',
        axes: axes.map(({ name, parameter, scale, levels }) => ({
          name,
          parameter,
          scale,
          hardest: levels[0]!,
          mildest: levels.at(-1)!,
          levels: levels.length,
        })),
        target,
        of,
        design,
        ...(design === 'grid' ? { gridClips } : { intervalWidth, minTrials, maxTrials, batch: trialsAtOnce }),
        groupBy,
        ...(people !== null && { people }),
        level,
        minimumSpeakers,
      },
      scores: scoresOf(results, axes, options),
      answer: [...answerOf(results, options), ...(beyond === null ? [] : beyondStatements(beyond))],
      sections: [...sectionsOf(results, axes, options), ...(beyond === null ? [] : [beyondSection(beyond)])],
      warnings: warningsOf(results, clips, options),
    };
    return finding;
  },
};

/** @throws EarwitnessError `bad-config` for people who are no recognizers, without a grid or without groups */
function checkPeople({ people, design, groupBy }: ThresholdOptions, { recognizers }: StudyContext): void {
  if (people === null) return;
  peopleAmong(people, recognizers);
  const [expected, came, toDo] =
    design !== 'grid'
      ? [
          'levels that are fixed before people listen',
          'the design is adaptive, whose levels follow from the answers',
          'set design: grid',
        ]
      : ['groups to compare', 'groupBy names none', 'add an attribute: groupBy: [accent]'];
  if (design === 'grid' && groupBy.length > 0) return;
  throw badConfig(`people: expected ${expected}, but ${came}; ${toDo}`);
}

/** One search for each axis, group and recognizer. */
function searchesOf(
  axes: readonly Axis[],
  parts: Awaited<ReturnType<typeof chooseClips>>['parts'],
  context: StudyContext,
  options: ThresholdOptions,
): ThresholdSearch[] {
  return axes.flatMap((axis) =>
    parts.flatMap((part) => context.recognizers.map(({ name }) => new ThresholdSearch(name, axis, part, options))),
  );
}

/** The questions of all searches that are still on, so that they can be answered in parallel. */
function batchOf(wanted: readonly Wanted[], round: number): Batch {
  const searches = new Set(wanted.map(({ search }) => search)).size;
  return {
    about: `thresholds, round ${round + 1}, ${searches} ${searches === 1 ? 'search' : 'searches'}`,
    size: wanted.length,
    async *questions() {
      for (const { trial } of wanted) yield { ask: 'recognition', trial };
    },
  };
}

/** Recognizers by axes, and groups along the first. */
function scoresOf(
  { searches, comparisons }: ThresholdResults,
  axes: readonly Axis[],
  options: ThresholdOptions,
): Scores {
  const [first] = axes;
  const thresholds = { table: 'threshold-thresholds', column: 'threshold' };
  const everybody = searches.filter(({ search }) => search.axis === first && search.listeners.group === null);
  const ranked = everybody
    .filter(({ threshold }) => threshold.value !== null)
    .toSorted((a, b) => first!.coordinate(a.threshold.value!) - first!.coordinate(b.threshold.value!));
  const pairs = comparisons
    .filter((one) => one.kind === 'recognizers' && one.first.search.axis === first)
    .map((one) => ({ ...one, first: one.first.search.recognizer, second: one.second.search.recognizer }));
  const names = ranked.map(({ search }) => search.recognizer);
  const leads = `${options.target === 0.5 ? 'understands half' : 'reaches the threshold'} at the hardest level of ${named(first!.name)}`;
  const [only] = everybody.map((result) => thresholdStatement(result, options).text);
  const isTold = ({ kind, first: { search }, comparison }: ThresholdComparison) =>
    kind === 'groups' && search.axis === first && comparison.verdict !== 'cannot tell';
  const place = ({ first: { search } }: ThresholdComparison) => names.indexOf(search.recognizer);
  const [gap] = comparisons.filter(isTold).toSorted((a, b) => place(a) - place(b));
  const found = [leadersInWords(names, leads, verdictAmong(pairs)) ?? (everybody.length === 1 ? only! : null)];
  // Along axes that get harder upwards a difference above 0 is no disadvantage, and along logarithms it has another unit.
  const isPlain = first!.harder === 'lower' && first!.scale === 'linear';
  const hasGroups = comparisons.some(({ kind }) => kind === 'groups') && isPlain;
  const along = { axis: first!.name };
  return {
    measure: `${options.target === 0.5 ? 'Half' : `${100 * options.target} %`} of ${options.of === 'clean' ? 'clean' : 'the words'} at`,
    found: [...found, gap === undefined ? null : comparisonStatement(gap).text].filter((text) => text !== null),
    columns: axes.map((axis) => ({
      words: `along ${axis.name}`,
      head: [axis.name.replace(/^.*\//, ''), axisInWords(axis)],
      rates: { ...thresholds, where: { axis: axis.name, attribute: '' } },
      comparisons: { table: 'threshold-comparisons', column: 'difference', where: { axis: axis.name } },
      kind: isInDecibels(axis) ? 'decibels' : 'number',
      ...(axis.harder === 'higher' && { best: 'highest' }),
    })),
    ranks: 0,
    ...(hasGroups && {
      gaps: {
        of: axisInWords(first!),
        differences: { table: 'threshold-gaps', column: 'difference', where: along },
        rates: { ...thresholds, where: along },
      },
    }),
  };
}
