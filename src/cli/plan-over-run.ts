import { join } from 'node:path';
import type { Clip } from '../audio/clip.ts';
import { encodeWav } from '../audio/encode-wav.ts';
import { badInput, badUsage } from '../base/errors.ts';
import { sha256 } from '../base/hash.ts';
import { nearestName } from '../base/nearest-name.ts';
import { printable } from '../base/printable.ts';
import { clean } from '../model/trial.ts';
import { openRunSounds } from '../session/cases/run-sounds.ts';
import { writePersonal } from '../session/export/write-whole.ts';
import type { RunRecord, Store } from '../store/contract.ts';
import { openStore } from '../store/open-store.ts';
import {
  clipName,
  type Hearable,
  inSquareOrder,
  type ListeningPlan,
  type PlannedClip,
  planText,
} from '../web/people/listening-plan.ts';
import { trustedCode, trustedFlags } from './cases/tell.ts';
import { collected, type Flag, type FlagsOf } from './flags.ts';
import { namedStore, naturalNumber, runStoreFlags, wholeFrom, wholeNumber } from './options.ts';
import { say } from './output.ts';
import { createCountingLine } from './progress/lines.ts';
import { refuseExisting } from './sound-files.ts';

/** For commander: a count that a plan may hold. */
export const upToHundred = wholeFrom(0, 100);

/** What any plan over a run's clips is made from. */
export const plannedFlags = [
  ...runStoreFlags,
  ...trustedFlags,
  ['--run <run>', 'whose clips are heard: a run, its beginning, or "last" (default: last)'],
  ['--condition <name>', 'a condition of the run, or a family of them; may be repeated (default: all)', collected],
  ['--listeners <n>', 'number of listeners (default: as many as have every clip heard alike often)', wholeNumber],
  ['--utterances <n>', 'how many utterances, drawn over groups and speakers (default: all)', wholeNumber],
  ['--group-by <attribute>', 'attribute whose values share the conditions alike; may be repeated', collected],
  ['--seed <n>', "seed of the plan (default: the run's)", naturalNumber],
] as const satisfies readonly Flag[];

export type PlannedFlags = FlagsOf<typeof plannedFlags>;

/** Where a plan and its clips are written. */
export interface PlanFiles {
  readonly plan: string;
  readonly clips: string;
}

/** More than these nobody means to have heard, and a panel is as large. */
const maxConditions = 12;

/** What a plan is made over. */
interface PlannedRun {
  readonly store: Store;
  readonly run: RunRecord;
  /** Names of all its conditions. */
  readonly conditions: readonly string[];
  readonly chosen: readonly Hearable[];
  /** How many utterances could be heard. */
  readonly available: number;
  readonly seed: number;
}

/** What is to be heard of each utterance, and the plan that comes of it. */
interface Prepared<Plan> {
  readonly conditions: readonly string[];
  /** The clips of an utterance as they are heard; default: as they are. */
  heard?(clips: readonly Clip[], utterance: Hearable): readonly Clip[];
  plan(utterances: readonly (Hearable & { readonly clips: readonly PlannedClip[] })[]): Plan;
}

/**
 * Makes a plan over a run and its clips.
 *
 * @param what who hears it: `who rates what`
 * @returns how many utterances could be heard besides
 * @throws EarwitnessError `bad-usage` for conditions, attributes and numbers that do not fit the run; `bad-input` where audio cannot be made as it was
 */
export async function planOverRun<Plan extends { readonly utterances: readonly unknown[] }>(
  table: string,
  files: PlanFiles,
  options: PlannedFlags,
  what: string,
  prepare: (from: PlannedRun) => Prepared<Plan>,
): Promise<{ readonly plan: Plan; readonly available: number }> {
  await refuseExisting(table, false);
  const { file, find } = await namedStore(options);
  using store = openStore(file, { readonly: true });
  const run = await find(store, options.run ?? 'last');
  const { groupBy = [], utterances: most = null, seed = run.seed } = options;
  const all = hearable(store, run.id, groupBy);
  if (all.length === 0) throw badInput(`run ${run.id}: expected utterances with audio, but there are none`);
  if (most !== null && most > all.length)
    say(`The run has ${all.length} utterances, not ${most}: all of them are in the plan`);
  const chosen = inSquareOrder(all, { seed, most });
  const known = store.conditions(run.id).map(({ name }) => name);
  const {
    conditions,
    heard,
    plan: planOf,
  } = prepare({
    ...{ store, run, conditions: known, chosen, seed },
    available: all.length,
  });
  await using sounds = await openRunSounds(store, run, file, trustedCode(options));
  const line = createCountingLine(process.stderr, 'clips');
  const utterances: (Hearable & { readonly clips: readonly PlannedClip[] })[] = [];
  try {
    for (const [number, utterance] of chosen.entries()) {
      const made: Clip[] = [];
      for (const conditionName of conditions) {
        line.done(number * conditions.length + made.length, chosen.length * conditions.length);
        made.push(await sounds.clip({ utteranceId: utterance.id, conditionName, draw: 0 }));
      }
      const clips = [];
      for (const [condition, clip] of (heard?.(made, utterance) ?? made).entries()) {
        const bytes = encodeWav(clip, { format: 's16' });
        await writePersonal(join(files.clips, clipName({ utterance: number, condition })), bytes);
        const seconds = Number((clip.samples.length / clip.sampleRate).toFixed(2));
        clips.push({ sha256: sha256(bytes), seconds });
      }
      utterances.push({ ...utterance, clips });
    }
  } finally {
    line.clear();
  }
  const plan = planOf(utterances);
  await writePersonal(files.plan, planText(plan));
  say(`${files.plan}: ${what}`);
  return { plan, available: all.length };
}

/** @throws EarwitnessError `bad-usage` for a number of listeners that does not let every clip be heard alike often */
export function refuseUneven(listeners: number, panel: number, each: string, done: string): void {
  if (listeners % panel === 0) return;
  throw badUsage(
    `expected a multiple of ${panel} listeners, one for each ${each}, so that every clip is ${done} alike often, but got ${listeners}; take ${Math.ceil(listeners / panel) * panel}`,
  );
}

/**
 * Conditions of a run that were named, or all of them.
 *
 * @param most how many there may be where nobody named any
 * @throws EarwitnessError `bad-usage` for a name that the run does not have, or too many
 */
export function chosenConditions(
  known: readonly string[],
  wanted: readonly string[] | undefined,
  profile: ListeningPlan['profile'],
  most = maxConditions,
): string[] {
  const others = known.filter((name) => name !== clean.name);
  const named = (wanted ?? [clean.name, ...others]).flatMap((name) => {
    if (name === clean.name) return [name];
    const found = others.filter((one) => one === name || one.startsWith(`${name}:`));
    if (found.length > 0) return found;
    const near = nearestName(name, others);
    throw badUsage(
      `expected a condition of the run, but got ${JSON.stringify(printable(name, 80))}; ${
        near === null
          ? `it has ${
              others
                .slice(0, 12)
                .map((one) => printable(one, 60))
                .join(', ') || 'none'
            }`
          : `did you mean ${JSON.stringify(printable(near, 80))}?`
      }`,
    );
  });
  const pairs = profile === 'sr-mt';
  const chosen = [...new Set(pairs ? [clean.name, ...named] : named)];
  if (pairs && chosen.length < 2) {
    throw badUsage(
      'expected a changed condition to pair with clean, but the run has none; name another run with --run',
    );
  }
  if (chosen.length > most && wanted === undefined) {
    throw badUsage(
      `expected at most ${most} conditions, because as many people hear every utterance once, but the run has ${chosen.length}; name some with --condition`,
    );
  }
  return chosen;
}

/** @throws EarwitnessError `bad-usage` for an attribute that no utterance has */
function hearable(store: Store, runId: string, groupBy: readonly string[]): Hearable[] {
  const found: Hearable[] = [];
  const seen = new Set<string>();
  const pageSize = 1000;
  for (let from = 0; ; from += pageSize) {
    const page = store.utterances(runId, { from, limit: pageSize });
    for (const { id, sound, speaker, attributes, made } of page) {
      if (sound === undefined || made !== undefined) continue;
      for (const name of Object.keys(attributes)) seen.add(name);
      const group = groupBy.map((name) => attributes[name] ?? 'unknown').join(' × ');
      found.push({ id, speaker: speaker ?? null, group, corpus: attributes.corpus ?? null });
    }
    if (page.length < pageSize) break;
  }
  const unknown = groupBy.find((name) => !seen.has(name));
  if (unknown === undefined || found.length === 0) return found;
  const near = nearestName(unknown, [...seen]);
  throw badUsage(
    `expected an attribute of the utterances, but none has ${JSON.stringify(printable(unknown, 60))}; ${
      near === null
        ? `they have ${
            [...seen]
              .slice(0, 12)
              .map((name) => printable(name, 40))
              .join(', ') || 'none'
          }`
        : `did you mean ${JSON.stringify(printable(near, 60))}?`
    }`,
  );
}

/**
 * @param own flags of one command, and whether they want another plan
 * @throws EarwitnessError `bad-usage` where flags want another plan than there is
 */
export function refuseOther(
  plan: Pick<ListeningPlan, 'run' | 'seed' | 'seats' | 'groupBy'> & { readonly profile: string },
  options: PlannedFlags & { readonly profile?: string },
  file: string,
  { conditions, utterances }: { readonly conditions: readonly string[]; readonly utterances: number },
  own: Readonly<Record<string, boolean>>,
): void {
  const { run, groupBy, condition } = options;
  const isOther = <One>(wanted: One | undefined, there: One) => wanted !== undefined && wanted !== there;
  const isKnown = (name: string) => conditions.some((one) => one === name || one.startsWith(`${name}:`));
  const found = Object.entries({
    '--profile': isOther<string>(options.profile, plan.profile),
    '--seed': isOther(options.seed, plan.seed),
    '--listeners': isOther(options.listeners, plan.seats),
    '--utterances': options.utterances !== undefined && options.utterances < utterances,
    ...own,
    '--group-by': isOther(groupBy?.join('\n'), plan.groupBy.join('\n')),
    '--condition': condition !== undefined && !condition.every(isKnown),
    '--run': run !== undefined && run !== 'last' && !plan.run.startsWith(run),
  }).find(([, differs]) => differs);
  if (found === undefined) return;
  throw badUsage(
    `expected ${found[0]} as the plan has it, because it was made before anybody listened (${file}); leave it out, or begin with another table`,
  );
}
