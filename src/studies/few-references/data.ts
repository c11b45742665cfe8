import type { Json } from '../../base/json.ts';
import { asJson } from '../shared/as-json.ts';
import type { FewReferencesFinding } from './finding.ts';

/** All numbers as plain rows. */
export function dataOf({ design, tally, results, failures, next }: FewReferencesFinding): Json {
  const { survey, recognizers } = design;
  const named = (recognizer: number) => recognizers[recognizer]!.name;
  return asJson({
    recordings: {
      all: survey.utterances,
      transcribed: survey.transcribed,
      withoutSpeaker: survey.withoutSpeaker,
    },
    clusters: { count: survey.clusters.count, merged: survey.clusters.merged },
    trials: recognizers.map(({ name }, recognizer) => ({
      recognizer: name,
      ...tally.trials.at(recognizer),
      withoutVerdict: tally.withoutVerdict[recognizer]!,
    })),
    rates: results.rates.map(({ recognizer, group, ...row }) => ({
      recognizer: named(recognizer),
      attribute: group?.attribute ?? null,
      value: group?.value ?? null,
      ...row,
    })),
    gaps: results.gaps.map(({ recognizer, pair, ...row }) => ({
      recognizer: named(recognizer),
      attribute: pair.attribute,
      value: pair.value,
      comparedWith: pair.comparedWith,
      speakers: pair.speakers,
      ...row,
    })),
    failures,
    next,
  });
}
