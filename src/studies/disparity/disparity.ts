import { asJson } from '../../base/json.ts';
import type { Finding, Section } from '../../model/finding.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import type { Answer, Study } from '../contract.ts';
import { checkUtterances } from '../shared/check-utterances.ts';
import { decidedRates } from '../shared/cube/decided.ts';

import {
  type BeyondQuestion,
  beyondSection,
  type GapBeyond,
  gapsBeyondListeners,
  type HeardClip,
} from '../shared/listeners.ts';
import { chosenNormalizer } from '../shared/options.ts';
import { machineVoices } from '../shared/speaker-warnings.ts';

import { type DisparityDesign, designedBatch, groupLabel, makeDesign } from './design.ts';
import { domainShifts, shiftSection } from './domain-shift.ts';
import { modelGaps, modelSection } from './model-gaps.ts';
import { type DisparityOptions, disparityOptions } from './options.ts';
import { pairsSection } from './pairs.ts';
import { answerOf, type DisparityFinding, warningsOf } from './report.ts';
import { conclude } from './results.ts';
import { type Scores, scoreAnswers } from './scores.ts';
import { failuresSection, groupsSection, planeSection, scoresOf } from './sections.ts';

const study = { name: 'disparity', version: 36 };

/**
 * Whether recognizers serve groups of speakers unequally: error rates of groups and their intersections, how far they lie
 * from everybody's, which recognizer is less unequal, and whether any of it is more than chance (FairLENS: Y. Wang and
 * others, "FairLENS: Assessing Fairness in Law Enforcement Speech Recognition"; beside it tests over speakers and a
 * mixed-effects model). Utterances without a reference are passed over.
 *
 * @example
 * const asking = disparity.run(disparity.options.parse({ attributes: ['sex', 'accent'] }), context);
 * const { value: batch } = await asking.next();
 * const { value: finding } = await asking.next(answersTo(batch));
 */
export const disparity: Study<DisparityOptions> = {
  ...study,
  about:
    'Whether error rates differ between groups of speakers, by how much, for which recognizer, and whether chance explains it',
  options: disparityOptions,
  check(options, context) {
    const { bins, values, pairs, domains } = options;
    const own = (names: readonly string[]) => names.filter((name) => !Object.hasOwn(pairs, name));
    const attributes = {
      attributes: own(options.attributes ?? []),
      bins: own(Object.keys(bins)),
      values: own(Object.keys(values)),
      pairs: Object.values(pairs).flatMap(({ of }) => of),
      domains: own(domains === null ? [] : [domains.attribute]),
    };
    return checkUtterances('disparity', { texts: true, attributes }, context);
  },
  async *run(options, context) {
    const normalizer = await chosenNormalizer(context, options.normalizer);
    const design = await makeDesign(options, context);
    const answers: AsyncIterable<Answer> = yield designedBatch(design, context);
    const scores = await scoreAnswers(answers, design, normalizer, options, context.seed);
    return findingOf(
      {
        scores,
        design,
        options,
        normalizer,
        results: conclude(scores, design, options, context),
        shifts: domainShifts(scores, design, options, context.seed),
        beyond: groupsBeyondListeners(scores, design, options),
        model: options.model ? modelGaps(scores, design, options) : null,
      },
      await machineVoices(context),
    );
  },
};

function findingOf(known: DisparityFinding, voices: readonly string[]): Finding {
  const { design, options, normalizer } = known;
  const decided = decidedRates('disparity', known.scores.decided, { measure: 'WER' });
  return {
    study,
    title: 'Gaps between groups',
    settings: {
      normalizer: normalizerIdentity(normalizer),
      alignment: 'least edits (Levenshtein), each counting 1',
      attributes: design.survey.attributes.map(({ name }) => name),
      orders: asJson([...new Set(design.subgroups.map(({ attributes }) => attributes.length))]),
      bins: asJson(options.bins),
      pairs: asJson(options.pairs),
      values: asJson(options.values),
      other: options.other,
      minimumSpeakers: options.minimumSpeakers,
      profile: options.profile,
      baseline: options.baseline,
      domains: asJson(options.domains),
      conditions: design.conditions.map(({ name }) => name),
      model: options.model,
      ...(options.people !== null && { people: options.people }),
      permutations: options.permutations,
      level: options.level,
      resamples: options.resamples,
    },
    scores: scoresOf(known),
    answer: answerOf(known),
    sections: [...sectionsOf(known), ...decided.sections],
    warnings: [...decided.warnings, ...warningsOf(known), ...voices],
  };
}

/** Every part of the finding, in the order in which a reader wants it. */
function sectionsOf(known: DisparityFinding): Section[] {
  const { design } = known;
  return [
    groupsSection(known),
    planeSection(known),
    modelSection(known.model),
    shiftSection(design, known.shifts),
    known.beyond === null ? null : beyondSection('disparity', known.beyond, design.recognizers),
    failuresSection(known),
    pairsSection(known.results.pairs),
  ].filter((section) => section !== null);
}

/** Gaps of groups to everybody beyond those of listeners, condition by condition; null where nobody is said to be people. */
function groupsBeyondListeners(
  { heard }: Scores,
  { survey, subgroups, counted, conditions }: DisparityDesign,
  { level, minimumSpeakers }: DisparityOptions,
): GapBeyond[] | null {
  if (heard === null) return null;
  const { clusters, profiles } = survey.rows;
  const wordsOf = (clips: readonly HeardClip[]) => clips.reduce((sum, { words }) => sum + words, 0);
  const questions = conditions.flatMap(({ name }, condition) =>
    heard.machines.flatMap((recognizer) => {
      const clips = heard.clips.filter((clip) => clip.condition === condition && clip.recognizer === recognizer);
      return counted.map((place): BeyondQuestion => {
        const group = subgroups[place]!;
        const inside = new Set(group.profiles);
        const isInside = ({ utterance }: HeardClip) => inside.has(profiles[survey.rowOf(utterance)]!);
        const [all, outside] = [wordsOf(clips), wordsOf(clips.filter((clip) => !isInside(clip)))];
        // The group less everybody is the group less the others, times the others' share.
        const share = all === 0 ? 1 : outside / all;
        const others = subgroups.filter(({ attributes }) => attributes.join('\n') === group.attributes.join('\n'));
        const whole = others.reduce((sum, { utterances }) => sum + utterances, 0) === survey.scored;
        const two = others.length === 2 && whole ? group.attributes.join('\n') : place;
        return {
          recognizer,
          group: groupLabel(group),
          comparedWith: 'everybody',
          where: name,
          strata: [
            { weight: share, side: 0 },
            { weight: -share, side: 1 },
          ],
          stratumOf: (clip) => (clip.condition !== condition ? null : isInside(clip) ? 0 : 1),
          speakerOf: ({ utterance }) => clusters[survey.rowOf(utterance)]!,
          same: JSON.stringify([condition, recognizer, two]),
        };
      });
    }),
  );
  return gapsBeyondListeners(heard.clips, questions, { level, minimumSpeakers });
}
