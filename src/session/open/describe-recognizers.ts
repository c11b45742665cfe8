import type { Clock } from '../../base/clock.ts';
import { badConfig } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { CallMakers, Executor } from '../../engine/executors/contract.ts';
import { childProcessesExecutor, dividedExecutor, inProcessExecutor } from '../../engine/executors/executors.ts';
import type { RateLimit } from '../../engine/limits.ts';
import type { WishedRecognizer } from '../../engine/open-run.ts';
import type { RecognizerLimits, RecognizerSetup } from '../../engine/setup.ts';
import type { Price } from '../../model/observation.ts';
import { queueExecutor } from '../../queue/queue-executor.ts';
import type { RecognizerDescription, RecognizerKind, RecognizerServices } from '../../recognizers/contract.ts';
import type { Config, ConfiguredRecognizer, ExecutorChoice } from '../config/config.ts';
import { loadMember } from '../members/load-member.ts';
import { refuseForeignPrice, unpriced } from './paid-speech.ts';

/**
 * Makes calls where `choice` says: `auto` as each member declares or the config says, or all of them at one place.
 *
 * @param beside for a queue: the address of the store, where audio goes, and who is told that the server does not answer
 */
export function createExecutor(
  recognizers: readonly DescribedRecognizer[],
  choice: ExecutorChoice,
  services: RecognizerServices,
  clock: Clock,
  beside: QueueBeside,
): Executor {
  if (choice === 'queue') return queueOver(recognizers, beside);
  const named = new Map(recognizers.map((recognizer) => [recognizer.name, recognizer]));
  const isApart = (name: string): boolean => {
    if (choice !== 'auto') return choice === 'processes';
    const { configured, kind } = named.get(name)!;
    return (configured.isolate ?? kind.isolation) === 'process';
  };
  const here = inProcessExecutor((name) => {
    const { kind, configured } = named.get(name)!;
    return kind.open(configured.options, services);
  }, clock);
  const apart = childProcessesExecutor({
    entry: new URL(
      import.meta.url.endsWith('.ts') ? '../../recognizer-host.ts' : '../../recognizer-host.js',
      import.meta.url,
    ),
    addresses: Object.fromEntries(
      recognizers.map(({ name, configured }) => [
        name,
        {
          type: configured.type,
          options: configured.options,
          baseFolder: services.baseFolder,
          ...(services.jobsFolder !== undefined && { jobsFolder: services.jobsFolder }),
        },
      ]),
    ),
    concurrency: Object.fromEntries(recognizers.map(({ name, description }) => [name, description.concurrency])),
    clock,
  });
  return dividedExecutor(apart, here, isApart);
}

interface QueueBeside {
  readonly store: string;
  readonly clips: string | null;
  readonly tell?: (message: string) => void;
  readonly seen?: (makers: CallMakers) => void;
}

/** Calls that wait for workers at once, of a recognizer that is no service with a limit of its own. */
export const queuedAtOnce = 128;

function queueOver(recognizers: readonly DescribedRecognizer[], { store, clips, ...told }: QueueBeside): Executor {
  const asked = recognizers.map((recognizer) => {
    const { name, identity } = recognizer;
    return [name, { identity, mayCost: mayCost(recognizer) }] as const;
  });
  return queueExecutor(store, new Map(asked), clips, told);
}

/** A recognizer of the config as it stands today: described, not opened. */
export interface DescribedRecognizer {
  readonly name: string;
  readonly kind: RecognizerKind;
  readonly configured: ConfiguredRecognizer;
  readonly description: RecognizerDescription;
  /** With the hash of the user's own module, where it is one. */
  readonly identity: JsonObject;
}

/** All pairs of them are compared in each condition: 300 filled a gigabyte and a report that cannot be written. */
const maxRecognizers = 128;
const defaultAttempts = 4;
const defaultOpenTimeLimitSeconds = 300;

/**
 * The recognizers of a config, those that one entry stands for side by side.
 *
 * @throws EarwitnessError where an engine or a model is missing, with how to get it, where two have one name, or where there are too many
 */
export async function describeRecognizers(
  config: Config,
  services: RecognizerServices,
): Promise<DescribedRecognizer[]> {
  refuseMany(Object.keys(config.recognizers).length);
  const described = await Promise.all(
    Object.entries(config.recognizers).map(async ([entry, configured]): Promise<DescribedRecognizer[]> => {
      const { member: kind, moduleHash } = await loadMember('recognizers', configured.type, services.baseFolder);
      const own = (await kind.several?.(configured.options, services)) ?? [
        { name: entry, options: configured.options },
      ];
      return Promise.all(
        own.map(async ({ name, options }) => {
          const description = await kind.describe(options, services);
          const identity = moduleHash === null ? description.identity : { ...description.identity, module: moduleHash };
          return {
            name,
            kind,
            configured: { ...configured, options: options as JsonObject },
            description,
            identity,
          };
        }),
      );
    }),
  );
  const recognizers = described.flat();
  refuseMany(recognizers.length);
  refuseUnpriced(recognizers, config.budget.money);
  const names = recognizers.map(({ name }) => name);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice === undefined) return recognizers;
  throw badConfig(
    `recognizers: expected each name once, but ${JSON.stringify(twice)} is an entry or a system twice; rename the entry, or the system in its table`,
  );
}

function refuseUnpriced(recognizers: readonly DescribedRecognizer[], money: Price | undefined): void {
  if (money === undefined) return;
  for (const each of recognizers) {
    const price = priceOf(each);
    if (price !== null) refuseForeignPrice('recognizer', each.name, 'pricePerMinute', price, money);
    else if (each.description.hosted === true)
      throw unpriced('recognizer', each.name, 'pricePerMinute', money.currency);
  }
}

/** What a minute of a recognizer costs: as the config says, or as is known of it; null where neither does. */
const mayCost = (described: DescribedRecognizer) =>
  priceOf(described) !== null || described.description.hosted === true;

function priceOf({ configured, description }: DescribedRecognizer): Price | null {
  return configured.pricePerMinute ?? description.pricePerMinute ?? null;
}

function refuseMany(count: number): void {
  if (count <= maxRecognizers) return;
  throw badConfig(
    `recognizers: expected at most ${maxRecognizers}, all pairs of which are compared, but there are ${count}; make several runs in one \`store\`, and \`earwitness compare\` those`,
  );
}

/** What a run needs to know of a recognizer to find or begin itself. */
export function wishOf({ name, identity, description, configured }: DescribedRecognizer): WishedRecognizer {
  return { name, identity, pinned: description.pinned, epoch: configured.epoch };
}

/** A recognizer as the engine takes it. */
export async function setUpRecognizer(
  described: DescribedRecognizer,
  epoch: string | null,
  workers: number,
  choice: ExecutorChoice,
  services: RecognizerServices,
): Promise<RecognizerSetup> {
  const { name, kind, configured, description, identity } = described;
  const pricePerMinute = priceOf(described);
  return {
    name,
    identity: epoch === null ? identity : { ...identity, epoch },
    epoch,
    input: description.input,
    usesProcessor: description.usesProcessor,
    ...(kind.gradient !== undefined && description.pinned && { differentiable: true }),
    facts: { ...description.facts, ...configured.facts },
    mayCost: mayCost(described),
    pricePerMinute,
    ...(description.billing && { billing: description.billing }),
    vocabulary: (await kind.vocabulary?.(configured.options, services)) ?? null,
    limits: limitsOf(described, workers, choice),
  };
}

function limitsOf(
  { configured, description }: DescribedRecognizer,
  workers: number,
  choice: ExecutorChoice,
): RecognizerLimits {
  const { limits } = configured;
  // Whoever has processes of its own says itself how many calls it takes.
  const isShared = description.usesProcessor && description.batch === undefined;
  const isQueued = choice === 'queue' && description.hosted !== true;
  const rates: RateLimit[] = [];
  if (limits.perSecond !== undefined) rates.push(rate(limits.perSecond, 1));
  if (limits.perMinute !== undefined) rates.push(rate(limits.perMinute, 60));
  return {
    concurrency: limits.concurrency ?? (isQueued ? queuedAtOnce : isShared ? workers : description.concurrency),
    batch: description.batch ?? 1,
    rates,
    attempts: limits.attempts ?? defaultAttempts,
    timeLimitSeconds: limits.timeLimitSeconds ?? null,
    openTimeLimitSeconds: limits.openTimeLimitSeconds ?? defaultOpenTimeLimitSeconds,
  };
}

/** Less than one call in the unit of time is one call in a longer one. */
function rate(calls: number, perSeconds: number): RateLimit {
  const whole = Math.max(1, Math.floor(calls));
  return { calls: whole, perSeconds: (perSeconds * whole) / calls };
}
