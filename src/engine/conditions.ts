import { callerNames } from '../base/caller.ts';
import { badConfig, EarwitnessError } from '../base/errors.ts';
import { canonicalJson } from '../base/hash.ts';
import type { Json } from '../base/json.ts';
import type { Condition, Step } from '../model/trial.ts';
import { keyedParameters, type ReadyStep, readyStep } from '../perturbations/apply-steps.ts';
import type { AssetServices, Perturbation } from '../perturbations/contract.ts';
import type { Store } from '../store/contract.ts';

/** A condition of a run, ready to be applied. */
export interface ReadyCondition {
  readonly index: number;
  readonly condition: Condition;
  readonly steps: readonly ReadyStep[];
  /** Whether another draw gives another sound. */
  readonly random: boolean;
  /** Whether what was said in the utterance decides the sound. */
  readonly readsText: boolean;
  /** Whether a sound takes so long to make that it is kept. */
  readonly costly: boolean;
  /** Steps with versions and parameters: what the sound depends on. */
  readonly recipe: Json;
}

/** What names alone need of a condition. */
export type NamedCondition = Pick<ReadyCondition, 'index' | 'condition'>;

/** The conditions of a run, numbered in the order in which they were first asked for. */
export interface ConditionBook {
  /**
   * @throws EarwitnessError `bad-config` where a name stands for two different conditions, or a parameter is wrong
   */
  ready(condition: Condition): Promise<ReadyCondition>;
  at(index: number): Promise<ReadyCondition>;
  /**
   * A condition as recognizers know it that hear nothing: no collection, room or network that its steps name is opened.
   *
   * @throws EarwitnessError as `ready`
   */
  named(condition: Condition): Promise<NamedCondition>;
  namedAt(index: number): Promise<NamedCondition>;
  /** A condition in which something is heard in this run, as far as that is known yet; null for others. */
  heard(index: number): Promise<ReadyCondition> | null;
}

export function createConditionBook(
  store: Pick<Store, 'conditions' | 'addCondition'>,
  runId: string,
  perturbation: (name: string) => Promise<Perturbation>,
  assets: AssetServices,
): ConditionBook {
  const names = new Map<string, { readonly steps: string; readonly entry: Entry }>();
  const byIndex: Entry[] = [];
  /** Conditions that were found to be those of their names: a million questions name a few. */
  const met = new WeakMap<Condition, Entry>();

  const name = async (condition: Condition, index: number) => {
    const perturbations = await Promise.all(condition.steps.map((step) => perturbation(step.perturbation)));
    const steps = condition.steps.map((step, position) => complete(condition.name, step, perturbations[position]!));
    return { index, condition: { ...condition, steps }, perturbations };
  };
  const make = async (named: Entry['named']): Promise<ReadyCondition> => {
    const { index, condition, perturbations } = await named;
    const { steps } = condition;
    const ready = await Promise.all(
      steps.map(({ parameters }, position) => readyStep(perturbations[position]!, parameters, assets)),
    );
    return {
      index,
      condition,
      steps: ready,
      random: perturbations.some(({ random }) => random),
      readsText: perturbations.some((one, position) => one.readsText?.(steps[position]!.parameters) === true),
      costly: perturbations.some(({ costly }) => costly === true),
      recipe: ready.map(({ perturbation, prepared }, position) => {
        const { name, version } = perturbation;
        const step = { name, version, parameters: keyedParameters(perturbation, steps[position]!.parameters) };
        return prepared === null ? step : { ...step, assets: prepared.identity };
      }),
    };
  };
  const add = (condition: Condition, stored = false): Entry => {
    const named = name(condition, byIndex.length);
    named.catch(() => {});
    const entry: Entry = { named, ready: null, stored };
    names.set(condition.name, { steps: canonicalJson(condition.steps as unknown as Json), entry });
    byIndex.push(entry);
    return entry;
  };
  for (const condition of store.conditions(runId)) add(condition, true);

  const entryOf = (condition: Condition): Entry => {
    let entry = met.get(condition);
    if (entry === undefined) {
      entry = entryNamed(condition);
      met.set(condition, entry);
    }
    return entry;
  };
  const entryNamed = (condition: Condition): Entry => {
    const known = names.get(condition.name);
    if (!known) {
      store.addCondition(runId, byIndex.length, condition);
      return add(condition);
    }
    if (known.steps !== canonicalJson(condition.steps as unknown as Json)) {
      if (known.entry.stored) {
        throw new EarwitnessError(
          'run-differs',
          `run ${runId} has another condition ${JSON.stringify(condition.name)} than its studies ask about now; start a new run with ${callerNames().newRun}: it reuses every answer that still applies`,
        );
      }
      throw badConfig(
        `the name ${JSON.stringify(condition.name)} is used for two different conditions; give one of them another name`,
      );
    }
    return known.entry;
  };
  const readied = (entry: Entry): Promise<ReadyCondition> => {
    entry.ready ??= make(entry.named);
    return entry.ready;
  };
  return {
    ready: (condition) => readied(entryOf(condition)),
    at: (index) => readied(byIndex[index]!),
    named: (condition) => entryOf(condition).named,
    namedAt: (index) => byIndex[index]!.named,
    heard: (index) => byIndex[index]!.ready,
  };
}

/** A condition of the book; what its steps need is opened when its sound is first wanted. */
interface Entry {
  readonly named: Promise<NamedCondition & { readonly perturbations: readonly Perturbation[] }>;
  ready: Promise<ReadyCondition> | null;
  /** Whether it was there before this start of the program. */
  readonly stored: boolean;
}

/** A step with the defaults that its perturbation declares: written out or left away, it is the same sound. */
function complete(conditionName: string, step: Step, perturbation: Perturbation): Step {
  const parsed = perturbation.parameters.safeParse(step.parameters);
  if (parsed.success) return { perturbation: step.perturbation, parameters: parsed.data };
  const [issue] = parsed.error.issues;
  const where = issue?.path.length ? ` at ${issue.path.join('.')}` : '';
  throw badConfig(
    `condition ${JSON.stringify(conditionName)}: expected parameters of ${perturbation.name} as \`earwitness list perturbations ${perturbation.name}\` shows them, but${where}: ${issue?.message ?? 'they are wrong'}`,
  );
}
