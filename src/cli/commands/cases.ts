import type { Command } from 'commander';
import { addCompare } from '../cases/compare.ts';
import { addExport } from '../cases/export.ts';
import { addSample } from '../cases/sample.ts';
import { addVerdicts } from '../cases/verdicts.ts';
import { addWords } from '../cases/words.ts';
import type { CliCommand } from '../command.ts';

/** `cases sample | verdicts | export | compare | words` */
export const cases: CliCommand = {
  examples: [
    'cases sample -o check.csv',
    'cases verdicts check-anna.csv check-ben.csv',
    'cases export last -o failed-cases',
    'cases compare failed-cases last',
    'cases words -o words.txt --held-out held-out.txt',
  ],
  notes:
    'Failed cases are those of the study differential: sounds that one recognizer got wrong and another right. sample writes some of them for people to listen to, verdicts reads what they filled in. export writes all of them as a corpus, and compare says which of them a new version of a recognizer gets right. words lists what broke most, for recognizers that take hints.',
  configure(command: Command) {
    addSample(command);
    addVerdicts(command);
    addExport(command);
    addCompare(command);
    addWords(command);
  },
};
