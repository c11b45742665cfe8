import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { RobustnessValue } from './degradation.ts';

/** Mean quality of the sound of a scenario; null where a measure was not taken or does not apply. */
export interface ScenarioQuality {
  /** Mean DNSMOS (P.808) over the utterances, 1 to 5. */
  readonly dnsmos: number | null;
  /** Mean PESQ over the utterances against the clean sound, 1 to 4.6. */
  readonly pesq: number | null;
}

/** Mean and standard deviation of a measure times -1, so that more is worse, and the points of the mean. */
export interface QualityScale {
  readonly mean: number;
  readonly deviation: number;
  readonly center: number;
}

/** What quality is measured against. Null where a measure has no spread or no values. */
export interface QualityScales {
  readonly dnsmos: QualityScale | null;
  readonly pesq: QualityScale | null;
}

/**
 * The scales of Speech Robust Bench, recomputed from the 307 and 283 means of quality in its repository (commit b858dbf). A
 * scenario measured against them has the difficulty it would have had there, whatever else is in a run. PESQ is centred
 * half a deviation higher than the paper says; its tables contain that.
 */
export const publishedQualityScales: QualityScales = {
  dnsmos: { mean: -3.20497, deviation: 0.398176, center: 50 },
  pesq: { mean: -2.058964, deviation: 1.065666, center: 62.5 },
};

/**
 * The same with PESQ centred at 50, as the paper's text says, and without the two means that its repository has under a
 * wrong name. The mildest scenarios come near 0 or below: nothing can be divided by them.
 */
export const recentredQualityScales: QualityScales = {
  dnsmos: publishedQualityScales.dnsmos,
  pesq: { mean: -2.042702, deviation: 1.051719, center: 50 },
};

/** Points of difficulty for one standard deviation of a measure. */
export const pointsPerDeviation = 25;

/**
 * The scales of a set of scenarios: mean and standard deviation (of the population, divided by n) over those that have the
 * measure, centred at 50. Adding a scenario changes the difficulty of all; keep scales or table to compare runs.
 *
 * @throws RangeError for a quality that is not finite
 */
export function qualityScales(scenarios: Iterable<ScenarioQuality>): QualityScales {
  const list = [...scenarios];
  return { dnsmos: scaleOf(list, 'dnsmos'), pesq: scaleOf(list, 'pesq') };
}

/**
 * How hard a scenario is by what it does to the quality of sound (Speech Robust Bench, section 3.2, with what its program
 * does): 50 + 25 z for DNSMOS and for PESQ, each times -1, z against the scales; the mean of those there are. Where an
 * effect changes the timing, PESQ is at its worst whatever it sounds like. The published tables leave PESQ out for Spanish,
 * by a slip in joining names.
 *
 * @throws RangeError for a quality that is not finite
 * @example qualityDifficulty({ dnsmos: 3.7727, pesq: 4.1336 }).value // 14.09, LibriSpeech with bass 1
 */
export function qualityDifficulty(
  quality: ScenarioQuality,
  scales: QualityScales = publishedQualityScales,
): RobustnessValue {
  const points = [pointsOf(quality.dnsmos, scales.dnsmos), pointsOf(quality.pesq, scales.pesq)].filter(
    (one) => one !== null,
  );
  if (points.length > 0) return { value: points.reduce((sum, one) => sum + one, 0) / points.length };
  const measured = quality.dnsmos !== null || quality.pesq !== null;
  return { value: null, reason: measured ? 'the scale has no spread' : 'neither DNSMOS nor PESQ is known' };
}

function pointsOf(quality: number | null, scale: QualityScale | null): number | null {
  if (quality !== null && !Number.isFinite(quality)) {
    throw new RangeError(`expected a quality that is a number or null, but got ${quality}`);
  }
  if (quality === null || scale === null || scale.deviation === 0) return null;
  return scale.center + (pointsPerDeviation * (-quality - scale.mean)) / scale.deviation;
}

function scaleOf(scenarios: readonly ScenarioQuality[], measure: 'dnsmos' | 'pesq'): QualityScale | null {
  const values = scenarios.flatMap((scenario) => {
    const quality = scenario[measure];
    if (quality !== null && !Number.isFinite(quality)) {
      throw new RangeError(`expected a quality that is a number or null, but got ${quality}`);
    }
    return quality === null ? [] : [-quality];
  });
  if (values.length === 0) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  return deviation === 0 ? null : { mean, deviation, center: 50 };
}

/** Difficulties by scenario, fixed once and for all. */
export interface DifficultyTable {
  /** How many scenarios it knows. */
  readonly scenarios: number;
  /** The difficulty of a scenario; null with a reason where the table has none. */
  difficulty(dataset: string, perturbation: string, severity: number): RobustnessValue;
}

/**
 * A frozen table of difficulties, so that normalized rates stay comparable when data sets are added. Made from the rows of
 * a CSV file with the columns `dataset`, `perturbation`, `severity` and the one that holds the difficulty, as the published
 * table of Speech Robust Bench has them (`difficulty_published`, `difficulty_recentred`). An empty cell is a scenario
 * without difficulty.
 *
 * @param rows cells by column name; the first row stands in line 2 of its file
 * @param column name of the column to take; `difficulty_published` by default
 * @throws EarwitnessError for a missing column, a cell that is no number, and a scenario that comes twice
 * @example
 * const table = createDifficultyTable([{ dataset: 'TEDLIUM', perturbation: 'gnoise', severity: '4', difficulty_published: '103.5357' }]);
 * table.difficulty('TEDLIUM', 'gnoise', 4).value // 103.5357
 */
export function createDifficultyTable(
  rows: Iterable<Readonly<Record<string, string>>>,
  column = 'difficulty_published',
): DifficultyTable {
  const difficulties = new Map<string, number | null>();
  let line = 1;
  for (const row of rows) {
    line++;
    const cell = (name: string) => {
      if (Object.hasOwn(row, name)) return row[name]!.trim();
      throw new EarwitnessError(
        'bad-input',
        `table of difficulties, line ${line}: expected a column "${printable(name)}", but there are ${printable(Object.keys(row).join(', '))}; add it or name another`,
      );
    };
    const severity = numberIn(cell('severity'), 'severity', line);
    const key = keyOf(cell('dataset'), cell('perturbation'), severity);
    const text = cell(column);
    if (difficulties.has(key)) {
      throw new EarwitnessError(
        'bad-input',
        `table of difficulties, line ${line}: expected each scenario once, but ${printable(cell('dataset'))}, ${printable(cell('perturbation'))}, severity ${severity} came before; take one of them out`,
      );
    }
    difficulties.set(key, text === '' ? null : numberIn(text, column, line));
  }
  return {
    scenarios: difficulties.size,
    difficulty(dataset, perturbation, severity) {
      const value = difficulties.get(keyOf(dataset, perturbation, severity));
      if (value === undefined) {
        const scenario = `${printable(dataset)}, ${printable(perturbation)}, severity ${severity}`;
        return { value: null, reason: `the table of difficulties lacks ${scenario}` };
      }
      return value === null ? { value, reason: 'the table gives this scenario no difficulty' } : { value };
    },
  };
}

function keyOf(dataset: string, perturbation: string, severity: number): string {
  return JSON.stringify([dataset, perturbation, severity]);
}

function numberIn(text: string, column: string, line: number): number {
  if (/^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i.test(text)) return Number(text);
  throw new EarwitnessError(
    'bad-input',
    `table of difficulties, line ${line}: expected a number as ${printable(column)}, but got "${printable(text)}"; mend the cell or leave it empty`,
  );
}
