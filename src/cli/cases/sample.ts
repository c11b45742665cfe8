import type { Command } from 'commander';
import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { rowFormatOf } from '../../corpora/shared/read-rows.ts';
import { readRunCases } from '../../session/cases/run-cases.ts';
import { openRunSounds } from '../../session/cases/run-sounds.ts';
import { checkFiles, writeCheckFile } from '../../session/cases/write-check-file.ts';
import { openStore } from '../../store/sqlite/sqlite-store.ts';
import { sampleCases } from '../../studies/differential/verification/sample-cases.ts';
import { say } from '../output.ts';
import { createCountingLine } from '../progress/counting-line.ts';
import { addStoreOption, storeFile } from '../store-option.ts';
import { naturalNumber } from '../terminal/natural-number.ts';
import { wholeNumber } from '../terminal/whole-number.ts';
import { refuseExisting } from '../write-sound.ts';
import { share } from './share.ts';
import { type CaseFlags, nothingFailed, tell } from './tell.ts';
import { addTrustOptions, type TrustFlags, trustedCode } from './trusted-code.ts';

/** `cases sample`: draws failed cases and writes their sounds beside a table for people to fill in. */
export function addSample(command: Command): void {
  addTrustOptions(
    addStoreOption(command.command('sample').description('write failed cases with their sounds for people to verify')),
  )
    .argument('[run]', 'its id, the beginning of it, or "last"', 'last')
    .requiredOption('-o, --output <file>', 'the table: .csv, .tsv or .jsonl; sounds and a README go beside it')
    .option('--half-width <share>', 'half of the interval that is wanted', share, 0.05)
    .option('--level <share>', 'its confidence level', share, 0.95)
    .option('--count <n>', 'so many cases instead, before each cell is rounded up', wholeNumber)
    .option('--seed <n>', "decides which are drawn (default: the run's)", naturalNumber)
    .option('--no-sound', 'write no sounds')
    .option('--force', 'overwrite the table if it is there')
    .option('--json', 'data as JSON on stdout')
    .action(sample);
}

interface SampleFlags extends CaseFlags, TrustFlags {
  readonly output: string;
  readonly halfWidth: number;
  readonly level: number;
  readonly count?: number;
  readonly seed?: number;
  readonly sound: boolean;
  readonly force?: true;
}

async function sample(wanted: string, options: SampleFlags): Promise<void> {
  const { output, halfWidth, level, count, sound, force, json } = options;
  rowFormatOf(output);
  await refuseExisting(output, force === true);
  const file = await storeFile(options.store);
  using store = openStore(file, { readonly: true });
  const known = readRunCases(store, wanted);
  const { run, failed } = known;
  if (failed.length === 0) return tell(json, { run: run.id, population: 0, cases: 0 }, nothingFailed(run.id));
  const seed = options.seed ?? run.seed;
  const drawn = sampleCases(failed, { halfWidth, level, seed, ...(count === undefined ? {} : { count }) });
  await using sounds = sound ? await openRunSounds(store, run, file, trustedCode(options)) : null;
  const line = createCountingLine(process.stderr, 'sounds');
  const written = await writeCheckFile(output, drawn, sounds, line.done).finally(line.clear);
  for (const failure of written.failures.slice(0, 3)) say(printable(failure, 500));
  const beside = sound ? `, ${written.sounds} sounds in ${checkFiles(output).soundFolder}` : '';
  await tell(
    json,
    {
      ...{ run: run.id, population: drawn.population, wanted: drawn.wanted, cases: drawn.cases.length, seed },
      ...{ file: output, readme: written.readme, soundFolder: written.soundFolder, sounds: written.sounds },
      soundsMissing: written.failures.length,
    },
    `${output}: ${drawn.cases.length} of ${drawn.population} failed cases${beside}; how to fill it in: ${written.readme}`,
  );
  if (written.failures.length > 0) {
    throw new EarwitnessError(
      'bad-input',
      `${written.failures.length} of ${drawn.cases.length} sounds were not written`,
    );
  }
}
