import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProcessorMeter, ownProcessorSeconds, processTime } from './processor-time.ts';
import { runProgram, startProgram } from './run-program.ts';

const skip = process.platform !== 'linux' && 'only Linux tells of other processes';

/** Computes for so many seconds of the processor, by its own clock, however busy the machine is. */
const spin = (seconds: number) =>
  `const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; };
   for (const end = used() + ${seconds}; used() < end; ) for (let n = 0; n < 1e6; n++);`;
const node = process.execPath;
const call = { maxSeconds: 60, maxOutputBytes: 1000 };

test('a program that is run once took what it computed, its own children with it', { skip }, async () => {
  const alone = await runProgram({ ...call, program: node, arguments: ['-e', spin(0.5)] });
  // Node itself needs some hundredths until it begins.
  assert.ok(alone.processorSeconds! > 0.5 && alone.processorSeconds! < 0.9, `${alone.processorSeconds}`);
  const shell = `${node} -e '${spin(0.3)}' & ${node} -e '${spin(0.3)}'; wait`;
  const both = await runProgram({ ...call, program: 'sh', arguments: ['-c', shell] });
  assert.ok(both.processorSeconds! > 0.6 && both.processorSeconds! < 1.4, `${both.processorSeconds}`);
});

test('of a program that waits, no time of the processor is told, however long it takes', { skip }, async () => {
  const { processorSeconds } = await runProgram({ ...call, program: 'sleep', arguments: ['0.5'] });
  assert.ok(processorSeconds! < 0.1, `${processorSeconds}`);
});

test('where a program closes its output and computes on, nobody knows what it took', { skip }, async () => {
  const script = `require('fs').closeSync(1); require('fs').closeSync(2); ${spin(0.3)}`;
  const { end, processorSeconds } = await runProgram({ ...call, program: node, arguments: ['-e', script] });
  assert.deepEqual(end, { how: 'exit', code: 0 });
  assert.equal(processorSeconds, null);
});

test('the time of a process that stays grows by what it computes, with that of its children', { skip }, async () => {
  const program = startProgram({
    program: 'sh',
    arguments: ['-c', `while read -r line; do ${node} -e '${spin(0.2)}'; echo done; done`],
  });
  const answer = () => new Promise((resolve) => program.output.once('data', resolve));
  const before = processTime(program.pid!)!.seconds;
  program.input.write('go\n');
  await answer();
  const after = processTime(program.pid!)!.seconds;
  program.kill();
  await program.ended;
  assert.ok(after - before > 0.2 && after - before < 0.6, `${after - before}`);
  assert.equal(processTime(program.pid!), null);
});

test('own time is that of this process alone, or with its children', { skip }, async () => {
  const before = [ownProcessorSeconds(false)!, ownProcessorSeconds(true)!];
  await runProgram({ ...call, program: node, arguments: ['-e', spin(0.4)] });
  const [alone, all] = [ownProcessorSeconds(false)! - before[0]!, ownProcessorSeconds(true)! - before[1]!];
  assert.ok(all - alone > 0.39 && all - alone < 0.8, `${alone} of ${all}`);
});

test('what is computed while several are in hand is divided among them equally, and nothing is counted twice', () => {
  let now: number | null = 100;
  const meter = createProcessorMeter(() => now);
  const first = meter.begin();
  now += 2;
  const second = meter.begin();
  now += 4;
  assert.equal(first(), 2 + 2);
  now += 1;
  assert.equal(second(), 2 + 1);
  now += 50;
  // What comes between two is of neither.
  const third = meter.begin();
  now += 3;
  assert.equal(third(), 3);
  const fourth = meter.begin();
  now = null;
  assert.equal(fourth(), null);
});
