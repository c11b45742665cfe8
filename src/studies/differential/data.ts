import { asJson, type JsonObject } from '../../base/json.ts';
import type { KeptCases } from './cases-section.ts';
import { failedTrials } from './failed-trials.ts';
import { groupsOf } from './groups.ts';
import type { DifferentialResults } from './results.ts';
import { countTests } from './tests-of.ts';

/** All numbers as plain rows, where a recognizer that is null stands for all of them; and the cases themselves. */
export function dataOf(results: DifferentialResults, { cases, leftOut }: KeptCases): JsonObject {
  const { searches, options, recognizers, dropped, spending, found, worth } = results;
  const whos = [...recognizers.map(({ name }, index) => [name, index] as const), [null, null] as const];
  return asJson({
    dropped,
    spending: { texts: spending.texts, calls: spending.calls, money: spending.money },
    searches: searches.map(({ heard, iterations, sizes, ending, listener }) => ({
      voice: heard.pool.voice,
      synthesizer: heard.pool.synthesizer,
      condition: heard.pool.condition.name,
      texts: heard.pool.texts.length,
      batch: sizes.batch,
      keep: sizes.keep,
      ending,
      askedFirst: listener === null ? null : recognizers[listener]!.name,
      iterations: iterations.map((tried) => ({
        texts: tried.map((text) => heard.pool.texts[text]!.id),
        counts: whos.map(([recognizer, index]) => ({
          recognizer,
          ...countTests({ members: [{ heard, texts: tried }], recognizer: index }, options.rule),
        })),
      })),
    })),
    wholePools: searches
      .filter(({ known }) => known.whole)
      .flatMap(({ known }) =>
        whos.map(([recognizer, index]) => ({
          voice: known.pool.name,
          recognizer,
          counts: countTests(
            { members: [{ heard: known, texts: [...known.pool.texts.keys()] }], recognizer: index },
            options.rule,
          ),
        })),
      ),
    trials: failedTrials(results),
    groups: groupsOf(searches).map(({ name, items }) => ({ name, voices: items.map(({ heard }) => heard.pool.name) })),
    comparison:
      found === null
        ? null
        : {
            curves: found.flatMap((pool) =>
              pool.found.map(({ way, recognizer, cumulative }) => ({
                voice: pool.heard.pool.name,
                way,
                recognizer: recognizer === null ? null : recognizers[recognizer]!.name,
                texts: pool.texts,
                failedByReplicate: cumulative,
              })),
            ),
            worth,
          },
    cases,
    casesLeftOut: leftOut,
  }) as JsonObject;
}
