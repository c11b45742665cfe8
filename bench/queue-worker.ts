import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { identityOf } from './invented-run.ts';

/** Starts a process that makes calls of the two recognizers of an invented run, each so many at once. */
export async function startWorker(address: string, concurrency: number, delaySeconds: number): Promise<ChildProcess> {
  const source = (file: string) => JSON.stringify(import.meta.resolve(`../src/${file}`));
  const script = `import { runWorker } from ${source('queue/queue-worker.ts')};
    import { inProcessExecutor } from ${source('engine/executors/executors.ts')};
    import { scripted } from ${source('recognizers/scripted/scripted.ts')};
    import { systemClock } from ${source('base/clock.ts')};
    const services = { baseFolder: '.', environment: () => undefined, fileHash: async () => '' };
    const options = scripted.options.parse({ needsAudio: true, rule: 'echo-id', concurrency: ${concurrency}, delaySeconds: ${delaySeconds} });
    const drain = new AbortController();
    process.on('SIGTERM', () => drain.abort());
    await runWorker({ address: ${JSON.stringify(address)}, place: null, drain: drain.signal, abort: new AbortController().signal,
      executor: inProcessExecutor(() => scripted.open(options, services), systemClock), ready: () => console.log('begun'),
      recognizers: ${JSON.stringify([0, 1].map((index) => ({ name: `r${index}`, identity: identityOf(index), concurrency })))} });
    const { user, system } = process.cpuUsage();
    console.error('worker: processor ' + ((user + system) / 1e6).toFixed(1) + ' s');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout!, 'data');
  return child;
}

export async function stopWorkers(workers: readonly ChildProcess[]): Promise<void> {
  for (const child of workers) {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}
