import type { JsonObject } from '../../base/json.ts';
import type { BoxPlot, ColumnKind, Estimate, Plane, Section, Table } from '../../model/finding.ts';
import { quantileSorted } from '../../statistics/quantile.ts';
import { huberRegression } from '../../statistics/regression/huber-regression.ts';
import { toEstimate } from '../shared/estimates.ts';
import { recognizerColumn } from '../shared/tables.ts';
import { counted, named } from '../shared/wording.ts';
import { attackLabel } from './attacks-section.ts';
import type { Design } from './design.ts';
import type { Levels } from './levels.ts';
import { capitalized, type Loss, lossOf } from './levels-section.ts';
import type { RobustnessOptions } from './options.ts';

const factNames = ['family', 'architecture', 'training'] as const;

/** What goes with the size, family and training of the models; null where nobody gives facts. */
export function factsSection(levels: Levels, design: Design, options: RobustnessOptions): Section | null {
  const { measure, column, label } = lossOf(levels, options);
  const heading = capitalized(label);
  const rows = design.recognizers.flatMap(({ name, facts }, recognizer): FactRow[] => {
    const overall = levels.rows.find(
      (row) => row.level === 'overall' && row.scope === levels.scopes[0] && row.recognizer === recognizer,
    );
    return overall === undefined ? [] : [{ name, facts: modelFacts(facts), value: overall[measure] }];
  });
  const attacked = rows.flatMap((row): FactRow[] => {
    const own = levels.rows.find(
      ({ level, scope, recognizer }) =>
        level === 'adversarial' && scope === levels.scopes[0] && design.recognizers[recognizer]!.name === row.name,
    );
    return own === undefined ? [] : [{ ...row, value: own.degradation }];
  });
  if (!rows.some(({ facts }) => Object.values(facts).some((fact) => fact !== null))) return null;
  const text: string[] = [];
  const boxPlots: BoxPlot[] = [];
  for (const fact of factNames) {
    const found = factBoxes(rows, fact);
    const under = factBoxes(attacked, fact);
    if (found === null) continue;
    if ('reason' in found) text.push(`By ${fact}, no boxes are drawn: ${found.reason}.`);
    else
      boxPlots.push({
        title: `${heading} by ${fact}`,
        label: heading,
        kind: column.kind,
        boxes: found.boxes,
      });
    if (under !== null && 'boxes' in under)
      boxPlots.push({ title: `${attackLabel} by ${fact}`, label: attackLabel, kind: 'difference', boxes: under.boxes });
  }
  const effects = factEffects(rows, options.level);
  const attackEffects = factEffects(attacked, options.level);
  const planes = [
    { key: 'parameters', fact: 'parameters', what: 'Size of the model', xLabel: 'Parameters' } as const,
    { key: 'trainingHours', fact: 'training hours', what: 'Training data', xLabel: 'Training hours' } as const,
  ].flatMap((one) => [
    ...(factPlane(rows, one, { label, kind: column.kind, effects }) ?? []),
    ...(factPlane(attacked, one, { label: 'change under attacks', kind: 'difference', effects: attackEffects }) ?? []),
  ]);
  if (!planes.some(({ xLabel }) => xLabel === 'Parameters')) {
    text.push('Sizes are not drawn: fewer than two recognizers have a number of parameters.');
  }
  const effectTables: Table[] =
    effects.length === 0
      ? []
      : [
          {
            id: 'robustness-fact-effects',
            title: 'Association of degradation with model facts',
            columns: [
              { key: 'fact', label: 'Fact', kind: 'text' },
              { key: 'unit', label: 'For', kind: 'text' },
              ...(attacked.length > 0 ? [{ key: 'of', label: 'Of', kind: 'text' } as const] : []),
              {
                key: 'slope',
                label: attacked.length > 0 ? 'Slope' : heading,
                kind: 'difference',
                help: 'Slope of a robust regression line; below zero: less degradation.',
              },
            ],
            rows: [
              ...effects.map(({ fact, unit, slope }) => ({
                fact,
                unit,
                slope,
                ...(attacked.length > 0 && { of: heading }),
              })),
              ...attackEffects.map(({ fact, unit, slope }) => ({ fact, unit, of: attackLabel, slope })),
            ],
            note: 'Each fact is fitted alone: models differ in many facts at once, and these lines prove no cause.',
          },
        ];
  return {
    id: 'robustness-facts',
    title: 'Models',
    text,
    planes,
    boxPlots,
    tables: [
      {
        id: 'robustness-facts',
        title: 'Facts about the models',
        columns: [
          recognizerColumn,
          { key: 'parameters', label: 'Parameters', kind: 'count' },
          { key: 'family', label: 'Family', kind: 'text' },
          { key: 'architecture', label: 'Architecture', kind: 'text' },
          { key: 'training', label: 'Training', kind: 'text' },
          { key: 'trainingHours', label: 'Training hours', kind: 'count' },
          { key: 'languages', label: 'Languages', kind: 'count' },
          { ...column, label: heading },
          ...(attacked.length > 0 ? [{ key: 'attacks', label: attackLabel, kind: 'difference' } as const] : []),
        ],
        rows: rows.map(({ name, facts, value }) => ({
          recognizer: name,
          ...facts,
          [column.key]: value,
          ...(attacked.length > 0 && { attacks: attacked.find((row) => row.name === name)?.value ?? null }),
        })),
      },
      ...effectTables,
    ],
  };
}

/** A fact against loss, with the fitted line, and along sizes models of one family joined; null where fewer than two have the fact. */
function factPlane(
  rows: readonly FactRow[],
  {
    key,
    fact,
    what,
    xLabel,
  }: {
    readonly key: 'parameters' | 'trainingHours';
    readonly fact: string;
    readonly what: string;
    readonly xLabel: string;
  },
  {
    label,
    kind,
    effects,
  }: Pick<Loss, 'label'> & { readonly kind: ColumnKind; readonly effects: readonly FactEffect[] },
): [Plane] | null {
  const known = rows.flatMap(({ name, facts, value }) =>
    facts[key] === null || value.value === null ? [] : [{ name, facts, size: facts[key], value }],
  );
  if (known.length < 2) return null;
  const bySize = [...known.keys()].toSorted((a, b) => known[a]!.size - known[b]!.size);
  // Models of a family are often trained on the same data: a line along the hours would say nothing.
  const families = key === 'parameters' ? Map.groupBy(bySize, (place) => known[place]!.facts.family) : [];
  const at = effects.find((effect) => effect.fact === fact)?.at ?? null;
  const [least, most] = [known[bySize[0]!]!.size, known[bySize.at(-1)!]!.size];
  return [
    {
      title: `${what} and ${label}`,
      xLabel,
      xKind: 'count',
      xScale: 'log',
      yLabel: capitalized(label),
      yKind: kind,
      points: known.map(({ name, size, value }) => ({
        name,
        x: {
          value: size,
          low: null,
          high: null,
          level: value.level,
          n: value.n,
          reason: 'it is declared and not sampled',
          method: 'as declared',
        },
        y: value,
      })),
      lines: [...families].flatMap(([family, points]) =>
        family !== null && points.length > 1 ? [{ name: named(family), points }] : [],
      ),
      linesLabel: 'models of one family',
      ...(at !== null && {
        fits: [
          {
            name: 'robust line (Huber)',
            ends: [
              [least, at(least)],
              [most, at(most)],
            ],
          },
        ],
      }),
    },
  ];
}

/** One recognizer with what is known of its model and one robustness number of it. */
interface FactRow {
  readonly name: string;
  readonly facts: ModelFacts;
  readonly value: Estimate;
}

/** What a tenfold (or one more) of a fact goes with. */
interface FactEffect {
  readonly fact: string;
  readonly unit: string;
  /** Change of the number; recognizers are the observations. */
  readonly slope: Estimate;
  /** The fitted value at a value of the fact; null where no line could be fitted. */
  at: ((value: number) => number) | null;
}

/** Fewer recognizers give a line no interval worth printing, fewer in a group no box. */
const minForRegression = 8;
const minForBox = 4;

const numeric = [
  { fact: 'parameters', key: 'parameters', unit: 'ten times as many', base: 10 },
  { fact: 'training hours', key: 'trainingHours', unit: 'ten times as many', base: 10 },
  { fact: 'languages', key: 'languages', unit: 'twice as many', base: 2 },
] as const;

/**
 * What goes with facts about models: one robust line (Huber) for each fact that enough recognizers have, each alone, since
 * the models that can be had differ in all of them at once. A line through models is no proof of a cause.
 *
 * @returns a slope, or null with the reason, for every fact that any recognizer has
 */
function factEffects(rows: readonly FactRow[], level: number): FactEffect[] {
  return numeric.flatMap(({ fact, key, unit, base }): FactEffect[] => {
    const known = rows.flatMap(({ facts, value }) => {
      const x = log(facts[key], base);
      return x === null || value.value === null ? [] : [{ x, y: value.value, n: value.n }];
    });
    if (known.length === 0) return [];
    const n = {
      utterances: Math.max(...known.map((one) => one.n.utterances)),
      speakers: Math.max(...known.map((one) => one.n.speakers)),
    };
    const method = `Huber regression over ${counted(known.length, 'recognizer')}`;
    const without = (reason: string): FactEffect => ({
      fact,
      unit,
      slope: { value: null, low: null, high: null, level, n, reason, method },
      at: null,
    });
    if (known.length < minForRegression) {
      return [
        without(`a line needs at least ${minForRegression} recognizers with this fact, but there are ${known.length}`),
      ];
    }
    const fit = huberRegression(
      { response: known.map(({ y }) => y), predictors: { [fact]: known.map(({ x }) => x) } },
      { level },
    );
    const slope = fit.coefficients.find(({ name }) => name === fact);
    if (slope === undefined) return [without(fit.reason ?? 'no line could be fitted')];
    const intercept = fit.coefficients.find(({ name }) => name === '(intercept)')?.estimate.value ?? null;
    const rise = slope.estimate.value;
    return [
      {
        fact,
        unit,
        slope: { ...toEstimate(slope.estimate, n), method: `${method}, ${slope.estimate.method}` },
        at: intercept === null || rise === null ? null : (value) => intercept + rise * log(value, base)!,
      },
    ];
  });
}

/** Boxes by a fact in words, or why there are none. */
function factBoxes(
  rows: readonly FactRow[],
  fact: 'family' | 'architecture' | 'training',
): { readonly boxes: BoxPlot['boxes'] } | { readonly reason: string } | null {
  const known = rows.flatMap(({ name, facts, value }) => {
    const group = facts[fact];
    return group === null || value.value === null ? [] : [{ group, name, value: value.value }];
  });
  if (known.length === 0) return null;
  const groups = [...Map.groupBy(known, ({ group }) => group)];
  const large = groups.filter(([, members]) => members.length >= minForBox);
  if (large.length < 2) {
    const found = groups.map(([name, members]) => `${name} ${members.length}`).join(', ');
    return { reason: `boxes need two groups of at least ${minForBox} recognizers, but there are: ${found}` };
  }
  return {
    boxes: large.map(([name, members]) => {
      const values = Float64Array.from(members, ({ value }) => value).sort();
      return {
        name,
        least: values[0]!,
        firstQuartile: quantileSorted(values, 0.25),
        median: quantileSorted(values, 0.5),
        thirdQuartile: quantileSorted(values, 0.75),
        most: values.at(-1)!,
        points: members.map((member) => ({ name: member.name, value: member.value })),
      };
    }),
  };
}

function log(value: number | null, base: number): number | null {
  return value === null ? null : Math.log(value) / Math.log(base);
}

/** What is known of a recognizer's model; null where nobody says. */
interface ModelFacts {
  /** How many parameters it has. */
  readonly parameters: number | null;
  /** `whisper`: models that differ in size alone. */
  readonly family: string | null;
  /** `encoder-decoder`, `CTC`, `RNN-T`. */
  readonly architecture: string | null;
  /** `weakly supervised`, `self-supervised`. */
  readonly training: string | null;
  readonly trainingHours: number | null;
  /** How many languages it was made for. */
  readonly languages: number | null;
}

const multiples: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9, '': 1 };

/**
 * The facts about a model under their usual names: `parameters` and `trainingHours` as numbers or as `74M`, `languages` as a
 * list or a number. What cannot be read is as good as absent.
 *
 * @example modelFacts({ parameters: '74M', family: 'whisper', languages: ['en', 'es'] }).parameters // 74000000
 */
function modelFacts(facts: JsonObject): ModelFacts {
  const languages = facts.languages;
  return {
    parameters: size(facts.parameters),
    family: text(facts.family),
    architecture: text(facts.architecture),
    training: text(facts.training),
    trainingHours: size(facts.trainingHours),
    languages: Array.isArray(languages) ? new Set(languages.map(String)).size || null : size(languages),
  };
}

function size(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) && value > 0 ? value : null;
  if (typeof value !== 'string' || value.length > 30) return null;
  const parts = /^(\d+(?:\.\d+)?) ?([kmb]?)$/i.exec(value.replaceAll(/[,_]/g, '').trim());
  if (parts === null) return null;
  const number = Number(parts[1]) * multiples[parts[2]!.toLowerCase()]!;
  return Number.isFinite(number) && number > 0 ? number : null;
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 100) : null;
}
