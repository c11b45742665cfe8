import type { BarChart, Column, Estimate, Section } from '../../model/finding.ts';
import { recognizerIn, tableOf } from '../shared/tables.ts';
import { rateColumn } from './conditions-section.ts';
import type { Design } from './design.ts';
import type { LevelRow, Levels } from './levels.ts';
import { capitalized, type Loss, paretoPlane } from './levels-section.ts';

/**
 * What attacks cost beside clean sound and beside everything else, and by corpus (Figs 5c and 8 c, f of Speech Robust Bench); null without
 * attacks. Each recognizer heard sounds made against itself.
 */
export function attacksSection(levels: Levels, design: Design, { measure, column, label }: Loss): Section | null {
  const [everything] = levels.scopes;
  const adversarial = levels.rows.filter(({ level }) => level === 'adversarial');
  const rows = adversarial.filter(({ scope }) => scope === everything);
  if (rows.length === 0) return null;
  const cleanOf = ({ recognizer }: LevelRow) =>
    levels.clean.find((row) => row.scope === everything && row.recognizer === recognizer)!.wordErrorRate;
  const otherOf = ({ recognizer }: LevelRow) =>
    levels.rows.find((row) => row.scope === everything && row.level === 'overall' && row.recognizer === recognizer)![
      measure
    ];
  const known = rows.filter(({ degradation }) => degradation.value !== null);
  const planeOf = (title: string, xLabel: string, xKind: Column['kind'], xOf: (row: LevelRow) => Estimate) =>
    paretoPlane(
      { title, xLabel, xKind, yLabel: attackLabel, yKind: 'difference' },
      known.map((row) => ({ name: design.recognizers[row.recognizer]!.name, x: xOf(row), y: row.degradation })),
    );
  const scopes = levels.scopes
    .filter((scope) => adversarial.some((row) => row.scope === scope))
    .map((scope) => ({
      name: scope === everything ? 'everything' : `${scope.kind} ${scope.name}`,
      lostBy: ({ recognizer }: LevelRow) =>
        adversarial.find((row) => row.scope === scope && row.recognizer === recognizer)?.degradation ?? null,
    }));
  const bars: BarChart = {
    title: 'Change from clean under attacks, least first',
    ...{ label: attackLabel, kind: 'difference', series: scopes.map(({ name }) => name) },
    rows: known
      .toSorted((a, b) => a.degradation.value! - b.degradation.value!)
      .map((row) => ({
        name: design.recognizers[row.recognizer]!.name,
        values: scopes.map(({ lostBy }) => lostBy(row)),
      })),
  };
  return {
    id: 'robustness-attacks',
    title: 'Attacks',
    text: [
      'Each recognizer heard sounds that were made against itself. Attacks have a plain change from clean (WERD) and are in no other average: their sounds differ between recognizers, and so would their difficulty.',
    ],
    planes: [
      planeOf(
        'Change under attacks, against word error rate on clean audio',
        'Word error rate on clean audio',
        'rate',
        cleanOf,
      ),
      planeOf(`Change under attacks, against ${label} elsewhere`, capitalized(label), column.kind, otherOf),
    ].filter(({ points }) => points.length > 0),
    bars: known.length > 0 ? [bars] : [],
    tables: [
      tableOf('robustness-attacks', 'What attacks cost', rows, [
        recognizerIn(design.recognizers),
        { ...rateColumn, key: 'clean', label: 'Clean audio', of: cleanOf },
        { ...column, of: otherOf },
        ...scopes.map(({ name, lostBy }) => {
          const [key, label] = name === 'everything' ? ['attacks', attackLabel] : [name, name];
          return { key, label, kind: 'difference' as const, of: lostBy };
        }),
      ]),
    ],
  };
}

/** Above a column or along an axis. */
export const attackLabel = 'Change under attacks';
