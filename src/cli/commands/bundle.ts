import { resolve } from 'node:path';
import type { Command } from 'commander';
import { isoTime } from '../../base/clock.ts';
import { writeBundle } from '../../session/evidence/write-bundle.ts';
import { leftOutWarnings } from '../../session/stored/report-of.ts';
import { noteOutputs } from '../../store/maintenance.ts';
import { openStore } from '../../store/open-store.ts';
import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { namedStore, runStoreFlags } from '../options.ts';
import { printJson, printLine, say } from '../output.ts';

const flags = [
  ...runStoreFlags,
  ['-o, --out <file>', 'the new file', { default: 'evidence.jsonl.gz' }],
  ['--no-transcripts', 'leave out transcripts and references'],
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** `bundle [RUN]` */
export const bundle: CliCommand = {
  examples: ['bundle', 'bundle last --out audit.jsonl.gz', 'bundle 20261121T1406 --no-transcripts'],
  notes:
    'Writes config, plan, versions, hashes of audio and models, every answer and every finding of a finished run into one file of JSON lines, compressed with gzip (`zcat` shows it) and sealed with hashes. `earwitness verify` checks it anywhere. Without transcripts only hashes and times can be checked. Config and recognizer settings are included unchanged, with any text in them.',
  flags,
  configure(command: Command) {
    command.argument('[run]', 'run id, its beginning, or "last"', 'last').action(run);
  },
};

async function run(wanted: string, { out, transcripts, json, ...named }: Options): Promise<void> {
  const { file, find } = await namedStore(named);
  using store = openStore(file, { readonly: true });
  const record = await find(store, wanted);
  const output = { run: record.id, kind: 'bundle', path: resolve(out) } as const;
  noteOutputs(file, [output], false);
  const { bytes, seal, plan } = await writeBundle(store, record, resolve(out), { transcripts, bundled: new Date() });
  noteOutputs(file, [output]);
  for (const warning of leftOutWarnings(store, record.id)) say(warning);
  if (!transcripts)
    say('config and recognizer settings are in the bundle unchanged: texts, prompts and answers in them can be read');
  const counts = Object.fromEntries(Object.entries(seal.parts).map(([part, { lines }]) => [part, lines]));
  if (json) return printJson({ file: out, run: record.id, bytes, seal: seal.sha256, plan: plan.hash, lines: counts });
  await printLine(
    [
      `run ${record.id} is in ${out}: ${(bytes / 1024).toFixed(0)} KB, ${counts.answer ?? 0} answers, ${counts.finding ?? 0} findings${transcripts ? '' : ', no transcripts'}`,
      `plan  ${plan.hash}  fixed ${isoTime(plan.frozenAtMs) ?? 'at an unknown time'}`,
      `seal  ${seal.sha256}  keep it elsewhere: with it anybody can check that the bundle was not changed`,
    ].join('\n'),
  );
}
