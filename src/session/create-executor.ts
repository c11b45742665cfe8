import type { Clock } from '../base/clock.ts';
import type { Executor } from '../engine/executors/contract.ts';
import { childProcessesExecutor, dividedExecutor, inProcessExecutor } from '../engine/executors/executors.ts';
import type { RecognizerServices } from '../recognizers/contract.ts';
import type { DescribedRecognizer } from './describe-recognizers.ts';

/** Where calls are made: `auto` as each member declares or the config says, or all of them at one place. */
export type ExecutorChoice = 'auto' | 'here' | 'processes';

export function createExecutor(
  recognizers: readonly DescribedRecognizer[],
  choice: ExecutorChoice,
  services: RecognizerServices,
  clock: Clock,
): Executor {
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
      import.meta.url.endsWith('.ts') ? '../recognizer-host.ts' : '../recognizer-host.js',
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
