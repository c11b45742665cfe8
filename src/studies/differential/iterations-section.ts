import type { Chart, Section } from '../../model/finding.ts';
import { measured } from '../shared/estimates.ts';
import { countStatus } from './heard.ts';
import type { DifferentialResults } from './results.ts';
import { countTests } from './tests-of.ts';

const counted = 'a count of what was found, not a sample';

/** What each iteration of the searches found, in a table; and in curves where no comparison draws them. */
export function iterationsSections({
  searches,
  options,
  recognizers,
  found: compared,
}: DifferentialResults): Section[] {
  const rows = searches.flatMap(({ heard, iterations }) => {
    let found = 0;
    return iterations.map((texts, iteration) => {
      const counts = countTests({ members: [{ heard, texts }], recognizer: null }, options.rule);
      found += counts.failed;
      return {
        voice: heard.pool.name,
        iteration: iteration + 1,
        texts: counts.texts,
        determinable: counts.determinable,
        failing: counts.failing,
        failed: counts.failed,
        found,
      };
    });
  });
  if (rows.length === 0) return [];
  const longest = Math.max(...searches.map(({ iterations }) => iterations.length));
  const chart = (name: string, recognizer: number | null): Chart => ({
    title: `${name}: failed tests found`,
    xLabel: 'Iteration',
    xTicks: Array.from({ length: longest }, (_, iteration) => String(iteration + 1)),
    yLabel: 'Failed tests',
    yKind: 'count',
    series: searches
      .filter(({ iterations }) => iterations.length > 0)
      .map(({ heard, iterations }) => {
        let sum = 0;
        return {
          name: heard.pool.name,
          points: iterations.map((texts, x) => {
            sum += countStatus(heard, texts, options.rule, 'failed', recognizer);
            const n = { utterances: iterations.slice(0, x + 1).flat().length, speakers: 1 };
            return { x, estimate: measured(sum, n, counted, 'count') };
          }),
        };
      }),
  });
  const table: Section = {
    id: 'differential-iterations',
    title: 'Iteration by iteration',
    tables: [
      {
        id: 'differential-iterations',
        title: 'What each iteration found',
        columns: [
          { key: 'voice', label: 'Voice', kind: 'text' },
          { key: 'iteration', label: 'Iteration', kind: 'count' },
          { key: 'texts', label: 'Texts', kind: 'count' },
          { key: 'determinable', label: 'Determinable', kind: 'count' },
          { key: 'failing', label: 'Failing texts', kind: 'count' },
          { key: 'failed', label: 'Failed tests', kind: 'count' },
          { key: 'found', label: 'Failed tests so far', kind: 'count' },
        ],
        rows,
      },
    ],
  };
  if (compared !== null) return [table];
  const charts = [chart('All recognizers', null), ...recognizers.map(({ name }, index) => chart(name, index))];
  return [table, { id: 'differential-found', title: 'Failed tests found, by iteration', charts }];
}
