import type { Command } from 'commander';
import { EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import { exportCases } from '../../session/cases/export-cases.ts';
import { readRunCases } from '../../session/cases/run-cases.ts';
import { openRunSounds } from '../../session/cases/run-sounds.ts';
import { openStore } from '../../store/sqlite/sqlite-store.ts';
import { say } from '../output.ts';
import { createCountingLine } from '../progress/counting-line.ts';
import { addStoreOption, storeFile } from '../store-option.ts';
import { type CaseFlags, nothingFailed, tell } from './tell.ts';
import { addTrustOptions, type TrustFlags, trustedCode } from './trusted-code.ts';

/** `cases export`: all failed cases as a corpus with sounds, texts and a manifest. */
export function addExport(command: Command): void {
  addTrustOptions(
    addStoreOption(command.command('export').description('write failed cases as a corpus: sounds, texts, manifest')),
  )
    .argument('[run]', 'its id, the beginning of it, or "last"', 'last')
    .requiredOption('-o, --output <folder>', 'where to')
    .option('--force', 'overwrite an export that is there')
    .option('--json', 'data as JSON on stdout')
    .action(exportAll);
}

async function exportAll(
  wanted: string,
  options: CaseFlags & TrustFlags & { readonly output: string; readonly force?: true },
): Promise<void> {
  const file = await storeFile(options.store);
  using store = openStore(file, { readonly: true });
  const known = readRunCases(store, wanted);
  if (known.failed.length === 0) {
    return tell(options.json, { run: known.run.id, sounds: 0, failed: 0 }, nothingFailed(known.run.id));
  }
  await using sounds = await openRunSounds(store, known.run, file, trustedCode(options));
  const line = createCountingLine(process.stderr, 'sounds');
  const {
    folder,
    sounds: count,
    failed,
    failures,
  } = await exportCases(known, sounds, options.output, options.force === true, line.done).finally(line.clear);
  for (const failure of failures.slice(0, 3)) say(printable(failure, 500));
  await tell(
    options.json,
    { run: known.run.id, folder, sounds: count, failed, soundsMissing: failures.length },
    `${folder}: ${count} sounds of ${failed} failed cases`,
  );
  if (failures.length > 0) {
    throw new EarwitnessError('bad-input', `${failures.length} of ${count + failures.length} sounds were not written`);
  }
}
