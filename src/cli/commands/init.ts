import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { badInput, badUsage, Undecided } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { configNames } from '../../session/config/load-config.ts';
import { memberNames } from '../../session/members/load-member.ts';
import { namedRecognizers } from '../../session/open/parse-spec.ts';
import { previewedUtterances } from '../../session/open/price-rest.ts';
import type { CliCommand } from '../command.ts';
import { examineRecognizers } from '../examine-machine.ts';
import { collected, type Flag, type FlagsOf } from '../flags.ts';
import {
  findMaterial,
  type NewConfig,
  newConfigLines,
  newConfigText,
  timeLines,
  writeNewConfig,
} from '../new-config.ts';
import { channelsArgument, channelsHelp, recognizerHelp } from '../options.ts';
import { printJson, sayWrapped } from '../output.ts';
import { createDoingLine } from '../progress/lines.ts';
import type { ChosenRecognizers, Material } from '../suggest-config.ts';
import { proposeRecognizers } from '../suggest-recognizers.ts';
import { createPrompt } from '../terminal/prompt.ts';

const flags = [
  ['-y, --yes', 'ask nothing: accept the suggestions'],
  ['-r, --recognizer <spec>', recognizerHelp, collected],
  ['-l, --language <tag>', 'spoken language (BCP 47 tag); default: as the recordings say'],
  ['--reference-column <name>', 'table column, list or folder of the references, where several may be'],
  ['--tier <name>', 'tier of the words, of TextGrid or ELAN files with several beside recordings'],
  ['--partial', 'go on with what can be used, where most audio, the references or a file cannot'],
  ['--channels <which>', channelsHelp, channelsArgument],
  ['--example', 'where there are no recordings, have example texts spoken'],
  ['--format <format>', 'of the config', { choices: ['yaml', 'ts'], default: 'yaml' }],
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** `init [RECORDINGS]` */
export const init: CliCommand = {
  examples: [
    'init',
    'init recordings --yes',
    'init --recognizer whisper:openai/whisper-base',
    'init --yes --format ts',
  ],
  notes:
    'Looks through the folder for recordings, manifests and published data sets, reports what it found, and writes earwitness.config.yaml here. Asks which recognizers to test and what the files do not say; with --yes it takes the suggestions, and where there is none it ends with the option that decides.',
  flags,
  configure(command: Command) {
    command.argument('[recordings]', 'folder of recordings, or a manifest (.tsv, .csv, .jsonl)', '.').action(run);
  },
};

async function run(path: string, options: Options): Promise<void> {
  const folder = process.cwd();
  const there = configNames.filter((name) => existsSync(join(folder, name)));
  if (there.length > 0) {
    throw badInput(`${there.join(' and ')} already exists: \`earwitness run\` uses it; edit it, or remove it first`);
  }
  if (!options.yes && !process.stdin.isTTY) {
    throw badUsage('init asks questions, but stdin is no terminal; accept the suggestions with --yes');
  }
  using line = createDoingLine(process.stderr);
  const { doing } = line;
  const told = (text: string) => {
    line.clear();
    sayWrapped(text);
  };
  const named = options.recognizer === undefined ? null : await namedRecognizers(options.recognizer, folder);
  const found = await findMaterial(path, options, folder, doing);
  if (!options.yes) refuseGuess(found.material);
  doing('looking for recognizers on this machine');
  const proposal = await (named === null
    ? proposeRecognizers(await examineRecognizers(folder), folder)
    : { chosen: named, offers: [] });
  for (const text of found.lines) told(text);
  if (found.material.kind !== 'transcripts') for (const offer of proposal.offers) told(offer);
  line.clear();
  const isAsked = !options.yes && named === null && found.material.kind !== 'transcripts';
  const chosen = isAsked ? await askedRecognizers(proposal.chosen) : proposal.chosen;

  if (found.material.kind === 'transcripts' && named !== null) {
    throw badUsage(
      'expected recordings for --recognizer, but there are transcripts alone and no audio; leave it out, or name a folder of recordings',
    );
  }
  const recognizers = found.material.kind === 'transcripts' ? found.material.survey.recognizers : chosen;
  const config: NewConfig = {
    material: found.material,
    recognizers,
    conditions: ['noise'],
    format: options.format,
    folder,
  };
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

/**
 * Without words nothing tells the language: with `--yes` nobody is refused for that, but who is there can say it.
 *
 * @throws Undecided
 */
function refuseGuess(material: Material): void {
  if (material.kind !== 'recordings' || material.survey.languageFrom !== 'a guess') return;
  throw new Undecided('expected references that tell the language, but there are none; name it with --language', {
    option: 'language',
    asks: 'There are no references that tell it: which language is spoken?',
    choices: [],
  });
}

async function askedRecognizers(suggested: ChosenRecognizers): Promise<ChosenRecognizers> {
  using prompt = createPrompt({ input: process.stdin, output: process.stderr });
  const names = Object.keys(suggested).join(', ');
  const typed = await prompt.ask(
    'Recognizers',
    names,
    `The recognizers to test, separated by blanks: whisper:openai/whisper-base, pocketsphinx:beams=narrow, ./program, http://localhost:8000/v1; name=… in front of one gives it a name. Built in: ${memberNames('recognizers').join(', ')}. Enter accepts the suggestions.`,
  );
  return typed === names ? suggested : namedRecognizers(typed.split(/,?\s+/), process.cwd());
}
