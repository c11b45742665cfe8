import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

/** What a program was started under: its children have it too, even in groups and sessions of their own. */
const variable = 'EARWITNESS_CALL';
const mark = randomUUID();
let calls = 0;
let guard: ChildProcess | null = null;

/**
 * Waits for the end of this process in one of its own. Told `+ GROUP` and `- GROUP`; when its input ends, however this process did, it
 * kills the groups that are left, and on Linux whatever else has the mark in its environment.
 */
const script = `
groups=" "
while read -r what group; do
  case "$what" in
    +) groups="$groups$group " ;;
    -) case "$groups" in *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;; esac ;;
  esac
done
for group in $groups; do kill -KILL -- "-$group" 2>/dev/null; done
for file in $(grep -lzs "^${variable}=$1[.]" /proc/[0-9]*/environ 2>/dev/null); do
  process="\${file#/proc/}"
  kill -KILL "\${process%/environ}" 2>/dev/null
done`;

/** A program that is to end with this process. */
export interface GuardedCall {
  /** To be added to the program's environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Is told the program's process, which leads a group of its own. */
  started(group: number): void;
  /** Is told that it has ended and its group with it. */
  ended(group: number): void;
  /** Kills what has left its group, where the system shows environments of processes (Linux); else nothing. */
  killStrays(): void;
}

/**
 * Sees to it that a program and its children end when this process does, even by SIGKILL. What clears its environment and leaves the
 * group of its parent is not found; nor is anything on Windows, or outside of its group where there is no /proc.
 */
export function guardedCall(): GuardedCall {
  const call = `${mark}.${calls++}`;
  return {
    environment: { [variable]: call },
    started: (group) => tell(`+ ${group}`),
    ended: (group) => tell(`- ${group}`),
    killStrays: () => killMarked(`${variable}=${call}`),
  };
}

function tell(line: string): void {
  if (process.platform === 'win32') return;
  if (guard === null) {
    const { PATH = '/usr/bin:/bin' } = process.env;
    guard = spawn('sh', ['-c', script, 'earwitness-guard', mark], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH },
    });
    // Without a shell, programs end with this process where it ends by itself.
    guard.on('error', () => {});
    guard.stdin?.on('error', () => {});
    guard.unref();
    (guard.stdin as unknown as { unref?(): void }).unref?.();
  }
  guard.stdin?.write(`${line}\n`);
}

function killMarked(wanted: string): void {
  let processes: readonly string[];
  try {
    processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return;
  }
  for (const id of processes) {
    try {
      if (readFileSync(`/proc/${id}/environ`, 'utf8').split('\0').includes(wanted)) process.kill(Number(id), 'SIGKILL');
    } catch {
      // It is another user's, or gone.
    }
  }
}
