import { z } from 'zod';
import { EarwitnessError } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { nearestName } from '../base/nearest-name.ts';
import type { Step } from '../model/condition.ts';
import type { Perturbation } from './contract.ts';

/** More steps than anybody means, so that a file cannot keep the machine busy for ever. */
const mostSteps = 100;

const writtenSteps = z
  .array(z.strictObject({ perturbation: z.string(), parameters: z.record(z.string(), z.json()).default({}) }))
  .max(mostSteps);

/**
 * Reads steps from data that somebody wrote, and completes their parameters with what is usual.
 *
 * @param written `[{ "perturbation": "gain", "parameters": { "factor": 0.5 } }]`
 * @param perturbation finds one by its name; null where there is none
 * @param place what error messages begin with
 * @throws EarwitnessError `bad-config`: the first thing that is wrong, with the place where it stands
 * @example await parseSteps(JSON.parse(text), (name) => (name === 'gain' ? gain : null))
 */
export async function parseSteps(
  written: unknown,
  perturbation: (name: string) => Promise<Perturbation | null> | Perturbation | null,
  place = 'steps',
): Promise<Step[]> {
  const steps: Step[] = [];
  for (const [position, step] of checked(writtenSteps, written, place).entries()) {
    const found = await perturbation(step.perturbation);
    if (found === null) {
      throw new EarwitnessError(
        'bad-config',
        `${place}[${position}].perturbation: expected the name of a perturbation, but there is no ${shown(step.perturbation)}; list them with: earwitness list perturbations`,
      );
    }
    const parameters = checked(found.parameters, step.parameters, `${place}[${position}].parameters`);
    steps.push({ perturbation: step.perturbation, parameters });
  }
  return steps;
}

function checked<Output>(schema: z.ZodType<Output>, value: unknown, place: string): Output {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new EarwitnessError('bad-config', explain(result.error.issues[0]!, value, place, schema));
}

function explain(issue: z.core.$ZodIssue, value: unknown, place: string, schema: z.ZodType): string {
  const path = issue.path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  if (issue.code === 'unrecognized_keys') {
    const wrong = issue.keys[0]!;
    const known = schema instanceof z.ZodObject && issue.path.length === 0 ? Object.keys(schema.shape) : [];
    const nearest = nearestName(wrong, known);
    const hint =
      nearest !== null
        ? `did you mean "${nearest}"?`
        : known.length > 0
          ? `expected ${known.join(', ')}`
          : 'take it out';
    return `${place}${path}: unknown key ${shown(wrong)}; ${hint}`;
  }
  const came = issue.path.reduce<unknown>((part, key) => (part as JsonObject | undefined)?.[key as string], value);
  // Zod's sentences are `Invalid input: expected number, received …` and `Too small: expected number to be >=0`.
  const expected = /expected .*?(?=, received|$)/.exec(issue.message)?.[0] ?? issue.message;
  return `${place}${path}: ${expected}, but ${came === undefined ? 'it is missing' : `got ${shown(came)}`}`;
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 80);
}
