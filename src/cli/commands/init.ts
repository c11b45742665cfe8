import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Option } from 'commander';
import { EarwitnessError } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import type { CorpusChannels } from '../../corpora/shared/with-channels.ts';
import { configNames } from '../../session/config/load-config.ts';
import { memberNames } from '../../session/members/load-member.ts';
import { namedRecognizers } from '../../session/open/parse-spec.ts';
import { previewedUtterances } from '../../session/open/price-rest.ts';
import type { CliCommand } from '../command.ts';
import type { TemplateFormat } from '../config-template.ts';
import { examineRecognizers } from '../examine-machine.ts';
import {
  type FoundMaterial,
  findMaterial,
  type NewConfig,
  newConfigLines,
  newConfigText,
  timeLines,
  writeNewConfig,
} from '../new-config.ts';
import { channelsHelp, channelsOption, collected, recognizerHelp } from '../options.ts';
import { printJson, sayWrapped } from '../output.ts';
import { createDoingLine } from '../progress/lines.ts';
import type { ChosenRecognizers, Material } from '../suggest-config.ts';
import { proposeRecognizers } from '../suggest-recognizers.ts';
import { createPrompt } from '../terminal/prompt.ts';

interface Options {
  readonly yes?: true;
  readonly format: TemplateFormat;
  readonly recognizer?: readonly string[];
  readonly language?: string;
  readonly channels?: CorpusChannels;
  readonly json?: true;
  readonly referenceColumn?: string;
  readonly partial?: true;
  readonly example?: true;
}

/** `init [RECORDINGS]` */
export const init: CliCommand = {
  examples: [
    'init',
    'init recordings --yes',
    'init --recognizer whisper:openai/whisper-base',
    'init --yes --format ts',
  ],
  notes:
    'Looks through the folder for recordings, manifests and published data sets, reports what it found, and writes earwitness.config.yaml here. Asks two questions, unless --yes accepts the suggestions.',
  configure(command: Command) {
    command
      .argument('[recordings]', 'folder of recordings, or a manifest (.tsv, .csv, .jsonl)', '.')
      .option('-y, --yes', 'ask nothing: accept the suggestions')
      .option('-r, --recognizer <spec>', recognizerHelp, collected)
      .option('-l, --language <tag>', 'spoken language (BCP 47 tag); default: as the recordings say')
      .option('--channels <which>', channelsHelp, channelsOption)
      .option('--reference-column <name>', 'table column of the references, where several may be')
      .option('--partial', 'take a manifest of which most audio is not here')
      .option('--example', 'where there are no recordings, have example texts spoken')
      .addOption(new Option('--format <format>', 'of the config').choices(['yaml', 'ts']).default('yaml'))
      .action(run);
  },
};

async function run(path: string, options: Options): Promise<void> {
  const folder = process.cwd();
  const there = configNames.filter((name) => existsSync(join(folder, name)));
  if (there.length > 0) {
    throw new EarwitnessError(
      'bad-input',
      `${there.join(' and ')} already exists: \`earwitness run\` uses it; edit it, or remove it first`,
    );
  }
  if (!options.yes && !process.stdin.isTTY) {
    throw new EarwitnessError(
      'bad-usage',
      'init asks questions, but stdin is no terminal; accept the suggestions with --yes',
    );
  }
  using line = createDoingLine(process.stderr);
  const { doing } = line;
  const told = (text: string) => {
    line.clear();
    sayWrapped(text);
  };
  doing('looking for recognizers on this machine');
  const named = options.recognizer === undefined ? null : await namedRecognizers(options.recognizer, folder);
  const proposal = await (named === null
    ? proposeRecognizers(await examineRecognizers(folder), folder)
    : { chosen: named, offers: [] });
  const look = async (at: string) => {
    const found = await findMaterial(at, options, folder, doing);
    // Where nothing is asked and there is no material, its line is the error.
    if (found.material !== null || !options.yes)
      for (const text of found.lines.flatMap((line) => line.split('\n'))) told(text);
    return found;
  };
  const first = await look(path);
  if (first.material !== null && first.material.kind !== 'transcripts')
    for (const offer of proposal.offers) told(offer);
  line.clear();
  const { found, recognizers: chosen } = options.yes
    ? { found: first, recognizers: proposal.chosen }
    : await ask(first, path, named !== null, proposal.chosen, look);
  if (found.material === null) {
    const said = 'no config was written, as nothing was found to test';
    throw new EarwitnessError('bad-input', options.yes ? found.lines.at(-1)! : said);
  }

  if (found.material.kind === 'transcripts' && named !== null) {
    throw new EarwitnessError(
      'bad-usage',
      'expected recordings for --recognizer, but there are transcripts alone and no audio; leave it out, or name a folder of recordings',
    );
  }
  const recognizers = found.material.kind === 'transcripts' ? found.material.survey.recognizers : chosen;
  const config: NewConfig = { material: found.material, recognizers, conditions: ['noise'], format: options.format };
  for (const text of newConfigLines(config)) told(text);
  const file = `earwitness.config.${options.format}`;
  await writeNewConfig(join(folder, file), await newConfigText(config));
  for (const text of await timeLines(config, folder, doing)) told(text);
  line.clear();
  if (options.json) await printJson(answerOf(file, config));
  const { material } = found;
  const few =
    material.kind !== 'texts' && (material.kind === 'transcripts' || material.survey.clips <= previewedUtterances);
  sayWrapped(
    few
      ? `Wrote ${file}. Next: earwitness run`
      : `Wrote ${file}. To try ${previewedUtterances} recordings first and estimate the rest: earwitness run --preview`,
  );
}

function answerOf(file: string, { material, recognizers }: NewConfig): Json {
  const corpus = material.kind === 'recordings' ? withoutSounds(material) : { ...material };
  return { file: join(process.cwd(), file), corpus: corpus as Json, recognizers: Object.keys(recognizers) };
}

function withoutSounds({ kind, survey: { sounds: _, ...survey } }: Material & { kind: 'recordings' }): Json {
  return { kind, ...survey } as unknown as Json;
}

async function ask(
  found: FoundMaterial,
  path: string,
  recognizersNamed: boolean,
  suggested: ChosenRecognizers,
  look: (path: string) => Promise<FoundMaterial>,
): Promise<{ found: FoundMaterial; recognizers: ChosenRecognizers }> {
  using prompt = createPrompt({ input: process.stdin, output: process.stderr });
  const other = await prompt.ask(
    'Recordings',
    found.material?.kind === 'texts' ? `texts spoken by ${found.material.synthesizer}` : path,
    'A folder of recordings (wav, flac, mp3, ogg, …; subfolders too), or a manifest (.tsv, .csv, .jsonl). References may be in a manifest, or in a text file of the same name beside each recording. Enter accepts what was found.',
  );
  const taken = other === path || other.startsWith('texts spoken by ') ? found : await look(other);
  if (recognizersNamed || taken.material?.kind === 'transcripts') return { found: taken, recognizers: suggested };
  const names = Object.keys(suggested).join(', ');
  const typed = await prompt.ask(
    'Recognizers',
    names,
    `The recognizers to test, separated by blanks: whisper:openai/whisper-base, pocketsphinx:beams=narrow, ./program, http://localhost:8000/v1; name=… in front of one gives it a name. Built in: ${memberNames('recognizers').join(', ')}. Enter accepts the suggestions.`,
  );
  const recognizers = typed === names ? suggested : await namedRecognizers(typed.split(/,?\s+/), process.cwd());
  return { found: taken, recognizers };
}
