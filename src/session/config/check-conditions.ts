import { badUsage, EarwitnessError, messageOf } from '../../base/errors.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { list } from '../../base/option-kinds.ts';
import { clean, type Step } from '../../model/trial.ts';
import type { Ladder } from '../../perturbations/contract.ts';
import { attackLadder } from '../../perturbations/ladders/srb-table.ts';
import { resolveScenario } from '../../perturbations/scenarios.ts';
import { checked, type Problem } from '../members/explain-issue.ts';
import { loadLadders } from '../members/listings.ts';
import { loadMember } from '../members/load-member.ts';
import { stepFrame } from './frame.ts';

const steps = list(stepFrame, 0, 100);

/** Checks a list of steps, and gives them with their parameters as their perturbations' schemas complete them. */
export async function checkSteps(
  written: unknown,
  path: readonly PropertyKey[],
  baseFolder: string,
  problems: Problem[],
): Promise<Step[]> {
  const found: Step[] = [];
  for (const [index, { perturbation, parameters }] of (checked(steps, written, path, problems) ?? []).entries()) {
    try {
      const { member } = await loadMember('perturbations', perturbation, baseFolder);
      const complete = checked(member.parameters, parameters, [...path, index, 'parameters'], problems);
      if (complete) found.push({ perturbation, parameters: complete as JsonObject });
    } catch (error) {
      if (!(error instanceof EarwitnessError)) throw error;
      problems.push({ path: [...path, index, 'perturbation'], at: 'value', text: error.message });
    }
  }
  return found;
}

/**
 * Steps as one argument of a command line gives them: a JSON list of `{"perturbation": …, "parameters": {…}}`.
 *
 * @throws EarwitnessError `bad-usage`: no JSON, no list of steps, no such perturbation, wrong parameters
 */
export async function readSteps(text: string, baseFolder: string): Promise<Step[]> {
  let written: unknown;
  try {
    written = JSON.parse(text);
  } catch (error) {
    throw badUsage(
      `--steps: expected a JSON list like [{"perturbation": "gain", "parameters": {…}}], but this is no JSON (${messageOf(error)})`,
    );
  }
  return stepsOf(written, '--steps', baseFolder);
}

/**
 * Steps as a list of data.
 *
 * @param name what it is called where it came from
 * @throws EarwitnessError `bad-usage`: no list of steps, no such perturbation, wrong parameters
 */
export async function stepsOf(written: unknown, name: string, baseFolder: string): Promise<Step[]> {
  const problems: Problem[] = [];
  const steps = await checkSteps(written, [], baseFolder, problems);
  if (problems.length === 0) return steps;
  const sentences = problems.slice(0, 5).map(({ path, at, text }) => {
    const place = (at === 'key' ? path.slice(0, -1) : path).join('.');
    return place === '' ? text : `${place}: ${text}`;
  });
  throw badUsage(`${name}: ${sentences.join('; ')}`);
}

/**
 * Checks what studies agree upon calling `conditions` (names of scenarios, or conditions with steps), `relations` (a list of
 * objects that have such) and `ladders` (a study's own), which a study's schema cannot: it knows neither ladders nor perturbations. Gives the options back with the
 * parameters of all steps complete.
 *
 * @param fromConfig the config's own ladders
 */
export async function checkConditions(
  options: JsonObject,
  path: readonly PropertyKey[],
  fromConfig: readonly Ladder[],
  baseFolder: string,
  problems: Problem[],
): Promise<JsonObject> {
  const complete = (value: Json, at: readonly PropertyKey[]) => withCompleteSteps(value, at, baseFolder, problems);
  const ladders = isList(options.ladders) ? await complete(options.ladders, [...path, 'ladders']) : undefined;
  const conditions = isList(options.conditions)
    ? await complete(options.conditions, [...path, 'conditions'])
    : undefined;
  const relations = isList(options.relations) ? await complete(options.relations, [...path, 'relations']) : undefined;
  const named: (readonly [Json | undefined, readonly PropertyKey[]])[] = [
    [conditions, [...path, 'conditions']],
    ...(isList(relations) ? relations : []).map(
      (relation, index) => [(relation as JsonObject).conditions, [...path, 'relations', index, 'conditions']] as const,
    ),
  ];
  if (named.some(([names]) => isList(names))) {
    // Attacks are no scenarios by themselves: a study that cannot fill them in says so.
    const known = [...((ladders ?? []) as unknown as Ladder[]), ...fromConfig, ...(await loadLadders()), attackLadder];
    for (const [names, at] of named) if (isList(names)) checkNames(names, at, known, problems);
  }
  return {
    ...options,
    ...(ladders === undefined ? {} : { ladders }),
    ...(conditions === undefined ? {} : { conditions }),
    ...(relations === undefined ? {} : { relations }),
  };
}

function checkNames(
  names: readonly Json[],
  path: readonly PropertyKey[],
  known: readonly Ladder[],
  problems: Problem[],
): void {
  for (const [index, name] of names.entries()) {
    if (typeof name !== 'string' || name === clean.name) continue;
    try {
      resolveScenario(name, known);
    } catch (error) {
      if (!(error instanceof EarwitnessError)) throw error;
      problems.push({ path: [...path, index], at: 'value', text: error.message });
    }
  }
}

/** A copy in which every list called `steps` has been checked and completed. */
async function withCompleteSteps(
  value: Json,
  path: readonly PropertyKey[],
  baseFolder: string,
  problems: Problem[],
): Promise<Json> {
  if (isList(value)) {
    const copy: Json[] = [];
    for (const [index, item] of value.entries()) {
      copy.push(await withCompleteSteps(item, [...path, index], baseFolder, problems));
    }
    return copy;
  }
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, Json> = {};
  for (const [key, member] of Object.entries(value)) {
    copy[key] =
      key === 'steps' && isList(member)
        ? ((await checkSteps(member, [...path, key], baseFolder, problems)) as unknown as Json)
        : await withCompleteSteps(member, [...path, key], baseFolder, problems);
  }
  return copy;
}

function isList(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}
