import { readdirSync, readFileSync } from 'node:fs';

/** A process and all below it, as Linux tells of them. */
export function processTree(root: number): readonly number[] {
  const parents = new Map(
    readdirSync('/proc').flatMap((name) => {
      const stat = /^\d+$/.test(name) ? read(`/proc/${name}/stat`) : '';
      return stat === '' ? [] : [[Number(name), Number(stat.split(') ').at(-1)!.split(' ')[1])] as const];
    }),
  );
  const tree = [root];
  for (const one of tree) for (const [child, parent] of parents) if (parent === one) tree.push(child);
  return tree;
}

/** Megabytes that all of it has in memory: what each has of its own, and once what they read from files (the program itself). */
export function residentMb(root: number): number {
  const told = processTree(root).map((pid) => {
    const status = read(`/proc/${pid}/status`);
    const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
    return { own: of('RssAnon') + of('RssShmem'), files: of('RssFile') };
  });
  const kilobytes = told.reduce((sum, { own }) => sum + own, 0) + Math.max(0, ...told.map(({ files }) => files));
  return Math.round((1024 * kilobytes) / 1e6);
}

/** Milliseconds of processors that its threads have used so far, of those that are still there. */
export function processorMs(root: number): number {
  const threads = processTree(root).flatMap((pid) => {
    try {
      return readdirSync(`/proc/${pid}/task`).map((thread) => read(`/proc/${pid}/task/${thread}/schedstat`));
    } catch {
      return [];
    }
  });
  return threads.reduce((sum, told) => sum + Number(told.split(' ')[0]) / 1e6, 0);
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It has ended meanwhile.
    return '';
  }
}
