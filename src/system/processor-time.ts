import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time of a process in hundredths of a second wherever Node runs (USER_HZ; proc(5), /proc/pid/stat). */
const ticksPerSecond = 100;
/** The kernel's PF_EXITING (include/linux/sched.h): what comes after it is the end of the process itself. */
const exiting = 4;

/** Null: there is no such process, or no /proc. */
function textAt(path: string): string | null {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return null;
  }
}

/** The parts of a process' processor time, in seconds. */
interface Parts {
  /** Of itself with all its threads. */
  readonly own: number;
  /** Of its children that have ended, and of those that live, with theirs. */
  readonly children: number;
  /** It is ending, and computes nothing any more. */
  readonly ending: boolean;
}

function partsOf(pid: number): Parts | null {
  const stat = textAt(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The name stands in brackets and may hold any.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = (from: number) => (Number(fields[from]) + Number(fields[from + 1])) / ticksPerSecond;
  let ofThreads = 0;
  let children = ticks(13);
  for (const thread of threadsOf(pid)) {
    const folder = `/proc/${pid}/task/${thread}`;
    ofThreads += Number(textAt(`${folder}/schedstat`)?.split(' ', 1)[0] ?? 0) / 1e9;
    for (const child of textAt(`${folder}/children`)?.split(' ').filter(Boolean) ?? []) {
      const parts = partsOf(Number(child));
      if (parts !== null) children += parts.own + parts.children;
    }
  }
  const ending = fields[0] === 'Z' || (Number(fields[6]) & exiting) !== 0;
  // To a nanosecond of threads that live, to hundredths of those that have ended.
  return { own: Math.max(ticks(11), ofThreads), children, ending };
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/**
 * Processor time in seconds, of user and system, of a process with all its threads and its children with theirs: so far, and whether that is all.
 *
 * @returns null where the system has no /proc (others than Linux), or there is no such process
 */
export function processTime(pid: number): { readonly seconds: number; readonly ending: boolean } | null {
  const parts = partsOf(pid);
  return parts && { seconds: parts.own + parts.children, ending: parts.ending };
}

/**
 * Processor time of this process in seconds, of all its threads, since some moment.
 *
 * @param starts whether others that it starts count: they compute for it
 * @returns null where theirs cannot be had
 */
export function ownProcessorSeconds(starts: boolean): number | null {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1e6;
  if (!starts) return own;
  const parts = partsOf(process.pid);
  return parts && own + parts.children;
}

/**
 * Tells what processor time each of several pieces of work took that one process is at. What it computes while it has several in hand is divided
 * among them equally: what each took is not known, and what all took together is.
 *
 * @example
 * const meter = createProcessorMeter(() => ownProcessorSeconds(false));
 * const took = meter.begin();
 * await recognize();
 * took(); // 0.25
 */
export function createProcessorMeter(read: () => number | null): { begin(): () => number | null } {
  const inHand = new Set<{ seconds: number }>();
  let last: number | null = null;
  const divide = () => {
    const now = read();
    const share = now === null || last === null ? Number.NaN : Math.max(0, now - last) / inHand.size;
    for (const work of inHand) work.seconds += share;
    last = now;
  };
  return {
    begin() {
      divide();
      const work = { seconds: 0 };
      inHand.add(work);
      return () => {
        if (inHand.has(work)) divide();
        inHand.delete(work);
        return Number.isNaN(work.seconds) ? null : work.seconds;
      };
    },
  };
}
