// A Slurm of one node on this machine, for tests: Debian's slurm-wlm and munge, in a folder of their own.
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';

/** Debian has those of the system beside those of users. */
const path = `${process.env.PATH}:/usr/sbin`;
const programs = ['mungekey', 'munged', 'slurmctld', 'slurmd', 'sbatch', 'scancel'];
const missing = programs.filter(
  (name) => spawnSync(name, ['--version'], { env: { ...process.env, PATH: path } }).error,
);

/** Why there is no Slurm; false where there is one. */
export const noSlurm =
  missing.length === 0 ? false : `${missing.join(', ')}: not installed (Debian: apt install slurm-wlm munge)`;

/**
 * Starts it.
 *
 * @returns what commands find it by, and what ends it
 */
export function startSlurm(folder: string): { readonly env: Readonly<Record<string, string>>; stop(): void } {
  const file = (name: string) => join(folder, name);
  const config = file('slurm.conf');
  const env = { PATH: path, SLURM_CONF: config };
  const run = (program: string, ...parameters: readonly string[]) => {
    const { status, stderr } = spawnSync(program, parameters, { env: { ...process.env, ...env }, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program}: ${stderr}`);
  };
  for (const name of ['', 'spool', 'state']) mkdirSync(file(name), { recursive: true });
  chmodSync(folder, 0o755);
  const [host] = hostname().split('.');
  const { username } = userInfo();
  const port = 20_000 + (process.pid % 20_000);
  const settings = {
    ClusterName: 'test',
    SlurmctldHost: `${host}(127.0.0.1)`,
    SlurmctldPort: port,
    SlurmdPort: port + 1,
    AuthType: 'auth/munge',
    AuthInfo: `socket=${file('munge.socket')}`,
    ...{ SlurmUser: username, SlurmdUser: username },
    ...{ StateSaveLocation: file('state'), SlurmdSpoolDir: file('spool') },
    ...{ SlurmctldPidFile: file('slurmctld.pid'), SlurmdPidFile: file('slurmd.pid') },
    ...{ SlurmctldLogFile: file('slurmctld.log'), SlurmdLogFile: file('slurmd.log') },
    // Without control groups, which containers have not.
    ...{ ProctrackType: 'proctrack/linuxproc', TaskPlugin: 'task/none', JobAcctGatherType: 'jobacct_gather/none' },
    ...{
      SelectType: 'select/cons_tres',
      SelectTypeParameters: 'CR_Core',
      SwitchType: 'switch/none',
      MpiDefault: 'none',
    },
    NodeName: `${host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN`,
    PartitionName: `all Nodes=${host} Default=YES MaxTime=INFINITE State=UP`,
  };
  writeFileSync(
    config,
    Object.entries(settings)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  );
  run('mungekey', '-c', '-k', file('munge.key'));
  run(
    'munged',
    '--force',
    '-S',
    file('munge.socket'),
    ...['key', 'pid', 'log', 'seed'].map((kind) => `--${kind}-file=${file(`munge.${kind}`)}`),
  );
  const daemons = ['slurmctld', 'slurmd', 'munge'];
  const isUp = (name: string) => existsSync(file(`${name}.pid`));
  const stopAll = () => {
    for (const name of daemons.filter(isUp)) process.kill(Number(readFileSync(file(`${name}.pid`), 'utf8')), 'SIGTERM');
    // They write to the end, and take this file away last.
    for (let tries = 0; daemons.some(isUp) && tries < 100; tries++) spawnSync('sleep', ['0.1']);
  };
  try {
    run('slurmctld');
    run('slurmd');
  } catch (error) {
    stopAll();
    throw error;
  }
  return { env, stop: stopAll };
}
