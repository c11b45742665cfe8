import { resolve } from 'node:path';
import type { Command } from 'commander';
import { isoTime } from '../../base/clock.ts';
import { EarwitnessError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import { backUpStore, exportStore, noteOutputs, pruneStore } from '../../store/maintenance.ts';
import { mergeStore } from '../../store/merge.ts';
import { checkStore } from '../../store/open-database.ts';
import { openStore } from '../../store/open-store.ts';
import { damageSentence } from '../../store/parts/check-rows.ts';
import { repairStore } from '../../store/sqlite/repair.ts';
import { isServer, requireServer } from '../../store/store-place.ts';

import { removeViewFiles } from '../../web/view-files.ts';
import type { CliCommand } from '../command.ts';
import { addFlags, type Flag, type FlagsOf } from '../flags.ts';
import { namedStore, runStoreFlags, storeFile, storeFlag, wholeNumber } from '../options.ts';
import { printJson, printLine } from '../output.ts';

const exportFlags = [
  ...runStoreFlags,
  ['--run <run>', 'only this run: run id, its beginning, or "last"'],
] as const satisfies readonly Flag[];

const pruneFlags = [
  storeFlag,
  ['--keep <n>', 'number of newest runs to keep', { read: wholeNumber, required: true }],
  ['--answers', 'also remove answers that no remaining run uses; they would have to be recognized again'],
] as const satisfies readonly Flag[];

type Common = FlagsOf<readonly [typeof storeFlag]>;

/** `store list | export | merge | prune | check | repair | backup | allow-worker` */
export const store: CliCommand = {
  examples: [
    'store list',
    'store export everything.sqlite',
    'store merge from-the-other-machine.sqlite',
    'store prune --keep 5',
    'store check',
    'store backup copy.sqlite',
    'store allow-worker worker --store postgres://me@db.example/asr',
  ],
  configure(command: Command) {
    addFlags(command.command('list'), [storeFlag]).description('list the runs, newest first').action(listRuns);
    addFlags(command.command('export'), exportFlags)
      .description('copy the store, or one of its runs')
      .argument('<file>', 'the new file')
      .action(exportTo);
    addFlags(command.command('merge'), [storeFlag])
      .description('add the runs and answers of another store')
      .argument('<file>', 'the other store (only read)')
      .action(mergeFrom);
    addFlags(command.command('prune'), pruneFlags).description('remove old runs').action(prune);
    addFlags(command.command('check'), [storeFlag]).description('verify the checksum of every row').action(check);
    addFlags(command.command('repair'), [storeFlag])
      .description('rescue all intact rows of a damaged store; the damaged file is kept')
      .action(repair);
    addFlags(command.command('backup'), [storeFlag])
      .description('copy the store, safely even while a run writes')
      .argument('<file>', 'the new file')
      .action(backUp);
    addFlags(command.command('allow-worker'), [storeFlag])
      .description('let a role of the server work, read no answers')
      .argument('<role>', 'made before, by createuser')
      .action(allow);
  },
};

async function listRuns(options: Common): Promise<void> {
  using opened = openStore(await storeFile(options.store), { readonly: true });
  const runs = opened.runs().map(({ id, name, startedAtMs, finishedAtMs, utteranceCount, recognizers }) => ({
    id,
    name,
    started: isoTime(startedAtMs),
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

async function exportTo(file: string, options: FlagsOf<typeof exportFlags>): Promise<void> {
  const { file: from, find } = await namedStore(options);
  let run: string | null = null;
  if (options.run !== undefined) {
    using opened = openStore(from, { readonly: true });
    run = (await find(opened, options.run)).id;
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
  await tell(options, { runs, observations }, `${counted(runs, 'run')} and ${counted(observations, 'answer')} added`);
}

async function prune(options: FlagsOf<typeof pruneFlags>): Promise<void> {
  const file = await storeFile(options.store);
  const failure = isServer(file) ? await (await import('../../queue/open-queue.ts')).removeLeftAudio(file) : null;
  const pruned = pruneStore(file, { keep: options.keep, answers: options.answers === true });
  removeViewFiles(file);
  await tell(options, { ...pruned }, `${pruned.runs} runs and ${pruned.observations} answers were removed`);
  if (failure !== null) throw failure;
}

async function check(options: Common): Promise<void> {
  const file = await storeFile(options.store);
  const checked = checkStore(file);
  if (options.json) await printJson(checked as unknown as Json);
  else {
    for (const { what, good, damaged, torn } of checked.tables) {
      const faults = [...(damaged > 0 ? [`${damaged} damaged`] : []), ...(torn ? ['some may be missing'] : [])];
      if (good + damaged > 0 || torn) await printLine(`${what}: ${[`${good} good`, ...faults].join(', ')}`);
    }
    for (const sentence of checked.structure) await printLine(`SQLite: ${printable(sentence, 300)}`);
  }
  if (!checked.good) throw new EarwitnessError('store', damageSentence(file, checked));
  if (!options.json) await printLine('all rows are intact');
}

async function repair(options: Common): Promise<void> {
  const file = await storeFile(options.store);
  const { damaged, kept, removedRuns } = repairStore(file);
  const removed =
    removedRuns.length === 0
      ? ''
      : `; ${removedRuns.join(', ')} cannot continue: begin again with \`earwitness run\`, which reuses all answers`;
  await tell(
    options,
    { damaged, kept, removedRuns },
    `${kept.runs} runs and ${kept.answers} answers are intact and kept${removed}\nthe damaged file: ${damaged}`,
  );
}

async function backUp(file: string, options: Common): Promise<void> {
  const from = await storeFile(options.store);
  await backUpStore(from, file);
  using written = openStore(from, { readonly: true });
  noteOutputs(
    from,
    written.runs().map(({ id }) => ({ run: id, kind: 'export', path: resolve(file) })),
  );
  await tell(options, { file }, `the whole store is in ${file}, and was checked`);
}

async function allow(role: string, options: Common): Promise<void> {
  const store = await storeFile(options.store);
  requireServer(store);
  const { allowWorker } = await import('../../queue/open-queue.ts');
  const statements = await allowWorker(store, role);
  await tell(options, { role, statements }, statements.map((statement) => `${statement};`).join('\n'));
}

async function tell({ json }: Common, data: Json, sentence: string): Promise<void> {
  await (json ? printJson(data) : printLine(sentence));
}
