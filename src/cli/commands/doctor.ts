import type { Command } from 'commander';
import type { Json } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { packageVersion } from '../../session/version.ts';
import type { CliCommand } from '../command.ts';
import { type ExaminedMember, examineMachine } from '../examine-machine.ts';
import { conditionalLicences } from '../licences.ts';
import { printJson, printLine, terminalWidth } from '../output.ts';
import { glossary } from '../terminal/text-table.ts';

/** `doctor` */
export const doctor: CliCommand = {
  examples: ['doctor', 'doctor --json'],
  configure(command: Command) {
    command.action(run);
  },
};

async function run({ json }: { readonly json?: true }): Promise<void> {
  const machine = await examineMachine(process.cwd());
  const licences = conditionalLicences;
  if (json) return printJson({ earwitness: packageVersion(), ...machine, licences } as unknown as Json);

  const width = terminalWidth();
  const section = (title: string, rows: readonly (readonly [string, string])[]) =>
    `${title}\n${glossary(rows, { width, indent: 2, termWidth: 20 })}`;
  const gigabytes = (bytes: number | null) => (bytes === null ? 'unknown' : `${(bytes / 2 ** 30).toFixed(1)} GB`);
  await printLine(
    [
      section('This machine', [
        ['earwitness', packageVersion()],
        ['Node', `${machine.node} (22.18 or newer is needed)`],
        ['system', machine.platform],
        ['cores', String(machine.cores)],
        ['memory', `${gigabytes(machine.memoryBytes)}, ${gigabytes(machine.freeMemoryBytes)} free`],
        ['disk', `${gigabytes(machine.freeDiskBytes)} free in this folder`],
      ]),
      section('Recognizers', machine.recognizers.map(row)),
      section('Synthesizers', machine.synthesizers.map(row)),
      section('Sound files', machine.decoders.map(row)),
      section('Sentence embeddings', machine.embedders.map(row)),
      section('Predictors of failures', machine.predictors.map(row)),
      section('Quality of sounds', machine.quality.map(row)),
      section('Grammar', machine.grammarCheckers.map(row)),
      section(
        'LGPL parts (unmodified, replaceable, loaded when used; all else is permissive)',
        licences.map(({ package: name, licence, usedFor }) => [name, `${licence}; for ${usedFor}`] as const),
      ),
    ].join('\n\n'),
  );
}

function row({ name, ready, found, install }: ExaminedMember): readonly [string, string] {
  const state = ready ? 'ok:' : 'MISSING:';
  const how = ready || install === undefined ? '' : `; get it with: ${install}`;
  return [name, `${state} ${printable(found, 400)}${how}`];
}
