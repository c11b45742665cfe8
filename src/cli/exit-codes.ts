import { type ErrorCode, exitCodes } from '../base/errors.ts';

const meanings: Readonly<Record<ErrorCode, string>> = {
  'bad-usage': 'wrong command line',
  'bad-config': 'wrong config, or a member that does not exist',
  'bad-input': 'a file or text that cannot be used',
  'missing-program': 'something that has to be installed is missing (also: Node is too old)',
  store: 'the store cannot be used',
  'store-busy': 'another process uses the store',
  budget: 'the budget is used up',
  'run-differs': 'the run was begun with other questions',
  'not-verified': 'an evidence bundle is not what it says, or not all of it could be checked',
  'nothing-answered': 'a recognizer answered nothing',
  'too-much-failed': 'a recognizer failed more often than the config allows (failures.maxShare)',
  interrupted: 'stopped by Ctrl-C; the same command goes on',
};

/** The exit codes with their meanings, for the top-level help. */
export function exitCodeHelp(): string {
  const rows: [number, string][] = [
    [0, 'success'],
    [1, 'a fault of earwitness itself; please report it'],
    ...Object.entries(meanings).map(([code, meaning]): [number, string] => [exitCodes[code as ErrorCode], meaning]),
  ];
  return ['Exit codes:', ...rows.map(([code, meaning]) => `  ${String(code).padEnd(5)}${meaning}`)].join('\n');
}
