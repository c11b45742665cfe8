import { z } from 'zod';
import { failureKinds } from '../../model/observation.ts';
import { reasonCodes } from '../../model/reason.ts';
import { scores } from './scores-schema.ts';

// `report.json` as programs may rely on it. `scripts/generate-catalog.ts` writes it as schema/report.schema.json.

/** Number of the form of `report.json`: raised when a member is renamed, goes or changes its meaning, not when one comes. */
export const reportFormat = 4;

const sampleSize = z
  .strictObject({
    utterances: z.number(),
    unit: z.literal('recording').optional().describe('What `utterances` are where nobody speaks in them'),
    speakers: z.number().describe('Known ones'),
    words: z.number().optional().describe('Reference words, where the number is a rate over words'),
    normalizer: z.string().optional().describe('With `words`: what made them, with its version'),
    pairs: z.number().optional().describe('Pairs, for a paired comparison'),
    ratings: z.number().optional().describe('Of ratings: how many there are'),
    listeners: z.number().optional().describe('With `ratings`: of how many listeners; 0: unknown'),
  })
  .describe('How much data stands behind a number');

const reason = z
  .looseObject({
    code: z.enum(reasonCodes).describe('Tells what kind of reason it is; the other members are its numbers'),
    unit: z.string().optional().describe('What is counted: speaker, recording, utterance, listener, text'),
  })
  .meta({ id: 'reason' })
  .describe('Why there is no number, interval, test or verdict');

const estimate = z
  .strictObject({
    value: z.number().nullable().describe('Null with a reason. Rates are shares: .12 for 12 %'),
    low: z.number().nullable().describe('Lower end of the interval; null together with `high`, with a reason'),
    high: z.number().nullable().describe('Upper end of the interval'),
    level: z.number().describe('Confidence level of the interval, .95 for 95 %'),
    n: sampleSize,
    reason: reason.optional().describe('Why value or interval is null'),
    method: z
      .string()
      .describe('How the interval was made: the same value, n and method have the same interval everywhere'),
  })
  .meta({ id: 'estimate' })
  .describe('A number with its uncertainty');

const verdict = z
  .enum(['better', 'worse', 'cannot tell'])
  .describe('Of the second beside the first: never more than interval and test together say');

const comparison = z
  .strictObject({
    difference: estimate,
    pValue: z.number().nullable().describe('By itself; two-sided, null with a reason where no test can be made'),
    adjustedPValue: z.number().nullable().describe('Corrected for the comparisons made together'),
    minPValue: z.number().nullable().optional().describe('What neither can be less than with so many speakers'),
    test: z.string(),
    verdict,
    open: z
      .strictObject({
        reason,
        more: z.number().nullable().describe('About how many more would settle it'),
        unit: z.enum(['speaker', 'recording']),
        decidedBy: z
          .strictObject({ count: z.number().int(), what: z.enum(['speaker', 'recording', 'utterance']) })
          .optional()
          .describe('So few decide it, and more speakers would not settle it'),
      })
      .optional()
      .describe(
        'With the verdict `cannot tell`: why; with `low` and `high` of `corrected` its interval among the others',
      ),
    reason: reason.optional(),
  })
  .meta({ id: 'comparison' })
  .describe('The difference between two estimates, with a test');

const columnKind = z.enum([
  'text',
  'count',
  'rate',
  'difference',
  'points',
  'seconds',
  'ratio',
  'money',
  'decibels',
  'pvalue',
  'verdict',
  'number',
]);

const table = z
  .strictObject({
    id: z.string().describe('Unique in its finding; names the CSV file'),
    title: z.string(),
    columns: z.array(
      z.strictObject({
        key: z.string(),
        label: z.string(),
        kind: columnKind,
        help: z.string().optional(),
        transcript: z.literal(true).optional().describe('Holds words that were said'),
        ranks: z
          .literal([true, 'size'])
          .optional()
          .describe('The summary ranks by it, lowest first or, by `size`, nearest to 0 first'),
      }),
    ),
    rows: z
      .array(z.record(z.string(), z.union([z.string(), z.number(), z.null(), estimate, comparison])))
      .describe('Cells by the keys of the columns'),
    note: z.string().optional(),
    leads: z.string().optional().describe('Stands on the first screen, with this in its corner'),
    ofNames: z.literal(true).optional().describe('Its two rates are of two names, not of two times'),
  })
  .meta({ id: 'table' });

const point = z.strictObject({ x: z.number().describe('Index into xTicks'), estimate });
const chart = z.strictObject({
  title: z.string(),
  xLabel: z.string(),
  xTicks: z.array(z.string()),
  yLabel: z.string(),
  yKind: columnKind,
  unordered: z.literal(true).optional().describe('The ticks are no scale: points are not joined'),
  series: z.array(
    z.strictObject({
      name: z.string(),
      points: z.array(point),
      data: z
        .array(z.strictObject({ x: z.number(), value: z.number() }))
        .optional()
        .describe('What was measured, where points are of a function fitted to it; x may lie between ticks'),
    }),
  ),
});
const plane = z.strictObject({
  title: z.string(),
  xLabel: z.string(),
  xKind: columnKind,
  yLabel: z.string(),
  yKind: columnKind,
  xScale: z.enum(['linear', 'log']).optional(),
  points: z.array(z.strictObject({ name: z.string(), x: estimate, y: estimate })),
  lines: z.array(z.strictObject({ name: z.string(), points: z.array(z.number()) })).optional(),
  linesLabel: z.string().optional().describe('What it means that points are joined'),
  front: z.array(z.number()).optional().describe('Points that no other beats: indexes into `points`'),
  fits: z
    .array(
      z.strictObject({
        name: z.string(),
        ends: z.array(z.array(z.number())).describe('[x, y] of both ends; straight on the axes as they are drawn'),
      }),
    )
    .optional()
    .describe('Lines fitted through all points'),
});
const boxPlot = z.strictObject({
  title: z.string(),
  label: z.string(),
  kind: columnKind,
  boxes: z.array(
    z.strictObject({
      name: z.string(),
      least: z.number(),
      firstQuartile: z.number(),
      median: z.number(),
      thirdQuartile: z.number(),
      most: z.number(),
      points: z.array(z.strictObject({ name: z.string(), value: z.number() })),
    }),
  ),
});
const bars = z.strictObject({
  title: z.string(),
  label: z.string(),
  kind: columnKind,
  series: z.array(z.string()),
  rows: z.array(z.strictObject({ name: z.string(), values: z.array(z.union([estimate, z.number(), z.null()])) })),
  means: z.array(z.strictObject({ name: z.string(), value: z.number() })).optional(),
});
const heatMap = z.strictObject({
  title: z.string(),
  kind: columnKind,
  rowLabel: z.string().optional().describe('What the rows are; `Group` if absent'),
  than: z.string().optional().describe('What they are worse or better than; `everybody` if absent'),
  columns: z.array(z.string()),
  rows: z.array(z.strictObject({ name: z.string(), cells: z.array(comparison) })),
});

const example = z.strictObject({
  title: z.string(),
  utteranceId: z.string(),
  conditionName: z.string(),
  draw: z.number(),
  language: z.string().optional().describe('Of what was said (BCP 47)'),
  transcripts: z.array(
    z.strictObject({
      label: z.string(),
      aligned: z
        .array(z.strictObject({ reference: z.string().nullable(), hypothesis: z.string().nullable() }))
        .nullable()
        .describe('Words side by side; a missing side is a deletion or an insertion. Null where the trial failed'),
      failure: z.strictObject({ kind: z.enum(failureKinds), message: z.string().optional() }).optional(),
      note: z.string().optional(),
    }),
  ),
  startSeconds: z.number().optional(),
});

const section = z.strictObject({
  id: z.string(),
  title: z.string(),
  text: z.array(z.string()).optional(),
  summary: z.literal(true).optional().describe('The beginnings of its tables stand in the summary on the terminal'),
  planes: z
    .array(plane)
    .optional()
    .describe('Views, of which those alone are here that draw a number that no table has'),
  charts: z.array(chart).optional(),
  boxPlots: z.array(boxPlot).optional(),
  bars: z.array(bars).optional(),
  heatMaps: z.array(heatMap).optional(),
  tables: z.array(table).optional(),
  examples: z.array(example).optional(),
});

const about = z
  .strictObject({
    recognizer: z.string().optional(),
    conditions: z.array(z.string()).optional(),
    group: z.record(z.string(), z.string()).optional().describe('Values of attributes of the speakers'),
    language: z.string().optional(),
    than: z
      .strictObject({
        recognizer: z.string().optional(),
        condition: z.string().optional(),
        repeat: z.number().optional(),
      })
      .optional()
      .describe('What these trials stand beside: the same ones, but for what is named here'),
    by: z
      .enum(['errors', 'words', 'change', 'failures', 'failed tests'])
      .optional()
      .describe('What an utterance shows it by; `errors` if absent'),
  })
  .describe('The trials that a sentence is about; what is absent is not restricted');

const statement = z
  .strictObject({
    text: z.string(),
    verdict: verdict.optional(),
    cell: z
      .strictObject({ table: z.string(), row: z.number().describe('From 0'), column: z.string() })
      .optional()
      .describe('Where the number that it quotes stands'),
    estimate: estimate.optional().describe('A number that no table has'),
    comparison: comparison.optional().describe('One that no table has'),
    kind: columnKind.optional().describe('How the number is printed; `rate` if absent'),
    headline: z.literal(true).optional().describe('Belongs to the few lines for whoever reads nothing else'),
    about: about.optional(),
    examples: z.array(example).optional().describe('The few utterances that show it most, chosen by `about`'),
  })
  .describe('One sentence of the answer, with the cell that it quotes');

const finding = z
  .strictObject({
    study: z.strictObject({ name: z.string(), version: z.number() }),
    name: z.string().optional().describe('Unique in the report: names the files of its tables'),
    title: z.string(),
    conditionNames: z
      .record(z.string(), z.string())
      .optional()
      .describe('What people call conditions, by their names in tables'),
    unchanged: z.literal(true).optional().describe('Two sides that were compared gave the same answers'),
    settings: z
      .record(z.string(), z.json())
      .describe('Everything that decides the numbers: `normalizer` with its version, level, resamples, profile, …'),
    scores: scores.optional(),
    answer: z.array(statement).describe('The most important first'),
    sections: z.array(section),
    warnings: z.array(z.string()).describe('What the reader must know before believing it'),
    timing: z
      .strictObject({ answer: z.array(statement), sections: z.array(section) })
      .optional()
      .describe('Speed, which differs from run to run'),
  })
  .describe('What a study concludes');

/** The whole of `report.json`. */
export const reportSchema = z
  .strictObject({
    format: z.literal(reportFormat).describe('Number of this form'),
    earwitness: z.string().describe('Version of the program'),
    run: z.strictObject({ name: z.string(), seed: z.number() }),
    recognizers: z.array(
      z.strictObject({
        name: z.string().describe('In the config'),
        identity: z.record(z.string(), z.json()).describe('Engine, version, model, settings'),
      }),
    ),
    tally: z
      .strictObject({
        trials: z.number(),
        answered: z.number(),
        failed: z.number(),
        reused: z.number().describe('Of these, taken from answers that were stored before'),
        failures: z.record(z.string(), z.number()).describe('Failed trials by kind'),
        possiblyPaid: z.number().describe('Calls that were sent and whose answer never arrived'),
      })
      .describe('Outcome of the trials'),
    failures: z
      .array(
        z.strictObject({
          recognizer: z.string(),
          trials: z.number(),
          failed: z.number(),
          reasons: z.array(
            z.strictObject({
              kind: z.enum(failureKinds),
              message: z.string(),
              count: z.number(),
              varied: z.boolean(),
            }),
          ),
        }),
      )
      .describe('Of recognizers with failed trials alone'),
    findings: z.array(finding),
    language: z.string().optional().describe('Of what was said, where all of it is in one (BCP 47)'),
    warnings: z.array(z.string()),
    timing: z.record(z.string(), z.json()).describe('What differs between two runs of the same'),
  })
  .describe('What a run found. Members named `timing` differ between two runs of the same, all others do not');
