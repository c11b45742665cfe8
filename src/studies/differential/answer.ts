import type { Statement } from '../../model/finding.ts';
import { counted, named, percent } from '../shared/wording.ts';
import { groupsOf } from './groups.ts';
import type { DifferentialResults } from './results.ts';
import { countTests, failedShare } from './tests-of.ts';

/** What was found, whom it concerns, and whether the predictor was worth it. */
export function answerOf(results: DifferentialResults): Statement[] {
  const { searches, options, recognizers, worth } = results;
  const groups = groupsOf(searches);
  const found = groups.map(({ name, items }): Statement => {
    const members = items.map(({ heard, tried }) => ({ heard, texts: tried }));
    const { texts, determinable, failing, failed } = countTests({ members, recognizer: null }, options.rule);
    if (texts === 0) return { text: `${named(name)}: no text was tried.` };
    return {
      text: `${named(name)}: ${counted(failed, 'failed test')} in ${counted(failing, 'text')}, of ${counted(texts, 'text')} tried; ${determinable} (${percent(determinable, texts)}) were determinable.`,
    };
  });
  const whole = searches.length > 0 && searches.every(({ known }) => known.whole);
  const random = searches.map(({ known, sample }) => ({
    heard: known,
    texts: whole ? [...known.pool.texts.keys()] : sample,
  }));
  const shares = recognizers.map(
    ({ name }, recognizer): Statement => ({
      text: `${named(name)}: share of failed tests among determinable texts ${whole ? 'of the whole pool' : 'drawn at random'}.`,
      estimate: failedShare({ members: random, recognizer }, options.rule, 'determinable', options),
      kind: 'rate',
    }),
  );
  const knowing = options.asking === 'all' ? 'knowing all answers' : 'knowing all answers and asking everybody';
  const speedUps = worth.flatMap(({ name, speedUp, shareOfOracle }): Statement[] => [
    {
      text: `${named(name)}: failed tests with the predictor for each found at random, for as many recognitions.`,
      estimate: speedUp,
      kind: 'ratio',
    },
    ...(shareOfOracle === null
      ? []
      : [
          {
            text: `${named(name)}: what the predictor gains over chance, of what ${knowing} would gain.`,
            estimate: shareOfOracle,
            kind: 'rate' as const,
          },
        ]),
  ]);
  return searches.length === 0 ? [{ text: 'There is no text to be spoken.' }] : [...found, ...speedUps, ...shares];
}
