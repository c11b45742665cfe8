import { asJson } from '../../base/json.ts';
import type { Finding, Statement } from '../../model/finding.ts';
import { normalizerIdentity } from '../../scoring/normalizers/normalizer.ts';
import { defaultMinimumClusters } from '../../statistics/bootstrap/cluster-spread.ts';
import type { Answer, Study } from '../contract.ts';
import { missingAttributeWarnings } from '../shared/attributes.ts';
import { checkUtterances, someUtterances } from '../shared/check-utterances.ts';
import { failureGaps, failureStatements } from '../shared/failures.ts';
import { chosenNormalizer } from '../shared/options.ts';
import { counted, listed, named } from '../shared/wording.ts';
import { biasesOf, biasStatement } from './bias.ts';
import { type Design, designedBatch, makeDesign } from './design.ts';
import { type FaultWordsOptions, faultWordsOptions } from './options.ts';
import { groupName, sectionsOf } from './report.ts';
import { averageDrops, localiseFaults, type WordDrops } from './results.ts';
import { type Tally, tallyWords } from './tally.ts';

const study = { name: 'fault-words', version: 7 };

/** Groups with more failures that have a sentence of their own. */
const maxFailures = 4;

/**
 * Which words vanish from transcripts when sound is disturbed, for whom and for which recognizer: the fault localiser of
 * AequeVox (S. S. Rajan, S. Udeshi and S. Chattopadhyay, FASE 2022, arXiv 2110.09843v2, Algorithm 2), which needs no
 * reference. With references, words that were said are looked at, also those that nobody ever hears.
 *
 * @example
 * const asking = faultWords.run(faultWords.options.parse({ conditions: ['aequevox/noise'], omega: 3 }), context);
 */
export const faultWords: Study<FaultWordsOptions> = {
  ...study,
  about: 'Which words vanish when sound is disturbed, by group and recognizer (AequeVox’s fault localiser)',
  options: faultWordsOptions,
  async check(options, context) {
    const { groupBy, bins, where } = options;
    const attributes = { groupBy: groupBy ?? [], bins: Object.keys(bins) };
    await checkUtterances('fault-words', { attributes }, await someUtterances(where, context));
  },
  asksOfFew: ({ where }) => where !== null,
  async *run(options, everything) {
    const context = await someUtterances(options.where, everything);
    const normalizer = await chosenNormalizer(context, options.normalizer);
    const design = makeDesign(options, context);
    const answers: AsyncIterable<Answer> = yield designedBatch(design, context);
    const tally = await tallyWords(answers, design, options, normalizer);
    const drops = localiseFaults(tally, design, options);
    const averages = averageDrops(drops, tally.groups, design);
    const names = design.recognizers.map((name) => ({ name }));
    const settings = { level: 0.95, minimumSpeakers: defaultMinimumClusters, seed: context.seed, study: study.name };
    const failures = failureGaps(tally.groupTrials, names, {}, settings);
    const biases = biasesOf(drops, tally.groups, context.findings ?? []);
    const { baseline, except, where, omega, groupBy, bins } = options;
    const finding: Finding = {
      study,
      title: 'Words that vanish',
      settings: {
        normalizer: normalizerIdentity(normalizer),
        baseline,
        conditions: design.conditions.slice(1).map(({ name }) => name),
        except,
        where: asJson(where),
        omega,
        groupBy,
        bins: asJson(bins),
      },
      answer: [
        ...answerOf(drops, design),
        ...biases.map(biasStatement),
        ...failureStatements(failures).slice(0, maxFailures),
      ],
      sections: sectionsOf({ drops, averages, groups: tally.groups, biases, failures, design, options }),
      warnings: warningsOf(drops, tally, design, options),
      data: asJson({
        utterances: { asked: tally.utterances, withReference: tally.withReference },
        drops: drops.map(({ group, recognizer, transformation, nonRobust, ...rest }) => ({
          group: group.group,
          speakers: group.speakers,
          recognizer: design.recognizers[recognizer]!,
          transformation: design.transformations[transformation]!.name,
          ...rest,
          nonRobust: nonRobust.map((word) => ({ ...word, worst: design.conditions[word.worst]!.name })),
        })),
        averages,
        biases,
        failures,
        groups: tally.groups.map(groupName),
      }),
    };
    return finding;
  },
};

/** For everybody: what each recognizer loses most. */
function answerOf(drops: readonly WordDrops[], design: Design): Statement[] {
  const everybody = drops.filter(({ group }) => group.group === null);
  const statements = design.recognizers.map((name, recognizer): Statement => {
    const own = everybody.filter((one) => one.recognizer === recognizer && one.words > 0);
    const worst = own.toSorted((a, b) => b.drops - a.drops)[0];
    if (worst === undefined) return { text: `${named(name)}: no word was looked at, so nothing can be said.` };
    const { nonRobust, words, omega, robust } = worst;
    const family = named(design.transformations[worst.transformation]!.name);
    return {
      text: `${named(name)} loses most words in ${family}: ${nonRobust.length} of ${counted(words, 'word')} are heard at least ${omega} times fewer under its worst parameter, ${robust.length} never less often.`,
    };
  });
  return statements.length > 0 ? statements : [{ text: 'No recognizer was asked, so nothing can be said.' }];
}

function warningsOf(
  drops: readonly WordDrops[],
  tally: Tally,
  { recognizers, conditions }: Design,
  { omega }: FaultWordsOptions,
): string[] {
  const warnings: string[] = [];
  const silent = tally.groups.filter((group) =>
    drops.every((one) => one.group.number !== group.number || one.words === 0),
  );
  if (silent.length > 0) {
    warnings.push(
      `No word was looked at for ${listed(silent.map(groupName))}: nothing was said or heard, or trials failed. A dash stands in the table, which is no drop of 0.`,
    );
  }
  warnings.push(...missingAttributeWarnings(tally.groupTrials.slices.missing(), tally.utterances));
  if (tally.withReference < tally.utterances) {
    warnings.push(
      `${counted(tally.utterances - tally.withReference, 'utterance')} without a reference: there only words that were heard before are looked at, so that words never heard are missed.`,
    );
  }
  const failed = recognizers.flatMap((name, recognizer) => {
    const count = conditions.reduce(
      (sum, _, condition) => sum + tally.trials.at(recognizer * conditions.length + condition).failed,
      0,
    );
    return count === 0 ? [] : [`${named(name)} (${count})`];
  });
  if (failed.length > 0) {
    warnings.push(
      `Trials failed: ${listed(failed)}. An utterance counts for a transformation only where it was answered before and under every parameter.`,
    );
  }
  if (tally.overflowed) warnings.push('There are more than 100,000 different words; those met later are not counted.');
  if (tally.manyValued.length > 0) {
    warnings.push(`Not looked at by group, because of too many values: ${listed(tally.manyValued)}.`);
  }
  if (typeof omega !== 'number') {
    const unknown = Object.keys(omega).filter((name) => !recognizers.includes(name));
    if (unknown.length > 0) warnings.push(`omega names recognizers that are not there: ${listed(unknown)}.`);
  }
  return warnings;
}
