import { spawnSync } from 'node:child_process';

/** Why tests of Python are skipped here; false where they are not. */
export const noPython =
  spawnSync('python3', ['--version']).status === 0 ? false : 'there is no python3 on this machine';
