import { z } from 'zod';

const chosenRows = z
  .strictObject({ table: z.string(), column: z.string(), where: z.record(z.string(), z.string()).optional() })
  .describe('Rows of a table, by what they have in other columns, and the column that counts');

/** Of `Scores`. */
export const scores = z
  .strictObject({
    measure: z.string().describe('What the numbers are: `WER`'),
    of: z.string().describe('The column that names the rows; `recognizer` if absent').optional(),
    found: z.array(z.string()).optional(),
    columns: z.array(
      z.strictObject({
        words: z.string(),
        briefly: z.string().optional(),
        head: z.array(z.string()),
        note: z.string().describe('What the head leaves open').optional(),
        rates: chosenRows,
        comparisons: chosenRows.optional(),
        changes: chosenRows.optional(),
        kind: z.string().describe('How numbers are printed; `rate` if absent').optional(),
        best: z.enum(['highest']).nullable().describe('What is marked: the lowest if absent; null: nothing').optional(),
      }),
    ),
    ranks: z.number().describe('Index of the column that ranks'),
    left: z.string().optional(),
    apartElsewhere: z.literal(true).describe('How far they are apart is told by another finding').optional(),
    worst: z.strictObject({ differences: chosenRows, rates: chosenRows, attributes: z.array(z.string()) }).optional(),
    gaps: z.strictObject({ of: z.string(), differences: chosenRows, rates: chosenRows }).optional(),
  })
  .describe('In which tables the first table of every screen stands: recognizers by conditions, and groups');
