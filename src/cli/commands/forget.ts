import type { Command } from 'commander';
import { forgetSpeaker } from '../../store/sqlite/forget.ts';
import type { CliCommand } from '../command.ts';
import { printJson, printLine } from '../output.ts';
import { addStoreOption, storeFile } from '../store-option.ts';

/** `forget --speaker NAME` */
export const forget: CliCommand = {
  examples: ['forget --speaker fvmh0'],
  notes: 'Voices are personal data. Recordings and reports are files of your own: remove those yourself.',
  configure(command: Command) {
    addStoreOption(command)
      .requiredOption('--speaker <name>', "whose sounds' measurements, transcripts and references are removed")
      .action(run);
  },
};

async function run(options: {
  readonly speaker: string;
  readonly store?: string;
  readonly json?: true;
}): Promise<void> {
  const forgotten = forgetSpeaker(await storeFile(options.store), options.speaker);
  if (options.json) return printJson({ ...forgotten });
  const { utterances, observations, sounds, runs } = forgotten;
  await printLine(
    [
      `removed: ${utterances} utterances, ${observations} transcripts, ${sounds} sounds`,
      ...(runs.length > 0 ? [`findings removed with them, of the runs ${runs.join(', ')}: run those again`] : []),
      'recordings and reports that were written before are files of your own: remove those yourself',
    ].join('\n'),
  );
}
