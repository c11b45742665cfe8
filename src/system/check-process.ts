import { messageOf } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import type { LineProcess } from './line-process.ts';

/** One thing that was proved of a process, or not. */
export interface ProcessCheck {
  /** What is expected, as the end of "the program …". */
  readonly what: string;
  /** `noted`: allowed, and worth knowing. */
  readonly verdict: 'kept' | 'broken' | 'noted' | 'not tried';
  /** What was found, or what stands in the way; empty where there is nothing to add. */
  readonly found: string;
}

type Found = string | { readonly noted: string };

/** What is proved of a process: what is found, as text; it throws where it is not so. */
export type CheckStep<Process, Hello> = readonly [
  what: string,
  prove: (bench: CheckBench<Process, Hello>) => Promise<Found>,
  /** Why it cannot be tried. */
  unless?: (hello: Hello) => string | null,
];

export interface CheckBench<Process, Hello> {
  readonly hello: Hello;
  /** Opened; another one where the last was broken. */
  process(): Promise<Process>;
}

/** What is proved of the processes that do something, besides what all do. */
export interface ProcessChecks<Process, Hello> {
  launch(): Process;
  /** An introduction in a few words. */
  introduced(hello: Hello): string;
  readonly steps: readonly CheckStep<Process, Hello>[];
  /** Asks something that any such process can answer. */
  ordinary(process: Process, hello: Hello): Promise<unknown>;
}

interface Checked
  extends Pick<LineProcess<{ say: string }, Error>, 'broken' | 'open' | 'ping' | 'tell' | 'close' | 'kill'> {
  hello(maxSeconds: number): Promise<object>;
}

const endSeconds = 1;
/** What ends or writes again after an answer has done it by then. */
const afterAnswerMs = 200;

/**
 * Proves of a process, one thing after the other, what docs/protocol.md asks for. What prints on standard output, dies or hangs
 * fails the check in hand; the next one finds it started again.
 *
 * @param begins is told what is to be proved next
 * @example for await (const { what, verdict } of checkProcess(checks, 300)) console.log(verdict, what);
 */
export async function* checkProcess<Process extends Checked, Hello extends object>(
  { launch, introduced, steps, ordinary }: ProcessChecks<Process, Hello>,
  startLimitSeconds: number,
  begins: (what: string) => void = () => {},
): AsyncGenerator<ProcessCheck> {
  let hello: Hello | null = null;
  let current: Process | null = null;
  const introduce = async (): Promise<Process> => {
    const process = launch();
    current = process;
    const said = (await process.hello(startLimitSeconds)) as Hello;
    if (hello !== null && JSON.stringify(said) !== JSON.stringify(hello))
      throw new Error('it introduces itself in another way each time');
    hello = said;
    return process;
  };
  const process = async (): Promise<Process> => {
    if (current !== null && current.broken === null) return current;
    const again = await introduce();
    await again.open(0, undefined, startLimitSeconds);
    return again;
  };
  const kill = () => (current as Process | null)?.kill();
  const checked = async (what: string, prove: () => Promise<Found>): Promise<ProcessCheck> => {
    begins(what);
    try {
      const found = await prove();
      return typeof found === 'string'
        ? { what, verdict: 'kept', found }
        : { what, verdict: 'noted', found: found.noted };
    } catch (error) {
      // What it was doing must not come into the next check.
      await kill();
      return { what, verdict: 'broken', found: messageOf(error) };
    }
  };
  const usual: readonly CheckStep<Process, Hello>[] = [
    [
      'answers "ping" while it is idle',
      async () => {
        if (!(await (await process()).ping(endSeconds))) throw new Error('there was no "pong" within 1 s');
        return '';
      },
    ],
    [
      'stays after an answer, which it gives once',
      async () => {
        const asked = await process();
        await ordinary(asked, hello!);
        await new Promise((resolve) => setTimeout(resolve, afterAnswerMs));
        if (asked.broken === null) await asked.ping(endSeconds);
        if (asked.broken !== null) throw asked.broken;
        return '';
      },
    ],
    [
      'passes over messages and members that it does not know',
      async () => {
        const asked = await process();
        void asked.tell({ say: 'from-a-later-version', id: 1, more: { deep: [1, 2] } });
        void asked.tell({ say: 'cancel', id: 1_000_000 });
        await ordinary(asked, hello!);
        if (asked.broken !== null) throw asked.broken;
        return '';
      },
    ],
    [
      'ends within 1 s when it is told to close',
      async () => {
        const started = performance.now();
        const end = await (await process()).close('asked');
        const took = (performance.now() - started) / 1000;
        if (end.how !== 'exit') throw new Error('it had to be killed');
        if (end.code !== 0) throw new Error(`it ended with exit status ${end.code}`);
        return `after ${took.toFixed(2)} s`;
      },
    ],
    [
      'ends within 1 s when its input ends',
      async () => {
        const end = await (await process()).close('silently');
        if (end.how !== 'exit') throw new Error('it had to be killed: end when there is nothing more to read');
        return '';
      },
    ],
  ];
  try {
    const first = await checked('introduces itself, and nothing else stands on its standard output', async () => {
      await introduce();
      await kill();
      return introduced(hello!);
    });
    yield first;
    if (first.verdict === 'broken') return;
    const opens = await checked('introduces itself in the same way again, and opens', async () => {
      await process();
      return '';
    });
    yield opens;
    if (opens.verdict === 'broken') return;
    const bench = { hello: hello!, process };
    for (const [what, prove, unless] of [...steps, ...usual]) {
      const why = unless?.(hello!) ?? null;
      yield why === null ? await checked(what, () => prove(bench)) : { what, verdict: 'not tried', found: why };
    }
  } finally {
    await kill();
  }
}

/** A text as findings of checks show it. */
export function shownText(text: string): string {
  return JSON.stringify(printable(text, 60));
}
