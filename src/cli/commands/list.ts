import { join, relative, sep } from 'node:path';
import { Argument, type Command } from 'commander';
import { stringify } from 'yaml';
import { badUsage } from '../../base/errors.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { someOf } from '../../base/printable.ts';
import { configJsonSchema, wholeConfigJsonSchema } from '../../session/config/json-schema.ts';
import { knownModels } from '../../session/members/known-models.ts';
import {
  type ListedMember,
  type ListedScenarioFamily,
  listMembers,
  listNormalizers,
  listScenarios,
} from '../../session/members/listings.ts';
import { type Family, families, memberNames } from '../../session/members/load-member.ts';
import { type KnownModel, modelScripts, pipArguments } from '../../session/members/model-rows.ts';
import type { OptionDescription } from '../../session/members/option-schema.ts';
import type { CliCommand } from '../command.ts';
import { printJson, printLine, terminalWidth } from '../output.ts';
import { glossary, wrap } from '../terminal/text-table.ts';

const kinds = [...families, 'models', 'scenarios', 'normalizers', 'config'];

/** `list [WHAT [NAME]]` */
export const list: CliCommand = {
  examples: [
    'list',
    'list recognizers',
    'list scenarios aequevox/noise',
    'list models whisper-base',
    'list perturbations white-noise --json',
    'list config --json > earwitness.schema.json',
  ],
  notes:
    '`list config --json` prints the JSON Schema of the config. `list models` has the systems of published studies and leaderboards; with the name of one it prints the config that runs it.',
  configure(command: Command) {
    command
      // The choices are for help and completion; `run` tells a wrong one with the nearest.
      .addArgument(new Argument('[what]', 'what to list (default: all names)').choices(kinds).argParser(String))
      .argument('[name]', 'only entries with this name, or whose name begins with it')
      .action(run);
  },
};

async function run(
  what: string | undefined,
  name: string | undefined,
  { json }: { readonly json?: true },
): Promise<void> {
  if (what === undefined) return listNames(json === true);
  if (!kinds.includes(what)) {
    const nearest = nearestName(what, kinds);
    const meant = nearest === null ? '' : `; did you mean ${nearest}?`;
    throw badUsage(`expected one of ${kinds.join(', ')}, but got "${what}"${meant}`);
  }
  if (what === 'config') return listConfig(json === true);
  if (what === 'scenarios') return listScenarioFamilies(name, json === true);
  if (what === 'models') return listModels(name, json === true);
  const members = what === 'normalizers' ? listNormalizers() : await listMembers(what as Family);
  const chosen = named(members, name, (member) => member.name);
  if (json) return printJson(chosen as unknown as Json);
  await printLine(chosen.map(memberText).join('\n\n'));
}

/** What there is, by name alone. */
async function listNames(json: boolean): Promise<void> {
  const names: Record<string, readonly string[]> = Object.fromEntries(
    families.map((family) => [family, memberNames(family)]),
  );
  names.models = knownModels.map((model) => model.name);
  names.scenarios = (await listScenarios()).map(({ ladder, family }) => `${ladder}/${family}`);
  names.normalizers = listNormalizers().map((normalizer) => normalizer.name);
  if (json) return printJson(names as unknown as Json);
  const rows = Object.entries(names).map(([kind, all]): [string, string] => [kind, all.join(', ')]);
  await printLine(glossary(rows, { width: terminalWidth(), indent: 0, termWidth: 18 }));
}

function memberText({ name, about, facts, options }: ListedMember): string {
  const width = terminalWidth();
  const notes = Object.entries(facts)
    .filter(([, value]) => value !== false)
    .map(([fact, value]) =>
      value === true ? fact : value === null ? `${fact} unknown (not installed)` : `${fact} ${value}`,
    );
  const head = notes.length === 0 ? name : `${name}  (${notes.join(', ')})`;
  const lines = [head, ...(about === '' ? [] : wrap(about, width - 2).map((line) => `  ${line}`))];
  if (options.length > 0) lines.push(optionTable(options, 4));
  return lines.join('\n');
}

function optionTable(options: readonly OptionDescription[], indent: number): string {
  const rows = options.map((option): [string, string] => {
    const state = option.required ? ', required' : option.default === null ? '' : `, default ${option.default}`;
    return [option.name, `${option.about.replace(/[^.?!]$/, '$&.')} (${option.kind}${state})`.trim()];
  });
  return glossary(rows, { width: terminalWidth(), indent, termWidth: 18 });
}

async function listScenarioFamilies(name: string | undefined, json: boolean): Promise<void> {
  const found = await listScenarios();
  const familyName = ({ ladder, family }: ListedScenarioFamily) => `${ladder}/${family}`;
  const chosen = named(found, name?.replace(/:\d*$/, ''), familyName);
  if (json) return printJson(chosen as unknown as Json);
  const width = terminalWidth();
  const blocks: string[] = [];
  let source = '';
  for (const family of chosen) {
    if (family.source !== source) blocks.push(wrap(`${family.ladder}: ${family.source}`, width).join('\n'));
    source = family.source;
    const rows = family.scenarios.map((scenario): [string, string] => [scenario.name, scenario.label]);
    const head = wrap(`${family.about.replace(/\.$/, '')} (${family.axis}):`, width);
    blocks.push(
      [...head, glossary(rows, { width, indent: 2, termWidth: Math.max(...rows.map(([term]) => term.length)) })].join(
        '\n',
      ),
    );
  }
  await printLine(blocks.join('\n\n'));
}

async function listModels(name: string | undefined, json: boolean): Promise<void> {
  const chosen = named(knownModels, name, (model) => model.name).map((model) => ({ ...model, config: usable(model) }));
  if (json) return printJson(chosen as unknown as Json);
  const width = terminalWidth();
  if (chosen.length === 1) return printLine(modelText(chosen[0]!, width));
  const bySource = Map.groupBy(chosen, ({ sources: [source], speaks }) =>
    speaks && source === 'Synthesizers in wide use' ? source : `${source}${speaks ? ', synthesizers' : ''}`,
  );
  const blocks = [...bySource].map(([source, models]) => {
    const rows = models.map((model): [string, string] => [
      model.name,
      [...modelFacts(model), ...(model.tried === null ? [] : ['tried'])].join(', '),
    ]);
    return `${source}\n${glossary(rows, { width, indent: 2, termWidth: 26 })}`;
  });
  const how =
    'Untried where it does not say "tried". `earwitness list models NAME` prints the config that runs a model. Licences and sizes were not compared with every model card: read it before you rely on them.';
  await printLine([...blocks, wrap(how, width).join('\n')].join('\n\n'));
}

/** The config that runs a model, with what there is to know of it in comments: to be copied. */
function modelText(model: KnownModel, width: number): string {
  const { name, config, hub, sources, tried, note, keys } = model;
  const install = pipArguments(model);
  const notes = [
    [name, ...(hub === null ? [] : [hub]), ...modelFacts(model), `from ${sources.join(', ')}`].join(', '),
    ...(config === null ? [] : [tried === null ? 'untried: this config has never met the model' : `tried: ${tried}`]),
    ...(note === '' ? [] : [note]),
    ...(install === '' ? [] : [`python3 -m venv .venv && .venv/bin/python -m pip install ${install}`]),
    ...(keys.length === 0 ? [] : [`from the environment: ${keys.join(', ')}`]),
  ].flatMap((line) => wrap(line, width - 2).map((part) => `# ${part}`));
  return [...notes, ...(config === null ? [] : [wholeConfig(model, config)])].join('\n');
}

/** What runs as it stands, beside recordings or texts of the user's own. */
function wholeConfig({ name, speaks, language }: KnownModel, config: JsonObject): string {
  const [own, members] = speaks
    ? [
        `# Your texts: texts.txt has one on each line, which is spoken and recognized.
corpus: { type: sentences, file: texts.txt, synthesizer: ${name}, language: ${language} }`,
        { synthesizers: { [name]: config }, recognizers: { pocketsphinx: { type: 'pocketsphinx' } } },
      ]
    : [
        `# Your recordings: utterances.tsv has a row for each, with the columns audio,
# reference and, if known, speaker.
corpus: { type: manifest, file: utterances.tsv, language: ${language} }`,
        { recognizers: { [name]: config } },
      ];
  return `${own}
${stringify(members).trimEnd()}
studies:
  - { type: robustness, conditions: [aequevox/noise:5] }`;
}

/** With its script as it is called from the current folder. */
function usable({ config }: KnownModel): KnownModel['config'] {
  if (typeof config?.script !== 'string') return config;
  const script = relative(process.cwd(), join(modelScripts, config.script)).split(sep).join('/');
  return { ...config, script };
}

/** Kind, size and licence; what is not known is left out, and its note says why. */
function modelFacts({ config, parameters, bytesPerParameter, licence }: KnownModel): string[] {
  const size = (millions: number) => `${((millions / 1000) * bytesPerParameter).toPrecision(2)} GB`;
  return [
    ...(config === null ? ['nothing here runs it'] : [String(config.type)]),
    ...(parameters === null ? [] : [`${parameters.millions} M parameters (${size(parameters.millions)})`]),
    ...(licence === null ? [] : [licence]),
  ];
}

async function listConfig(json: boolean): Promise<void> {
  if (json) return printJson(await configJsonSchema());
  const { properties: frame } = await wholeConfigJsonSchema();
  const properties = frame as Record<string, { description?: string; default?: Json }>;
  const rows = Object.entries(properties).map(([key, { description, default: value }]): [string, string] => [
    key,
    `${description ?? ''}${value === undefined ? '' : ` (default ${JSON.stringify(value)})`}`,
  ]);
  await printLine(glossary(rows, { width: terminalWidth() }));
}

/** What has the name, or begins with it; all if no name is given. */
function named<Item>(
  items: readonly Item[],
  name: string | undefined,
  nameOf: (item: Item) => string,
): readonly Item[] {
  if (name === undefined) return items;
  const exact = items.filter((item) => nameOf(item) === name);
  const chosen = exact.length > 0 ? exact : items.filter((item) => nameOf(item).startsWith(name));
  if (chosen.length > 0) return chosen;
  const nearest = nearestName(name, items.map(nameOf));
  const hint = nearest === null ? `expected one of ${someOf(items.map(nameOf))}` : `did you mean "${nearest}"?`;
  throw badUsage(`nothing is called ${JSON.stringify(name.slice(0, 100))}; ${hint}`);
}
