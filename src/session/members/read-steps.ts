import { EarwitnessError, messageOf } from '../../base/errors.ts';
import type { Step } from '../../model/condition.ts';
import { checkSteps } from '../config/check-steps.ts';
import type { Problem } from '../config/plain-data.ts';

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
    throw new EarwitnessError(
      'bad-usage',
      `--steps: expected a JSON list like [{"perturbation": "gain", "parameters": {…}}], but this is no JSON (${messageOf(error)})`,
    );
  }
  const problems: Problem[] = [];
  const steps = await checkSteps(written, [], baseFolder, problems);
  if (problems.length === 0) return steps;
  const sentences = problems.slice(0, 5).map(({ path, at, text }) => {
    const place = (at === 'key' ? path.slice(0, -1) : path).join('.');
    return place === '' ? text : `${place}: ${text}`;
  });
  throw new EarwitnessError('bad-usage', `--steps: ${sentences.join('; ')}`);
}
