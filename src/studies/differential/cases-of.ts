import { keepBest } from '../shared/best-kept.ts';
import type { CaseRule, CaseStatus, DifferentialCase } from './case.ts';
import type { DifferentialSearch } from './search.ts';

/** The rows of a study, as many as are kept. */
export interface KeptCases {
  /** Failed ones first, then those of determinable texts, in the order in which they were tried. */
  readonly cases: readonly DifferentialCase[];
  readonly leftOut: number;
}

const rules: readonly CaseRule[] = ['exact', 'tolerant', 'majority'];

/** What is most wanted comes last. */
const order: readonly CaseStatus[] = ['indeterminable', 'success', 'failed'];

/**
 * One row for each recognition that gave a transcript: search after search, first of the texts that were tried, in their order,
 * then of what else is known of the pool.
 */
export function* casesOf(
  searches: readonly DifferentialSearch[],
  recognizers: readonly { readonly name: string }[],
  rule: CaseRule,
): Generator<DifferentialCase> {
  for (const { known: heard, iterations } of searches) {
    const tried = new Map(
      iterations.flatMap((texts, iteration) => texts.map((text) => [text, iteration + 1] as const)),
    );
    const { voice, condition, texts } = heard.pool;
    for (const text of [...tried.keys(), ...texts.keys().filter((one) => !tried.has(one))]) {
      const known = heard.at(text);
      if (known === undefined) continue;
      const { id, text: words, utterance } = texts[text]!;
      for (const [recognizer, status] of known.judgement[rule].entries()) {
        if (status === null) continue;
        const others = rules.filter((other) => other !== rule);
        yield {
          text: words,
          textId: id,
          voice,
          recognizer: recognizers[recognizer]!.name,
          transcript: known.transcripts[recognizer]!,
          status,
          sound: { utteranceId: utterance.id, conditionName: condition.name, draw: 0 },
          iteration: tried.get(text) ?? null,
          otherwise: Object.fromEntries(others.map((other) => [other, known.judgement[other][recognizer]!])),
        };
      }
    }
  }
}

/** As many rows as a finding keeps. */
export function keepCases(rows: readonly DifferentialCase[], most: number): KeptCases {
  const best = keepBest<DifferentialCase>(most);
  for (const row of rows) best.offer([order.indexOf(row.status), row.iteration === null ? 0 : 1], row);
  const cases = best.items();
  return { cases, leftOut: rows.length - cases.length };
}
