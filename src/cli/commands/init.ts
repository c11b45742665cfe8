import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { type Command, Option } from 'commander';
import { EarwitnessError, messageOf } from '../../base/errors.ts';
import { configNames } from '../../session/config/find-config.ts';
import type { CliCommand } from '../command.ts';
import { configTemplate, type TemplateFormat } from '../config-template.ts';
import { type ExaminedMember, examineMachine, type Machine } from '../examine-machine.ts';
import { printJson, say } from '../output.ts';
import {
  type ChosenRecognizers,
  findMaterial,
  type Material,
  materialAt,
  suggestRecognizers,
  suggestSynthesizer,
  suggestTemplate,
} from '../suggest-config.ts';

interface Options {
  readonly yes?: true;
  readonly format: TemplateFormat;
  readonly json?: true;
}

/** `init` */
export const init: CliCommand = {
  examples: ['init', 'init --yes --format ts'],
  configure(command: Command) {
    command
      .option('-y, --yes', 'ask nothing: take what is found here')
      .addOption(new Option('--format <format>', 'of the config').choices(['yaml', 'ts']).default('yaml'))
      .action(run);
  },
};

async function run(options: Options): Promise<void> {
  const there = configNames.filter((name) => existsSync(name));
  if (there.length > 0) {
    throw new EarwitnessError('bad-input', `${there.join(' and ')} is there already; edit it, or take it away first`);
  }
  if (!options.yes && !process.stdin.isTTY) {
    throw new EarwitnessError(
      'bad-usage',
      'init asks questions, but stdin is no terminal; take the suggestions with --yes',
    );
  }
  const machine = await examineMachine(process.cwd());
  const found = await findMaterial(process.cwd(), await suggestSynthesizer(names(machine.synthesizers)));
  const suggested = suggestRecognizers(names(machine.recognizers));
  const { material, recognizers } = options.yes
    ? { material: found, recognizers: suggested }
    : await ask(found, suggested, machine);

  const file = `earwitness.config.${options.format}`;
  const text = configTemplate(await suggestTemplate(material, recognizers), options.format);
  try {
    await writeFile(file, text, { flag: 'wx' });
  } catch (error) {
    throw new EarwitnessError('bad-input', `${file}: the config cannot be written (${messageOf(error)})`, {
      cause: error,
    });
  }
  if (options.json)
    await printJson({
      file: join(process.cwd(), file),
      corpus: { ...material },
      recognizers: Object.keys(recognizers),
    });
  say(`wrote ${file}; look it over, then type: earwitness run`);
}

function names(members: readonly ExaminedMember[]): string[] {
  return members.filter(({ ready }) => ready).map(({ name }) => name);
}

async function ask(
  found: Material,
  suggested: ChosenRecognizers,
  machine: Machine,
): Promise<{ material: Material; recognizers: ChosenRecognizers }> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const suggestedPath = found.kind === 'texts' ? `texts spoken by ${found.synthesizer}` : found.path;
    const path = (
      await terminal.question(`Folder or list (.tsv, .csv, .jsonl) of recordings [${suggestedPath}]: `)
    ).trim();
    const all = machine.recognizers.map(({ name }) => name);
    const typed = await terminal.question(`Recognizers, of ${all.join(', ')} [${Object.keys(suggested).join(', ')}]: `);
    const chosen = typed.split(/[\s,]+/).filter((name) => name !== '');
    return {
      material: path === '' ? found : await materialAt(path),
      recognizers:
        chosen.length === 0 ? suggested : Object.fromEntries(chosen.map((type) => [type, { type, options: {} }])),
    };
  } finally {
    terminal.close();
  }
}
