import type { Design } from './design.ts';
import { jointPlace } from './places.ts';
import type { Tally } from './tally.ts';

/** Whether the cases of an utterance were answered, and violated: by condition, draw and recognizer. */
export type Violated = (boolean | null)[];

/** Where a case stands among them. */
export function violatedPlace({ mostDraws, recognizers }: Design, condition: number, draw: number, recognizer: number) {
  return (condition * mostDraws + draw) * recognizers.length + recognizer;
}

/** Adds the cases of an utterance that two recognizers both answered, pair by pair. */
export function addJoint(violated: Violated, cluster: number, design: Design, joint: Tally['joint']): void {
  const recognizers = design.recognizers.length;
  for (let condition = 0; condition < design.conditions.length; condition++) {
    for (let first = 0; first < recognizers; first++) {
      for (let second = first + 1; second < recognizers; second++) {
        const sums = joint[jointPlace(design, first, second, condition)]!;
        let pairs = 0;
        for (let draw = 0; draw < design.mostDraws; draw++) {
          const one = violated[violatedPlace(design, condition, draw, first)];
          const other = violated[violatedPlace(design, condition, draw, second)];
          if (one == null || other == null) continue;
          pairs++;
          sums.add(cluster, 'firstViolations', Number(one));
          sums.add(cluster, 'secondViolations', Number(other));
        }
        sums.add(cluster, 'pairs', pairs);
        sums.add(cluster, 'utterances', Math.min(1, pairs));
      }
    }
  }
}
