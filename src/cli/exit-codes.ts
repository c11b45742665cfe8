import { type ErrorCode, exitCodes } from '../base/errors.ts';

const meanings: Readonly<Record<ErrorCode, string>> = {
  'bad-usage': 'wrong command line',
  'bad-config': 'wrong config, or a member that does not exist',
  'bad-input': 'an unusable file or text',
  'missing-program': 'something that has to be installed is missing (also: Node is too old)',
  store: 'the store cannot be used',
  'store-busy': 'another process uses the store',
  budget: 'the budget is used up',
  'run-differs': 'the run was begun with another config, corpus or recognizers',
  'not-verified': 'an evidence bundle was changed, or could not be verified wholly',
  'nothing-answered': 'a recognizer did not answer',
  'too-much-failed': 'a recognizer failed more often than the config allows (failures.maxShare)',
  'gate-failed': 'a limit of the gate is broken',
  'gate-inconclusive': 'the gate cannot tell (gate.ifInconclusive: block)',
  interrupted: 'stopped by Ctrl-C; the same command continues',
};

/** The exit codes with their meanings, for the top-level help. */
export function exitCodeHelp(): string {
  const rows: [number, string][] = [
    [0, 'success'],
    [1, 'a bug in earwitness; please report it'],
    ...Object.entries(meanings).map(([code, meaning]): [number, string] => [exitCodes[code as ErrorCode], meaning]),
  ];
  return ['Exit codes:', ...rows.map(([code, meaning]) => `  ${String(code).padEnd(5)}${meaning}`)].join('\n');
}
