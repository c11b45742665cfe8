import { asJson, type Json } from '../../base/json.ts';
import type { Finding, Statement } from '../../model/finding.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import { aequevox } from '../../perturbations/ladders/aequevox.ts';
import { countEdits } from '../../scoring/alignment/align.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Batch, Study, StudyContext } from '../contract.ts';
import { alignedTranscript } from '../shared/aligned-transcript.ts';
import { checkUtterances } from '../shared/check-utterances.ts';
import { failuresToWarnOf } from '../shared/failures.ts';
import { whyOpen } from '../shared/open-verdict.ts';
import { chosenNormalizer } from '../shared/options.ts';
import { counted, listed, named, percent } from '../shared/wording.ts';
import { type Axis, chosenAxes } from './axes.ts';
import { type ChosenClips, chooseClips } from './clips.ts';
import { type ThresholdOptions, thresholdOptions } from './options.ts';
import { concludeSearches, type SearchResult, type ThresholdComparison, type ThresholdResults } from './results.ts';
import { ThresholdSearch, type Wanted } from './search.ts';
import { sectionsOf } from './sections.ts';
import { axisInWords, differenceUnit, groupInWords, shareInWords } from './wording.ts';

const study = { name: 'threshold', version: 5 };

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
  about: 'The level of noise (or another axis) at which half of the words are understood, searched adaptively',
  options: thresholdOptions,
  check(options, context) {
    return checkUtterances('threshold', { texts: true, attributes: { groupBy: options.groupBy } }, context);
  },
  asksOfFew: () => true,
  async *run(options, context) {
    const normalizer = await chosenNormalizer(context, options.normalizer);
    const axes = chosenAxes(options, laddersOf(context));
    const most = options.design === 'grid' ? options.gridClips : options.maxTrials;
    const clips = await chooseClips(context, options.groupBy, most, normalizer);
    const searches = searchesOf(axes, clips.parts, context, options);
    for (let round = 0; ; round++) {
      const wanted = searches.flatMap((search) => search.next());
      if (wanted.length === 0) break;
      const answers: AsyncIterable<Answer> = yield batchOf(wanted, round);
      let place = 0;
      for await (const answer of answers) {
        const question = wanted[place++]!;
        if (answer.ask !== 'recognition') continue;
        const { transcript, failure } = answer.observation;
        if (failure !== undefined) question.search.take(question, round, { failure: failure.kind });
        else {
          const { clip, search } = question;
          const words = (text: string) => normalizer.words(text, clip.utterance.language);
          const { correct } = countEdits(clip.words, words(transcript.text));
          const shown = alignedTranscript(search.recognizer, clip.words, answer.observation, words);
          search.take(question, round, { correct, transcript: shown });
        }
      }
      for (const search of searches) search.judge();
    }
    const results = concludeSearches(searches, options);
    const { target, of, design, gridClips, intervalWidth, minTrials, maxTrials, batch } = options;
    const { groupBy, level, minimumSpeakers } = options;
    const finding: Finding = {
      study,
      title: 'Reception thresholds',
      settings: {
        normalizer: normalizerIdentity(normalizer),
        right:
          'words of the reference that the alignment with least edits (Levenshtein) finds in the transcript; words added do not count',
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
        ...(design === 'grid' ? { gridClips } : { intervalWidth, minTrials, maxTrials, batch }),
        groupBy,
        level,
        minimumSpeakers,
      },
      answer: answerOf(results, options),
      sections: sectionsOf(results, axes, options),
      warnings: warningsOf(results, clips, options),
      data: dataOf(results, clips),
    };
    return finding;
  },
};

function laddersOf({ ladders }: StudyContext): readonly Ladder[] {
  return ladders.some(({ name }) => name === aequevox.name) ? ladders : [...ladders, aequevox];
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

/** Comparisons that tell nothing are left to the table where there are more of them than this. */
const maxOpen = 4;

/** Thresholds of everybody, then what differs. */
function answerOf({ searches, comparisons }: ThresholdResults, options: ThresholdOptions): Statement[] {
  const everybody = searches.filter(({ search }) => search.listeners.group === null);
  const told = comparisons.filter(({ comparison }) => comparison.verdict !== 'cannot tell');
  const open = comparisons.filter(({ comparison }) => comparison.verdict === 'cannot tell').slice(0, maxOpen);
  return [
    ...everybody.map((result) => thresholdStatement(result, options)),
    ...[...told, ...open].map((comparison) => comparisonStatement(comparison, options)),
  ];
}

function thresholdStatement({ search, threshold }: SearchResult, options: ThresholdOptions): Statement {
  const { axis } = search;
  const name = named(search.recognizer);
  const where = named(axis.name);
  if (threshold.value === null) return { text: `${where}: ${name} has no threshold: ${threshold.reason}.` };
  const text = `${where}: ${name} understands ${shareInWords(options)} at this ${axisInWords(axis)}.`;
  return { text, estimate: threshold, kind: 'number' };
}

function comparisonStatement(one: ThresholdComparison, options: ThresholdOptions): Statement {
  const { kind, first, second, comparison } = one;
  const { axis, recognizer } = first.search;
  const name = (result: SearchResult) =>
    kind === 'recognizers' ? named(result.search.recognizer) : groupInWords(result);
  const where = kind === 'recognizers' ? named(axis.name) : `${named(axis.name)}, ${named(recognizer)}`;
  const { verdict } = comparison;
  const unit = differenceUnit(axis);
  const text =
    verdict === 'cannot tell'
      ? `${where}: the thresholds of ${name(first)} and ${name(second)} cannot be told apart (difference in ${unit}).${whyOpen(comparison)}`
      : `${where}: ${kind === 'groups' ? 'speakers with ' : ''}${name(first)} reach${kind === 'groups' ? '' : 'es'} ${shareInWords(options)} at ${verdict === 'better' ? 'a harder' : 'an easier'} level than ${name(second)} (difference in ${unit}).`;
  return { text, verdict, comparison, kind: 'number' };
}

/** What a reader must know before believing the thresholds. */
function warningsOf({ searches }: ThresholdResults, clips: ChosenClips, options: ThresholdOptions): string[] {
  const warnings: string[] = [];
  const { skipped, withoutSpeaker, manyValued, parts } = clips;
  const everybody = parts[0]!.clips.length;
  if (skipped.withoutReference > 0)
    warnings.push(`${counted(skipped.withoutReference, 'utterance')} without a reference could not be used.`);
  if (skipped.withoutWords > 0)
    warnings.push(`${counted(skipped.withoutWords, 'utterance')} without words in the reference could not be used.`);
  if (everybody === 0) warnings.push('No utterance has words in its reference, so nothing was asked.');
  if (withoutSpeaker > 0) {
    warnings.push(
      `The speakers of ${counted(withoutSpeaker, 'clip')} are unknown: such clips are taken to be independent of each other, and intervals are too narrow where one person spoke several.`,
    );
  }
  if (manyValued.length > 0) warnings.push(`Not searched by group, because of too many values: ${listed(manyValued)}.`);
  for (const attribute of options.groupBy) {
    if (!manyValued.includes(attribute) && !parts.some(({ group }) => group?.attribute === attribute))
      warnings.push(`Not searched by ${named(attribute)}: fewer than two values of it are known.`);
  }
  for (const result of searches) {
    const { search } = result;
    const where = `${named(search.axis.name)}, ${groupInWords(result)}, ${named(search.recognizer)}`;
    const failed = search.asked - search.answered.length;
    if (search.asked > 0 && failed / search.asked > failuresToWarnOf) {
      warnings.push(
        `${where}: ${failed} of ${counted(search.asked, 'recognition')} failed (${percent(failed, search.asked)}); they are left out, which may flatter it.`,
      );
    }
    if (options.design === 'adaptive' && search.asked > search.listeners.clips.length && everybody > 0) {
      warnings.push(
        `${where}: there are ${counted(search.listeners.clips.length, 'clip')} for ${counted(search.asked, 'question')}, so that some were heard at several levels; more clips would tell more.`,
      );
    }
  }
  return warnings;
}

/** All numbers as plain rows, down to every question: enough to draw everything again and to fit other functions. */
function dataOf({ searches, comparisons }: ThresholdResults, { skipped, parts }: ChosenClips): Json {
  const nameOf = ({ search }: SearchResult) => ({
    axis: search.axis.name,
    group: search.listeners.group,
    recognizer: search.recognizer,
  });
  return asJson({
    clips: { chosen: parts[0]!.clips.length, ...skipped },
    searches: searches.map((result) => {
      const { search, found, threshold, n } = result;
      return {
        ...nameOf(result),
        threshold,
        outside: found.outside,
        questions: search.asked,
        answered: search.answered.length,
        n,
        failures: Object.fromEntries(search.failures),
        slopePerUnit: found.slope,
        ceiling: found.shareAt(Number.POSITIVE_INFINITY),
        dispersion: found.dispersion,
        curve: search.axis.levels.map((level) => ({
          at: level,
          share: found.shareAt(search.axis.coordinate(level)),
        })),
        asked: search.answered.map(({ clip, place, round, correct }) => ({
          utterance: clip.utterance.id,
          level: place === 'clean' ? 'clean' : search.axis.levels[place]!,
          round,
          words: clip.words.length,
          correct,
        })),
      };
    }),
    comparisons: comparisons.map(({ kind, first, second, comparison }) => ({
      kind,
      first: nameOf(first),
      second: nameOf(second),
      unit: first.search.axis.scale === 'logarithmic' ? 'octaves' : first.search.axis.unit.trim(),
      comparison,
    })),
  });
}
