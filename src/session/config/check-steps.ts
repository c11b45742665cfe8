import { z } from 'zod';
import { EarwitnessError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Step } from '../../model/condition.ts';
import { loadMember } from '../members/load-member.ts';
import { checked } from './explain-issue.ts';
import { stepFrame } from './frame.ts';
import type { Problem } from './plain-data.ts';

const steps = z.array(stepFrame).max(100);

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
