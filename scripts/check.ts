// Every check, two at a time where a check keeps one core busy, then the tests, which keep them all. What a check prints comes when it ends.
import { spawn } from 'node:child_process';

/** Each lane goes from one to the next; the second packs, installs and tries the package, which takes as long as all of the first. */
const lanes = [['lint', 'types', 'generated', 'dead-code', 'engines'], ['package']];

/** Whether an npm script ends well. */
function runs(script: string, stdio: 'inherit' | 'pipe'): Promise<boolean> {
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', stdio, stdio] });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (bytes: Buffer) => printed.push(bytes));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(printed));
      if (code !== 0) console.error(`npm run ${script} failed`);
      resolve(code === 0);
    });
  });
}

async function goes(lane: readonly string[]): Promise<boolean> {
  for (const script of lane) if (!(await runs(script, 'pipe'))) return false;
  return true;
}

const well = (await Promise.all(lanes.map(goes))).every(Boolean) && (await runs('tests', 'inherit'));
if (!well) process.exitCode = 1;
