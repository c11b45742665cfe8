// Fills the parts of pages in docs/ between `<!-- NAME: generated -->` and `<!-- end -->` with what the
// members, ladders and commands declare. With --check it writes nothing, and fails where a file is out of date.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../src/base/json.ts';
import type { Schema } from '../src/base/schema.ts';
import { commands } from '../src/cli/commands.ts';
import { exitCodeHelp } from '../src/cli/main.ts';
import { personalPlaces } from '../src/model/personal-data.ts';
import { liveServices } from '../src/recognizers/hosted/live-services.ts';
import type { ServiceFacts } from '../src/recognizers/hosted/service.ts';
import { hostedServices } from '../src/recognizers/hosted/services.ts';
import { configFrame, corpusFrame, recognizerFrame, studyFrame } from '../src/session/config/frame.ts';
import { listMembers, listNormalizers, listScenarios } from '../src/session/members/listings.ts';
import type { Family } from '../src/session/members/load-member.ts';
import { writtenJsonSchema } from '../src/session/members/option-schema.ts';

/** `earwitness list` shows them all. */
const shownOptions = 5;
const root = join(import.meta.dirname, '..');

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s+/g, ' ').trim();
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n');
}

async function family(name: Family): Promise<string> {
  const members = await listMembers(name);
  const options = (list: (typeof members)[number]['options']) => {
    const shown = list
      .slice(0, shownOptions)
      .map(({ name: option, required }) => `\`${option}\`${required ? ' (required)' : ''}`);
    return [...shown, ...(list.length > shownOptions ? [`${list.length - shownOptions} more`] : [])].join(', ');
  };
  return table(
    ['type', 'what it is', 'options'],
    members.map((member) => [`\`${member.name}\``, member.about, options(member.options)]),
  );
}

async function scenarios(): Promise<string> {
  return table(
    ['family', 'what one hears', 'severity', 'ranks'],
    (await listScenarios()).map(({ ladder, family: name, about, axis, scenarios: rungs }) => [
      `\`${ladder}/${name}\``,
      about,
      axis,
      rungs.map(({ label }, rank) => `${rank + 1}: ${label}`).join('; '),
    ]),
  );
}

function exitCodes(): string {
  const rows = exitCodeHelp()
    .split('\n')
    .map((line) => /^ +(\d+) +(.+)$/.exec(line))
    .filter((match) => match !== null);
  return table(
    ['code', 'meaning'],
    rows.map((match) => [match[1]!, match[2]!]),
  );
}

/** What stands beside the options of members, in whose tables it is not told again. */
const besideOptions = new Set(['type', '$schema']);

/** Keys of a part of the config and of the objects in it, each with its meaning and what holds where it is absent. */
function keys(frame: Schema<unknown>): string {
  const rows = (schema: JsonObject, above: string): string[][] => {
    const required = new Set(schema.required as string[] | undefined);
    return Object.entries((schema.properties ?? {}) as Record<string, JsonObject>)
      .filter(([key]) => !besideOptions.has(key))
      .flatMap(([key, part]) => {
        const absent = JSON.stringify(part.default ?? {});
        const shown = required.has(key) ? 'required' : absent === '{}' || absent === '[]' ? '' : `\`${absent}\``;
        return [[`\`${above}${key}\``, String(part.description), shown], ...rows(part, `${above}${key}.`)];
      });
  };
  return table(['key', 'meaning', 'if absent'], rows(writtenJsonSchema(frame), ''));
}

function hostedTable(services: Readonly<Record<string, ServiceFacts>>): string {
  return table(
    ['service', 'key in', 'regions', 'models', 'price of a minute'],
    Object.entries(services).map(([name, service]) => {
      const { title, documentation, keyVariable, signedFor, regions, models, price } = service;
      const names = (list: readonly string[]) => list.map((item) => `\`${item}\``).join(', ');
      return [
        `\`${name}\`, [${title}](${documentation})`,
        signedFor === undefined ? `\`${keyVariable}\`` : names(['AWS_ACCESS_KEY_ID', keyVariable, 'AWS_SESSION_TOKEN']),
        names(regions),
        names(models),
        `${price === null ? 'give it' : `${priceInWords(price)} (${price.seen})`}${billingInWords(service.billing)}`,
      ];
    }),
  );
}

function priceInWords({ amount, currency }: { readonly amount: number; readonly currency: string }): string {
  return amount === 0 ? 'nothing' : `${Number(amount.toFixed(4))} ${currency}`;
}

function billingInWords(billing: ServiceFacts['billing']): string {
  if (billing === undefined) return '';
  const { minSeconds, stepSeconds } = billing;
  return stepSeconds === 1 ? `, at least ${minSeconds} s` : `, in steps of ${stepSeconds} s`;
}

function personalTable(): string {
  const holders = {
    collection: '`collect`',
    session: '`transcribe`, `rate`, `judge`',
    store: 'store of runs',
  } as const;
  return table(
    ['of', 'what', 'where', 'when somebody withdraws or is forgotten'],
    personalPlaces.map(({ of, kinds, files, table: name, columns = [], afterwards, note }) => [
      holders[of],
      kinds.join(', '),
      files ?? `table \`${name}\`: ${columns.map((column) => `\`${column}\``).join(', ')}`,
      `${afterwards}${note === undefined ? '' : ` (${note})`}`,
    ]),
  );
}

const parts: Readonly<Record<string, Readonly<Record<string, () => string | Promise<string>>>>> = {
  'docs/members.md': {
    recognizers: () => family('recognizers'),
    synthesizers: () => family('synthesizers'),
    corpora: () => family('corpora'),
    embedders: () => family('embedders'),
    'sound-collections': () => family('sound-collections'),
    quality: () => family('quality'),
    predictors: () => family('predictors'),
    studies: () => family('studies'),
    normalizers: () =>
      table(
        ['name', 'what it does'],
        listNormalizers().map(({ name, about }) => [`\`${name}\``, about]),
      ),
  },
  'docs/commands.md': {
    commands: () =>
      table(
        ['command', 'what it does'],
        commands.map(({ name, about }) => [`\`earwitness ${name}\``, about]),
      ),
    'exit codes': exitCodes,
  },
  'docs/scenarios.md': { scenarios },
  'docs/security.md': { 'personal data': personalTable },
  'docs/recognizers.md': {
    services: () => hostedTable(hostedServices),
    'live-services': () => hostedTable(liveServices),
  },
  'docs/config.md': {
    keys: () => keys(configFrame),
    'keys of a corpus': () => keys(corpusFrame),
    'keys of a recognizer': () => keys(recognizerFrame),
    'keys of a study': () => keys(studyFrame),
  },
};

for (const [file, places] of Object.entries(parts)) {
  const before = readFileSync(join(root, file), 'utf8');
  let text = before;
  for (const [name, make] of Object.entries(places)) {
    const place = new RegExp(`(<!-- ${name}: generated -->\n)[^]*?(<!-- end -->)`);
    if (!place.test(text)) throw new Error(`${file}: expected a line <!-- ${name}: generated -->, but there is none`);
    const made = await make();
    text = text.replace(place, (_, head: string, end: string) => `${head}${made}\n${end}`);
  }
  if (text === before) continue;
  if (process.argv.includes('--check')) {
    console.error(`${file} is out of date: run \`npm run generate\``);
    process.exitCode = 1;
  } else {
    writeFileSync(join(root, file), text);
    console.log(`wrote ${file}`);
  }
}
