import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EarwitnessError } from '../base/errors.ts';
import { sha256 } from '../base/hash.ts';
import { clipName, planText } from '../web/people/listening-plan.ts';
import type { PeopleStore } from '../web/people/people-store.ts';

/** What plans of listening tests have in common. */
interface ClipPlan {
  readonly utterances: readonly { readonly clips: readonly { readonly sha256: string }[] }[];
}

/**
 * Plan and clips as they were when people began.
 *
 * @param files names of the plan and of the folder of its clips
 * @throws EarwitnessError `bad-input` where either was changed since
 */
export async function keepToPlan(
  people: PeopleStore,
  plan: ClipPlan,
  files: { readonly plan: string; readonly clips: string },
): Promise<void> {
  for (const [utterance, { clips }] of plan.utterances.entries()) {
    for (const [condition, { sha256: expected }] of clips.entries()) {
      const path = join(files.clips, clipName({ utterance, condition }));
      const bytes = await readFile(path).catch(() => null);
      if (bytes !== null && sha256(bytes) === expected) continue;
      throw new EarwitnessError(
        'bad-input',
        `${path}: expected the clip of the plan, but ${bytes === null ? 'it is not there' : 'its bytes are others'}; put it back, or begin with another table`,
      );
    }
  }
  const hash = sha256(planText(plan));
  const before = people.remembered('plan');
  if (before === null) people.remember('plan', hash);
  else if (before !== hash) {
    throw new EarwitnessError(
      'bad-input',
      `${files.plan}: expected the plan by which people listened before, but it was changed; put it back, or begin with another table`,
    );
  }
}
