import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { EarwitnessError, type Question, Undecided } from '../../base/errors.ts';
import type { Json } from '../../base/json.ts';
import { configNames } from '../../session/config/load-config.ts';
import { memberNames } from '../../session/members/load-member.ts';
import { namedRecognizers } from '../../session/open/parse-spec.ts';
import { previewedUtterances } from '../../session/open/price-rest.ts';
import type { CliCommand } from '../command.ts';
import { examineRecognizers } from '../examine-machine.ts';
import { collected, type Flag, type FlagsOf } from '../flags.ts';
import {
  type FoundMaterial,
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
  const look = (said: Options) => findMaterial(path, said, folder, doing);
  const found = await (options.yes ? look(options) : decided(look, options, told));
  for (const text of found.lines) told(text);
  if (found.material.kind !== 'transcripts') for (const offer of proposal.offers) told(offer);
  line.clear();
  const isAsked = !options.yes && named === null && found.material.kind !== 'transcripts';
  const chosen = isAsked ? await askedRecognizers(proposal.chosen) : proposal.chosen;

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

const terminal = { input: process.stdin, output: process.stderr };

/**
 * Looks, and asks what nothing in the files says, until nothing is open.
 *
 * @throws Undecided where somebody wants to stop
 */
async function decided(
  look: (said: Options) => Promise<FoundMaterial>,
  said: Options,
  told: (text: string) => void,
): Promise<FoundMaterial> {
  const open = await look(said).catch((error: unknown) => {
    if (error instanceof Undecided) return error;
    throw error;
  });
  const question = open instanceof Undecided ? open.question : languageQuestion(open.material);
  if (question === null) return open as FoundMaterial;
  told(question.asks);
  using prompt = createPrompt(terminal);
  const value =
    question.choices.length === 0
      ? await prompt.ask('Language', 'en', languageHelp)
      : (await prompt.choose(question.choices)).value;
  if (value === null) throw new EarwitnessError('interrupted', 'stopped at a question; no config was written');
  return decided(look, { ...said, [question.option]: value }, told);
}

/** Without words nothing tells the language: nobody is refused for that, but who is there can say it. */
function languageQuestion(material: Material): Question | null {
  if (material.kind !== 'recordings' || material.survey.languageFrom !== 'a guess') return null;
  const asks = 'There are no references that tell it: which language is spoken?';
  return { option: 'language', asks, choices: [] };
}

const languageHelp =
  'A tag (en, de, en-GB, zh) or the English name of a language. Texts are compared by its rules, and recognizers are told.';

async function askedRecognizers(suggested: ChosenRecognizers): Promise<ChosenRecognizers> {
  using prompt = createPrompt(terminal);
  const names = Object.keys(suggested).join(', ');
  const typed = await prompt.ask(
    'Recognizers',
    names,
    `The recognizers to test, separated by blanks: whisper:openai/whisper-base, pocketsphinx:beams=narrow, ./program, http://localhost:8000/v1; name=… in front of one gives it a name. Built in: ${memberNames('recognizers').join(', ')}. Enter accepts the suggestions.`,
  );
  return typed === names ? suggested : namedRecognizers(typed.split(/,?\s+/), process.cwd());
}
