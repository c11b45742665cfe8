import type { JsonObject } from '../../base/json.ts';
import { counted } from '../../base/wording.ts';
import type { BoxPlot, ColumnKind, Estimate, Plane, Section } from '../../model/finding.ts';
import type { Reason } from '../../model/reason.ts';
import { quantileSorted } from '../../statistics/quantile.ts';
import { huberRegression } from '../../statistics/regression/huber-regression.ts';
import { measured, toEstimate } from '../shared/estimates.ts';
import { column, recognizerColumn, tableOf } from '../shared/tables.ts';
import { named } from '../shared/wording.ts';
import { attackLabel } from './attacks-section.ts';
import type { Design } from './design.ts';
import type { LevelRow, Levels } from './levels.ts';
import { capitalized, lossOf } from './levels-section.ts';
import type { RobustnessOptions } from './options.ts';

const factNames = ['family', 'architecture', 'training'] as const;

/** What goes with the size, family and training of the models; null where nobody gives facts. */
export function factsSection(levels: Levels, design: Design, options: RobustnessOptions): Section | null {
  const { measure, column: lost, label } = lossOf(levels, options);
  const models = design.recognizers.map(({ name, facts }) => ({ name, facts: modelFacts(facts) }));
  const rowsOf = (level: LevelRow['level'], of: 'degradation' | 'normalizedDegradation') =>
    levels.rows.flatMap((row): FactRow[] =>
      row.level === level && row.scope === levels.scopes[0] ? [{ ...models[row.recognizer]!, value: row[of] }] : [],
    );
  const rows = rowsOf('overall', measure);
  if (!rows.some(({ facts }) => Object.values(facts).some((fact) => fact !== null))) return null;
  const measures = [
    { rows, label, kind: lost.kind },
    { rows: rowsOf('adversarial', 'degradation'), label: 'change under attacks', kind: 'difference' },
  ] as const;
  const attacked = measures[1].rows;
  const text: string[] = [];
  const boxPlots = factNames.flatMap((fact) =>
    measures.flatMap(({ rows: own, label: of, kind }): BoxPlot[] => {
      const found = factBoxes(own, fact);
      if (found === null) return [];
      if ('boxes' in found) return [{ title: `${capitalized(of)} by ${fact}`, label: capitalized(of), kind, ...found }];
      if (own === rows) text.push(`By ${fact}, no boxes are drawn: ${found.reason}.`);
      return [];
    }),
  );
  const effects = measures.flatMap((one) =>
    factEffects(one.rows, options.level).map((effect) => ({ ...effect, of: capitalized(one.label) })),
  );
  const planes = numeric.flatMap((fact) => measures.flatMap((one) => factPlane(fact, one, effects) ?? []));
  if (!planes.some(({ xLabel }) => xLabel === numeric[0].label)) {
    text.push('Sizes are not drawn: fewer than two recognizers have a number of parameters.');
  }
  const modelsTable = tableOf('robustness-facts', 'Facts about the models', rows, [
    { ...recognizerColumn, of: ({ name }) => name },
    column('parameters', 'Parameters', 'count', ({ facts }) => facts.parameters),
    column('family', 'Family', 'text', ({ facts }) => facts.family),
    column('architecture', 'Architecture', 'text', ({ facts }) => facts.architecture),
    column('training', 'Training', 'text', ({ facts }) => facts.training),
    column('trainingHours', 'Training hours', 'count', ({ facts }) => facts.trainingHours),
    column('languages', 'Languages', 'count', ({ facts }) => facts.languages),
    { ...lost, label: capitalized(label), of: ({ value }) => value },
    attacked.length > 0 &&
      column(
        'attacks',
        attackLabel,
        'difference',
        ({ name }) => attacked.find((row) => row.name === name)?.value ?? null,
      ),
  ]);
  const effectsTable = tableOf('robustness-fact-effects', 'Association of degradation with model facts', effects, [
    { key: 'fact', label: 'Fact', kind: 'text' },
    { key: 'unit', label: 'For', kind: 'text' },
    attacked.length > 0 && { key: 'of', label: 'Of', kind: 'text' },
    {
      ...{ key: 'slope', label: attacked.length > 0 ? 'Slope' : capitalized(label), kind: 'difference' },
      help: 'Slope of a robust regression line; below zero: less degradation.',
    },
  ]);
  const note = 'Each fact is fitted alone: models differ in many facts at once, and these lines prove no cause.';
  const tables = [modelsTable, ...(effects.length > 0 ? [{ ...effectsTable, note }] : [])];
  return { id: 'robustness-facts', title: 'Models', text, planes, boxPlots, tables };
}

/** A fact against loss, with the fitted line, and along sizes models of one family joined; null where fewer than two have the fact. */
function factPlane(
  { key, fact, what, label: xLabel }: (typeof numeric)[number],
  { rows, label, kind }: { readonly rows: readonly FactRow[]; readonly label: string; readonly kind: ColumnKind },
  effects: readonly (FactEffect & { readonly of: string })[],
): Plane | null {
  const known = rows.flatMap(({ name, facts, value }) =>
    facts[key] === null || value.value === null ? [] : [{ name, facts, size: facts[key], value }],
  );
  if (what === null || known.length < 2) return null;
  const bySize = [...known.keys()].toSorted((a, b) => known[a]!.size - known[b]!.size);
  // Models of a family are often trained on the same data: a line along the hours would say nothing.
  const families = key === 'parameters' ? Map.groupBy(bySize, (place) => known[place]!.facts.family) : [];
  const at = effects.find((effect) => effect.fact === fact && effect.of === capitalized(label))?.at ?? null;
  const [least, most] = [known[bySize[0]!]!.size, known[bySize.at(-1)!]!.size];
  return {
    title: `${what} and ${label}`,
    ...{ xLabel, xKind: 'count', xScale: 'log', yLabel: capitalized(label), yKind: kind },
    points: known.map(({ name, size, value }) => ({
      name,
      x: { ...measured(size, value.n, { code: 'not-sampled' }, 'as declared'), level: value.level },
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
  };
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

const tenfold = { unit: 'ten times as many', base: 10 } as const;

/** `what`: the title of its plane; null: none is drawn. */
const numeric = [
  { fact: 'parameters', key: 'parameters', label: 'Parameters', what: 'Size of the model', ...tenfold },
  { fact: 'training hours', key: 'trainingHours', label: 'Training hours', what: 'Training data', ...tenfold },
  { fact: 'languages', key: 'languages', label: 'Languages', what: null, unit: 'twice as many', base: 2 },
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
    const without = (reason: Reason): FactEffect[] => {
      return [{ fact, unit, slope: { ...measured(null, n, reason, method), level }, at: null }];
    };
    if (known.length < minForRegression) {
      return without({ code: 'few-recognizers', need: minForRegression, have: known.length });
    }
    const data = { response: known.map(({ y }) => y), predictors: { [fact]: known.map(({ x }) => x) } };
    const fit = huberRegression(data, { level });
    const slope = fit.coefficients.find(({ name }) => name === fact);
    if (slope === undefined) return without(fit.reason ?? { code: 'no-fit' });
    const intercept = fit.coefficients.find(({ name }) => name === '(intercept)')?.estimate.value ?? null;
    const rise = slope.estimate.value;
    return [
      {
        ...{ fact, unit },
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
