// Loaded before a program (`node --import`): writes what processor time this process used, at its end, into a file of its
// own in the folder that EARWITNESS_PROCESSOR_TIMES names. A host of a recognizer also says what it had used when it was
// told to open its engine: until then it was only starting.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** What one process used, in seconds of user and system time. */
export interface ProcessorTimes {
  readonly host: boolean;
  readonly seconds: number;
  readonly secondsBeforeOpening: number;
}

const folder = process.env.EARWITNESS_PROCESSOR_TIMES;
if (isMainThread && folder !== undefined) {
  const used = () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  let secondsBeforeOpening = 0;
  process.once('message', () => {
    secondsBeforeOpening = used();
  });
  process.once('exit', () => {
    const times: ProcessorTimes = { host: process.send !== undefined, seconds: used(), secondsBeforeOpening };
    writeFileSync(join(folder, `${process.pid}.json`), JSON.stringify(times));
  });
}
