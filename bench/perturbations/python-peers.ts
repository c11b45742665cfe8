import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** Python libraries in a process of their own. */
export interface PythonPeers {
  readonly names: ReadonlySet<string>;
  /** By package; why not, where one is absent. */
  readonly versions: Readonly<Record<string, string>>;
  /** Processor seconds of one pass over so many pieces; null, with the reason on stderr, where it failed. */
  seconds(name: string, pieces: number): Promise<number | null>;
  close(): void;
}

/**
 * Starts peers.py. Null, with a reason on stderr, where there is no such Python or it has no numpy.
 *
 * @param files raw 32-bit floats: speech, noise, room response
 */
export async function startPythonPeers(python: string, files: readonly string[]): Promise<PythonPeers | null> {
  const script = fileURLToPath(new URL('peers.py', import.meta.url));
  const child = spawn(python, [script, ...files], { stdio: ['pipe', 'pipe', 'ignore'] });
  child.stdin.on('error', () => {});
  const failed = new Promise<null>((resolve) => child.once('error', () => resolve(null)));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const answer = async (): Promise<unknown> => {
    const line = await Promise.race([failed, lines.next()]);
    return line === null || line.done ? null : JSON.parse(line.value);
  };
  const first = (await answer()) as { names: string[]; versions: Record<string, string> } | null;
  if (first === null) {
    console.error(
      `no Python peers: ${python} cannot run ${script} (numpy is needed); name another in EARWITNESS_PEERS`,
    );
    return null;
  }
  return {
    names: new Set(first.names),
    versions: first.versions,
    async seconds(name, pieces) {
      child.stdin.write(`${name}\t${pieces}\n`);
      const found = (await answer()) as { seconds?: number; error?: string } | null;
      if (found?.seconds !== undefined) return found.seconds;
      console.error(`${name}: ${found?.error ?? 'its process ended'}`);
      return null;
    },
    close: () => child.stdin.end(),
  };
}
