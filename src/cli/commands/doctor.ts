import type { Command } from 'commander';
import type { Json } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { knownModels } from '../../session/members/known-models.ts';
import { packageVersion } from '../../session/version.ts';
import type { CliCommand } from '../command.ts';
import { type ExaminedMember, examineMachine } from '../examine-machine.ts';
import { printJson, printLine, terminalWidth } from '../output.ts';
import { glossary } from '../terminal/text-table.ts';

/** A package (or the beginning of the names of its parts) under a licence with conditions, used unmodified, replaceable, and loaded only when it is needed. */
export interface ConditionalLicence {
  readonly package: string;
  readonly licence: string;
  readonly usedFor: string;
}

/** Every LGPL or MPL part of the production tree. GPL programs are only ever run, never loaded. */
export const conditionalLicences: readonly ConditionalLicence[] = [
  { package: 'codec-parser', licence: 'LGPL-3.0-or-later', usedFor: 'reading Ogg Vorbis and Ogg Opus' },
  { package: 'mpg123-decoder', licence: 'MIT, around mpg123 under LGPL-2.1', usedFor: 'reading MP3' },
  {
    package: '@img/sharp-',
    licence: 'Apache-2.0, around libvips under LGPL-3.0-or-later',
    usedFor: 'loading transformers.js, which needs it for pictures; Earwitness does not use it',
  },
  { package: 'wasm-media-encoders', licence: 'MIT, around LAME under LGPL-2.0', usedFor: 'sending sound through MP3' },
];

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
      section('Models', [[`${knownModels.length} by name`, '`earwitness list models` has them, each with its config']]),
      section('Synthesizers', machine.synthesizers.map(row)),
      section('Audio files', machine.decoders.map(row)),
      section('Sentence embeddings', machine.embedders.map(row)),
      section('Failure predictors', machine.predictors.map(row)),
      section('Audio quality measures', machine.quality.map(row)),
      section('Grammar', machine.grammarCheckers.map(row)),
      section(
        'LGPL parts (unmodified, replaceable, loaded when used; all other licences are permissive)',
        licences.map(({ package: name, licence, usedFor }) => [name, `${licence}; for ${usedFor}`] as const),
      ),
    ].join('\n\n'),
  );
}

function row({ name, ready, found, install }: ExaminedMember): readonly [string, string] {
  const state = ready ? 'ok:' : 'MISSING:';
  const how = ready || install === undefined ? '' : `; install it with: ${install}`;
  return [name, `${state} ${printable(found, 400)}${how}`];
}
