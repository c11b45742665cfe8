import { spawn } from 'node:child_process';
import { messageOf } from '../base/errors.ts';
import { say } from './output.ts';

/** What opens a file as a click on it would, by `process.platform`. */
const openers: Readonly<Record<string, readonly string[]>> = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
};

/** Opens a file in whatever shows such files on this machine; says so where nothing does. The file is there all the same. */
export async function openFile(path: string): Promise<void> {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open'];
  const child = spawn(program!, [...args, path], { stdio: 'ignore', detached: true });
  const problem = await new Promise<string | null>((resolve) => {
    child.once('error', (error) => resolve(messageOf(error)));
    child.once('exit', (code) => resolve(code === 0 ? null : `${program} ended with ${code}`));
    // Some openers stay for as long as the window does.
    setTimeout(() => resolve(null), 2000).unref();
  });
  child.unref();
  if (problem !== null) say(`the report could not be opened (${problem}); open it by its path`);
}
