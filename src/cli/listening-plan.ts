import { join } from 'node:path';
import { encodeWav } from '../audio/encode-wav.ts';
import { EarwitnessError } from '../base/errors.ts';
import { sha256 } from '../base/hash.ts';
import { nearestName } from '../base/nearest-name.ts';
import { printable } from '../base/printable.ts';
import { findRun } from '../engine/open-run.ts';
import { clean } from '../model/condition.ts';
import { withoutFormula } from '../report/csv/render-csv.ts';
import { openRunSounds } from '../session/cases/run-sounds.ts';
import { writeWhole } from '../session/export/write-whole.ts';
import type { Store } from '../store/contract.ts';
import { openStore } from '../store/sqlite/sqlite-store.ts';
import { rowFormatOf } from '../system/read-rows.ts';
import {
  clipName,
  type Hearable,
  inSquareOrder,
  type ListeningPlan,
  minutesOf,
  panelSize,
  planText,
  tasksOfSeat,
} from '../web/people/listening-plan.ts';
import { aboutMinutes } from '../web/people/transcribe-pages.ts';
import { type TrustFlags, trustedCode } from './cases/tell.ts';
import { say } from './output.ts';
import { createCountingLine } from './progress/counting-line.ts';
import { storeFile } from './store-option.ts';
import { refuseExisting } from './write-sound.ts';

/** What the plan is made from; refused where it says something else than the plan that there is. */
export interface PlanFlags {
  readonly run?: string;
  readonly condition?: readonly string[];
  readonly listeners?: number;
  readonly utterances?: number;
  readonly groupBy?: readonly string[];
  readonly profile?: ListeningPlan['profile'];
  readonly plays?: number;
  readonly loop?: true;
  readonly slow?: true;
  readonly seed?: number;
}

/** More than these nobody means to have heard, and a panel is as large. */
const maxConditions = 12;

/**
 * Makes the plan and its clips.
 *
 * @throws EarwitnessError `bad-usage` for conditions, attributes and numbers that do not fit the run; `bad-input` where audio cannot be made as it was
 */
export async function makePlan(
  table: string,
  files: { readonly plan: string; readonly clips: string },
  options: PlanFlags & TrustFlags & { readonly store?: string },
): Promise<ListeningPlan> {
  await refuseExisting(table, false);
  const file = await storeFile(options.store);
  using store = openStore(file, { readonly: true });
  const found = findRun(store, options.run ?? 'last');
  const { profile = 'one-condition', groupBy = [], plays = 3, utterances: most = null } = options;
  const conditions = chosenConditions(
    store.conditions(found.id).map(({ name }) => name),
    options.condition,
    profile,
  );
  const size = panelSize({ profile, conditions });
  const seats = options.listeners ?? size;
  if (seats % size !== 0) {
    throw new EarwitnessError(
      'bad-usage',
      `expected a multiple of ${size} listeners, one for each ${profile === 'sr-mt' ? 'changed ' : ''}condition, so that every clip is heard alike often, but got ${seats}; take ${Math.ceil(seats / size) * size}`,
    );
  }
  const seed = options.seed ?? found.seed;
  const chosen = inSquareOrder(hearable(store, found.id, groupBy), { seed, most });
  if (chosen.length === 0) {
    throw new EarwitnessError('bad-input', `run ${found.id}: expected utterances with audio, but there are none`);
  }
  await using sounds = await openRunSounds(store, found, file, trustedCode(options));
  const line = createCountingLine(process.stderr, 'clips');
  const utterances: ListeningPlan['utterances'][number][] = [];
  try {
    for (const [number, { id, group }] of chosen.entries()) {
      const clips = [];
      for (const [condition, conditionName] of conditions.entries()) {
        line.done(number * conditions.length + condition, chosen.length * conditions.length);
        const clip = await sounds.clip({ utteranceId: id, conditionName, draw: 0 });
        const bytes = encodeWav(clip, { format: 's16' });
        await writeWhole(join(files.clips, clipName({ utterance: number, condition })), bytes);
        const seconds = Number((clip.samples.length / clip.sampleRate).toFixed(2));
        clips.push({ sha256: sha256(bytes), seconds });
      }
      utterances.push({ id, group, clips });
    }
  } finally {
    line.clear();
  }
  const plan: ListeningPlan = {
    ...{ plan: 'earwitness transcribe, version 1', run: found.id, seed, profile, groupBy: [...groupBy], seats },
    ...{ plays: plays === 0 ? null : plays, loop: options.loop === true, slow: options.slow === true },
    ...{ conditions, utterances },
  };
  refuseFormulas(table, [...conditions, ...utterances.map(({ id }) => id)]);
  await writeWhole(files.plan, planText(plan));
  for (const told of [`${files.plan}: who hears what`, ...planLines(plan)]) say(told);
  return plan;
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
    throw new EarwitnessError(
      'bad-usage',
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
    throw new EarwitnessError(
      'bad-usage',
      'expected a changed condition to pair with clean, but the run has none; name another run with --run',
    );
  }
  if (chosen.length > most && wanted === undefined) {
    throw new EarwitnessError(
      'bad-usage',
      `expected at most ${most} conditions, because as many people hear every utterance once, but the run has ${chosen.length}; name some with --condition`,
    );
  }
  return chosen;
}

/** @throws EarwitnessError `bad-usage` for an attribute that no utterance has */
export function hearable(store: Store, runId: string, groupBy: readonly string[]): Hearable[] {
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
  throw new EarwitnessError(
    'bad-usage',
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

/** Spreadsheets run some texts as formulas, so CSV may not carry them as they are. */
export function refuseFormulas(table: string, names: readonly string[]): void {
  if (rowFormatOf(table) !== 'csv') return;
  const odd = names.find((name) => withoutFormula(name) !== name);
  if (odd === undefined) return;
  throw new EarwitnessError(
    'bad-usage',
    `expected names that CSV can carry, but a spreadsheet would run ${JSON.stringify(printable(odd, 60))}; name a table that ends in .jsonl`,
  );
}

/** @throws EarwitnessError `bad-usage` where flags want another plan than there is */
export function refuseOtherPlan(plan: ListeningPlan, options: PlanFlags, file: string): void {
  const { profile, seed, plays, listeners, utterances, loop, slow, groupBy, condition, run: wanted } = options;
  const differs =
    (profile !== undefined && profile !== plan.profile && '--profile') ||
    (seed !== undefined && seed !== plan.seed && '--seed') ||
    (plays !== undefined && (plays === 0 ? null : plays) !== plan.plays && '--plays') ||
    (listeners !== undefined && listeners !== plan.seats && '--listeners') ||
    (utterances !== undefined && utterances < plan.utterances.length && '--utterances') ||
    (loop === true && !plan.loop && '--loop') ||
    (slow === true && !plan.slow && '--slow') ||
    (groupBy !== undefined && groupBy.join('\n') !== plan.groupBy.join('\n') && '--group-by') ||
    (condition !== undefined &&
      !condition.every((name) => plan.conditions.some((one) => one === name || one.startsWith(`${name}:`))) &&
      '--condition') ||
    (wanted !== undefined && wanted !== 'last' && !plan.run.startsWith(wanted) && '--run');
  if (differs === false) return;
  throw new EarwitnessError(
    'bad-usage',
    `expected ${differs} as the plan has it, because it was made before anybody listened (${file}); leave it away, or begin with another table`,
  );
}

/** What each seat hears, and about how long that takes. */
export function seatsOf(plan: ListeningPlan) {
  return Array.from({ length: plan.seats }, (_, seat) => {
    const tasks = tasksOfSeat(plan, seat);
    return { clips: tasks.length, minutes: minutesOf(plan, tasks) };
  });
}

/** What a plan costs, for people. */
export function planLines(plan: ListeningPlan): string[] {
  const seats = seatsOf(plan);
  const minutes = seats.map((seat) => seat.minutes);
  const panels = plan.seats / panelSize(plan);
  return [
    `${plan.utterances.length} utterances, ${plan.conditions.length} conditions: ${plan.conditions.map((name) => printable(name, 60)).join(', ')}`,
    `${plan.seats} listeners: ${seats[0]!.clips} clips each, ${aboutMinutes(Math.max(...minutes))}`,
    `Every clip is heard by ${panels === 1 ? 'one person' : `${panels} people`}.`,
  ];
}
