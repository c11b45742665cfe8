import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Json } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { findRun } from '../../engine/open-run.ts';
import { exportStore } from '../../store/sqlite/export.ts';
import { mergeStore } from '../../store/sqlite/merge.ts';
import { noteOutputs } from '../../store/sqlite/note-outputs.ts';
import { pruneStore } from '../../store/sqlite/prune.ts';
import { openStore } from '../../store/sqlite/sqlite-store.ts';
import type { CliCommand } from '../command.ts';
import { printJson, printLine } from '../output.ts';
import { addStoreOption, storeFile } from '../store-option.ts';
import { wholeNumber } from '../terminal/whole-number.ts';

interface Common {
  readonly store?: string;
  readonly json?: true;
}

/** `store list | export | merge | prune` */
export const store: CliCommand = {
  examples: [
    'store list',
    'store export everything.sqlite',
    'store merge from-the-other-machine.sqlite',
    'store prune --keep 5',
  ],
  configure(command: Command) {
    addStoreOption(command.command('list').description('the runs, newest first'))
      .option('--json', 'data as JSON on stdout')
      .action(listRuns);
    addStoreOption(command.command('export').description('write the store, or one run of it, into a new file'))
      .argument('<file>', 'the new file')
      .option('--run <run>', 'only this run: its id, the beginning of it, or "last"')
      .option('--json', 'data as JSON on stdout')
      .action(exportTo);
    addStoreOption(command.command('merge').description('bring in the runs and answers of another store'))
      .argument('<file>', 'the other store; it is only read')
      .option('--json', 'data as JSON on stdout')
      .action(mergeFrom);
    addStoreOption(command.command('prune').description('remove old runs'))
      .requiredOption('--keep <n>', 'how many of the newest runs stay', wholeNumber)
      .option('--answers', 'also remove answers that no remaining run uses: they would have to be asked again')
      .option('--json', 'data as JSON on stdout')
      .action(prune);
  },
};

async function listRuns(options: Common): Promise<void> {
  using opened = openStore(await storeFile(options.store), { readonly: true });
  const runs = opened.runs().map(({ id, name, startedAtMs, finishedAtMs, utteranceCount, recognizers }) => ({
    id,
    name,
    started: new Date(startedAtMs).toISOString(),
    finished: finishedAtMs !== null,
    utterances: utteranceCount,
    recognizers: recognizers.map((recognizer) => recognizer.name),
  }));
  if (options.json) return printJson(runs);
  for (const { id, name, finished, utterances, recognizers } of runs) {
    await printLine(
      `${id}  ${finished ? 'finished  ' : 'unfinished'}  ${printable(name, 40)}: ${utterances} utterances, ${recognizers.join(', ')}`,
    );
  }
  if (runs.length === 0) await printLine('no runs yet');
}

async function exportTo(file: string, options: Common & { readonly run?: string }): Promise<void> {
  const from = await storeFile(options.store);
  let run: string | null = null;
  if (options.run !== undefined) {
    using opened = openStore(from, { readonly: true });
    run = findRun(opened, options.run).id;
  }
  exportStore(from, file, run);
  using written = openStore(from, { readonly: true });
  const runs = run === null ? written.runs().map(({ id }) => id) : [run];
  noteOutputs(
    from,
    runs.map((id) => ({ run: id, kind: 'export', path: resolve(file) })),
  );
  await tell(options, { file, run }, `${run === null ? 'the whole store' : `run ${run}`} is in ${file}`);
}

async function mergeFrom(file: string, options: Common): Promise<void> {
  const { runs, observations } = mergeStore(await storeFile(options.store), file);
  await tell(options, { runs, observations }, `${runs} runs and ${observations} answers came in`);
}

async function prune(options: Common & { readonly keep: number; readonly answers?: true }): Promise<void> {
  const pruned = pruneStore(await storeFile(options.store), { keep: options.keep, answers: options.answers === true });
  await tell(options, { ...pruned }, `${pruned.runs} runs and ${pruned.observations} answers were removed`);
}

async function tell({ json }: Common, data: Json, sentence: string): Promise<void> {
  await (json ? printJson(data) : printLine(sentence));
}
