import { failuresToWarnOf } from '../shared/failures.ts';
import { counted, named, percent } from '../shared/wording.ts';
import { failedTrials } from './failed-trials.ts';
import type { DifferentialResults } from './results.ts';
import { countTests } from './tests-of.ts';

/** What a reader must know before believing the finding: first what it hinges on, because a terminal shows the first few. */
export function warningsOf(results: DifferentialResults): string[] {
  const { searches, recognizers, options, dropped, spending, found } = results;
  const { withoutText, empty, doubled, spokenAsWritten } = dropped;
  const warnings: string[] = [];
  if (searches.length === 0) warnings.push('There is no text to be spoken, so nothing was asked.');
  for (const { known } of searches) {
    const { soundless, silence, pool } = known;
    if (soundless === 0) continue;
    warnings.push(
      `${named(pool.name)}: ${counted(soundless, 'text')} could not be spoken or heard by anybody, and ${soundless === 1 ? 'is no test: ' : 'are no test; the first: '}${silence}`,
    );
  }
  const soundless = new Map(searches.map(({ known }) => [known.pool.name, known.soundless]));
  for (const row of failedTrials(results)) {
    const { recognizer, condition } = row;
    const asked = row.asked - soundless.get(condition)!;
    const failed = row.failed - soundless.get(condition)!;
    if (asked === 0 || failed / asked <= failuresToWarnOf) continue;
    warnings.push(
      failed === asked
        ? `${named(condition)}: ${named(recognizer)} gave no transcript at all (${counted(asked, 'recognition')} failed): nothing is known of it, and the others have one fewer to be compared with.`
        : `${named(condition)}: ${counted(failed, 'recognition')} of ${asked} by ${named(recognizer)} failed (${percent(failed, asked)}); they are no tests.`,
    );
  }
  for (const { heard, tried } of searches) {
    const members = [{ heard, texts: tried }];
    const counts = countTests({ members, recognizer: null }, options.rule);
    if (counts.texts === 0) continue;
    const { name } = heard.pool;
    if (counts.success + counts.failed + counts.indeterminable === 0) continue;
    if (counts.determinable === 0) {
      warnings.push(
        `${named(name)}: no recognizer got any of ${counted(counts.texts, 'text')} right, so that everything is indeterminable and no failure can be told: listen to a few of them; the synthesizer may say nothing, or the rule may be too strict.`,
      );
      continue;
    }
    recognizers.forEach((recognizer, index) => {
      const own = countTests({ members, recognizer: index }, options.rule);
      const answered = own.failed + own.indeterminable;
      if (own.success > 0 || answered === 0) return;
      warnings.push(
        `${named(name)}: ${named(recognizer.name)} got none of ${counted(answered, 'text')} right: a failed test then says little about the text.`,
      );
    });
  }
  warnings.push(...notFound(results));
  const wanting = (count: number, why: string) => {
    if (count > 0) warnings.push(`${counted(count, 'utterance')} ${why}.`);
  };
  wanting(withoutText, 'without a text could not be used');
  wanting(empty, 'of whose text the normalizer leaves no word could not be used');
  wanting(doubled, 'with a text that the same voice says already were left out');
  if (spokenAsWritten > 0) {
    warnings.push(
      `${counted(spokenAsWritten, 'text')} ${spokenAsWritten === 1 ? 'is' : 'are'} spoken as written and compared as normalized, so that the synthesizer reads numbers and abbreviations its own way: set normalizer: ${named(options.normalizer)} in the corpus too.`,
    );
  }
  for (const [index, pool] of (found ?? []).entries()) {
    if (pool.texts.length < 2)
      warnings.push(`${named(pool.heard.pool.name)}: with one iteration alone the predictor was never asked.`);
    else if (index === 0 && options.replicates === 1)
      warnings.push('With one replicate the comparison has no interval; three or more have.');
  }
  if (options.replicates > 0 && options.predictor === null)
    warnings.push('Without a predictor there is nothing to be compared with chance: replicates were not made.');
  if (spending.texts > 0 && spending.texts < 30)
    warnings.push(
      `Only ${counted(spending.texts, 'text')} could be tried: expect little of shares and of the predictor.`,
    );
  return warnings;
}

/** What searches that ask one recognizer first cannot find, by what they saw when they asked everybody. */
function notFound({ searches, recognizers, options }: DifferentialResults): string[] {
  return searches.flatMap(({ heard, openlyTried, listener }) => {
    if (listener === null) return [];
    const members = [{ heard, texts: openlyTried }];
    const { determinable } = countTests({ members, recognizer: null }, options.rule);
    const { success } = countTests({ members, recognizer: listener }, options.rule);
    const who = named(recognizers[listener]!.name);
    return [
      `${named(heard.pool.name)}: after ${counted(openlyTried.length, 'text')} ${who} was asked first and the others only where it was right, so that no more failures of ${who} could be found; of ${counted(determinable, 'determinable text')} among them it got ${determinable - success} wrong.`,
    ];
  });
}
