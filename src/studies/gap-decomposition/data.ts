import type { Json } from '../../base/json.ts';
import { asJson } from '../shared/as-json.ts';
import type { GapFinding } from './finding.ts';
import { causeQuartiles } from './sections/causes-section.ts';

/** All numbers as plain rows. */
export function dataOf({ design, clips, targets, tally, results, failures, counterfactuals }: GapFinding): Json {
  const { survey } = design;
  const named = (recognizer: number) => design.recognizers[recognizer]!.name;
  const pairOf = ({ attribute, value, comparedWith, speakers }: (typeof results)[number]['pair']) => {
    return { attribute, value, comparedWith, speakers };
  };
  return asJson({
    utterances: {
      scored: survey.utterances.length,
      withoutReference: survey.withoutReference,
      withoutWords: survey.withoutWords,
      withoutSpeaker: survey.withoutSpeaker,
    },
    clusters: { count: survey.clusters.count, merged: survey.clusters.merged },
    trials: design.recognizers.map(({ name }, recognizer) => ({
      recognizer: name,
      clean: tally.trials.at(2 * recognizer),
      changed: tally.trials.at(2 * recognizer + 1),
    })),
    gaps: results.map(({ recognizer, pair, ...row }) => ({ recognizer: named(recognizer), ...pairOf(pair), ...row })),
    causes: causeQuartiles({ design, clips }),
    targets: { levelDbfs: targets.level, snrDb: targets.noise, lettersPerSecond: targets.rate },
    failures,
    counterfactuals: counterfactuals.map(({ recognizer, pair, world, ...row }) => ({
      recognizer: named(recognizer),
      ...pairOf(pair),
      world: design.worlds[world]!.name,
      ...row,
    })),
  });
}
