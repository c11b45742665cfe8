import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { closeSync, copyFileSync, existsSync, globSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const command = new URL('../../bin/earwitness.js', import.meta.url).pathname;
const works = (...typed: readonly string[]) => spawnSync(typed[0]!, typed.slice(1), { stdio: 'ignore' }).status === 0;

/** A machine of its own, as far as this one lets be made: a network that can be cut, a clock that can be set, a disk that can be full. */
export interface Machine {
  /** By which it reaches the server. */
  readonly host: string;
  readonly folder: string;
  /** Null where there can be none. */
  readonly network: { cut(): void; mend(): void } | null;
  readonly clock: { setOff(seconds: number): void } | null;
  readonly disk: { fill(): void; free(): void } | null;
  /** Starts the command; what it says goes to `log` of the machine's folder. */
  start(typed: readonly string[], output?: string): ChildProcess;
  remove(): void;
}

/** Debian's `faketime`. */
const falseTime = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0];

/**
 * @param number from 1
 * @param withRoot whether it may have a network and a disk of its own
 */
export function createMachine(number: number, parent: string, withRoot: boolean): Machine {
  const folder = join(parent, `machine-${number}`);
  mkdirSync(folder);
  const [space, ours, theirs] = [
    `ew${process.pid}-${number}`,
    `ewo${process.pid % 10000}-${number}`,
    `ewt${process.pid % 10000}-${number}`,
  ];
  const ip = (...typed: readonly string[]) => works('ip', ...typed);
  const block = `10.77.${number}`;
  const hasNetwork =
    withRoot &&
    ip('netns', 'add', space) &&
    ip('link', 'add', ours, 'type', 'veth', 'peer', 'name', theirs) &&
    ip('link', 'set', theirs, 'netns', space) &&
    ip('addr', 'add', `${block}.1/24`, 'dev', ours) &&
    ip('link', 'set', ours, 'up') &&
    ip('-n', space, 'addr', 'add', `${block}.2/24`, 'dev', theirs) &&
    ip('-n', space, 'link', 'set', theirs, 'up') &&
    ip('-n', space, 'link', 'set', 'lo', 'up');
  const hasDisk = withRoot && works('mount', '-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder);
  const clockFile = join(parent, `clock-${number}`);
  writeFileSync(clockFile, '+0\n');
  const filler = join(folder, 'filler');
  const clock =
    falseTime === undefined
      ? {}
      : {
          ...{ LD_PRELOAD: falseTime, FAKETIME_TIMESTAMP_FILE: clockFile, FAKETIME_CACHE_DURATION: '1' },
          ...{ FAKETIME_DONT_FAKE_MONOTONIC: '1', FAKETIME_DONT_RESET: '1' },
        };
  return {
    host: hasNetwork ? `${block}.1` : '127.0.0.1',
    folder,
    network: hasNetwork
      ? { cut: () => void ip('link', 'set', ours, 'down'), mend: () => void ip('link', 'set', ours, 'up') }
      : null,
    clock:
      falseTime === undefined
        ? null
        : { setOff: (seconds) => writeFileSync(clockFile, `${seconds < 0 ? '' : '+'}${seconds}\n`) },
    disk: hasDisk
      ? {
          fill: () => void spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=4k'], { stdio: 'ignore' }),
          free: () => rmSync(filler, { force: true }),
        }
      : null,
    start(typed, output) {
      const log = openSync(join(folder, 'log'), 'a');
      const out = output === undefined ? log : openSync(output, 'w');
      const whole = [process.execPath, command, ...typed];
      const [program, ...rest] = hasNetwork ? ['ip', 'netns', 'exec', space, ...whole] : whole;
      const child = spawn(program!, rest, {
        cwd: folder,
        env: { ...process.env, ...clock, TMPDIR: folder, NODE_COMPILE_CACHE: join(parent, 'compiled') },
        stdio: ['ignore', out, log],
      });
      closeSync(log);
      if (out !== log) closeSync(out);
      return child;
    },
    remove() {
      if (existsSync(join(folder, 'log'))) copyFileSync(join(folder, 'log'), join(parent, `said-${number}`));
      if (hasDisk) spawnSync('umount', ['-l', folder]);
      if (existsSync(`/run/netns/${space}`)) ip('netns', 'del', space);
      ip('link', 'del', ours);
    },
  };
}
