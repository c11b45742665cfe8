// Seconds that one, two and four workers take for 320 calls, of so many clips of a second (320), of a recognizer that waits 0.1 s, four at once in each, best of some turns.
// Goal: two at least 1.9 times as fast as one, four 3.7 times. usage: node bench/queue-waits.ts ADDRESS OF AN EMPTY DATABASE [turns] [clips]
import { queueExecutor } from '../src/queue/queue-executor.ts';
import { identityOf } from './invented-run.ts';
import { startWorker, stopWorkers } from './queue-worker.ts';

const [address = '', turns = '2', clips = '320'] = process.argv.slice(2);
const counts = [1, 2, 4];
const { signal } = new AbortController();
const best = new Map(counts.map((count) => [count, Number.POSITIVE_INFINITY]));
for (let turn = 0; turn < Number(turns); turn++) {
  for (const count of counts) {
    const executor = queueExecutor(address, new Map([['r0', { identity: identityOf(0), mayCost: false }]]), null);
    const ask = (index: number) => {
      const request = { utteranceId: `u${index}`, conditionName: 'clean', repeat: 0, language: 'en' };
      const job = { recognizer: 'r0', request, timeLimitSeconds: 30, openTimeLimitSeconds: 30 };
      return executor.run(
        job,
        { sampleRate: 16_000, samples: new Float32Array(16_000).fill((index % Number(clips)) / 1000) },
        signal,
      );
    };
    const workers = await Promise.all(Array.from({ length: count }, () => startWorker(address, 4, 0.1)));
    // Each has opened the recognizer then.
    await Promise.all(Array.from({ length: 16 }, (_, index) => ask(index)));
    const startMs = performance.now();
    await Promise.all(Array.from({ length: 320 }, (_, index) => ask(100 + index)));
    const seconds = (performance.now() - startMs) / 1000;
    best.set(count, Math.min(best.get(count)!, seconds));
    console.log(`${count} workers: ${seconds.toFixed(2)} s`);
    await stopWorkers(workers);
    await executor.close();
  }
}
const times = (count: number) => best.get(1)! / best.get(count)!;
console.log(`two are ${times(2).toFixed(2)} times as fast as one, four ${times(4).toFixed(2)} times`);
process.exitCode = times(2) >= 1.9 && times(4) >= 3.7 ? 0 : 1;
