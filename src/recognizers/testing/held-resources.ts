import { readdirSync, readFileSync } from 'node:fs';

/** What this process holds of the system's. Where the system does not tell (no `/proc`), files and processes count as 0. */
export interface HeldResources {
  /** Sockets, timers, pipes, …, which keep the process alive. */
  readonly handles: number;
  readonly openFiles: number;
  readonly childProcesses: number;
}

/** Counts what is held at this moment. */
export function heldResources(): HeldResources {
  return {
    handles: process.getActiveResourcesInfo().length,
    openFiles: list('/proc/self/fd').length,
    childProcesses: list('/proc/self/task').flatMap((task) => childrenOf(task)).length,
  };
}

/**
 * Waits until no more is held than before, since sockets and processes take a moment to end.
 *
 * @returns what is held in the end: no more than before, or still more after so many milliseconds
 */
export async function settledResources(before: HeldResources, mostMs: number): Promise<HeldResources> {
  const end = performance.now() + mostMs;
  for (;;) {
    const held = heldResources();
    const settled =
      held.handles <= before.handles &&
      held.openFiles <= before.openFiles &&
      held.childProcesses <= before.childProcesses;
    if (settled || performance.now() > end) return held;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function childrenOf(task: string): string[] {
  try {
    return readFileSync(`/proc/self/task/${task}/children`, 'utf8').split(' ').filter(Boolean);
  } catch {
    return [];
  }
}
