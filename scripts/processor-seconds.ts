// Loaded before a test process's files by `EARWITNESS_PROCESSOR_SECONDS=1 npm run tests`: appends what each test cost, in
// processor seconds of this process and of those that it started and that ended, and what loading cost, to EARWITNESS_PROCESSOR_FILE.
// From Linux's /proc; elsewhere of this process alone.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { after, afterEach, beforeEach } from 'node:test';
import { isMainThread } from 'node:worker_threads';

/** Of one clock tick of /proc: USER_HZ is 100 on all of Linux's own platforms. */
const ticksPerSecond = 100;

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1e6;
  if (!existsSync('/proc/self/stat')) return own;
  // The second field is the program's name in brackets; the children's ticks are fields 16 and 17.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return own + (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}

const seconds = new Map<string, number>();
let since = 0;
const count = (name: string) => {
  const now = processorSeconds();
  seconds.set(name, (seconds.get(name) ?? 0) + now - since);
  since = now;
};
// Threads load this too: what they cost is their process's already, and their tests' reports would go to its output.
if (isMainThread) {
  beforeEach(() => count('loading'));
  afterEach((context) => count(context.fullName));
  after(() => count('loading'));
  process.on('exit', () => {
    count('loading');
    const file = process.env.EARWITNESS_PROCESSOR_FILE;
    if (file !== undefined) appendFileSync(file, `${JSON.stringify([process.argv[1], ...seconds])}\n`);
  });
}
