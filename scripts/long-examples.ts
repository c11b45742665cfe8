// Figures of README and docs/ that come from examples too long, or on data too large, to be run as a test: runs the examples and
// writes what they print into the pages, with what it rests on. `long-examples.test.ts` fails where a study, a normalizer, a
// perturbation or the config has changed since. Answers that an example's store has are not asked again.
//
//   node scripts/long-examples.ts                 runs the examples whose figures have changed since, or were never made
//   node scripts/long-examples.ts threshold …     runs those whose page or config has one of the words in its name
//   node scripts/long-examples.ts --list          runs nothing: what there is, and what has changed since
//   node scripts/long-examples.ts --kept adversarial …    says on the page that figures are of an earlier version, where running them takes hours
//   node scripts/long-examples.ts --measured bench/start.ts …     notes that the pages have what these measure now; they are run by hand
//   node scripts/long-examples.ts --same bench/start.ts …         notes that what changed in these moves no figure
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { normalizers } from '../src/scoring/normalizers/normalizers.ts';
import { loadNamedMember, memberNames } from '../src/session/members/load-member.ts';
import { findRun } from '../src/session/stored/which-run.ts';
import { openStore } from '../src/store/open-store.ts';
import { type Figures, figuresOf, hashOf, hashOfConfig, hashOfMeasure, measuresOf, pages } from './documents.ts';

const root = join(import.meta.dirname, '..');

/** Why figures cannot be what the example would print now; null where nothing is known against them. */
export async function whyStale({ config, made, shown }: Figures): Promise<string | null> {
  if (made === null) return 'never made';
  if (made.shown !== hashOf(shown)) return 'changed by hand';
  if (made.config !== hashOfConfig(config)) return `${config} has changed since`;
  for (const one of made.versions) {
    const [name = '', version] = one.split(' ');
    const now = await versionOf(name);
    if (shown.includes(keptInWords([[name, now]]))) continue;
    if (String(now) !== version) return `made with ${one}, and it is ${now === null ? 'gone' : `version ${now} now`}`;
  }
  return null;
}

/** What a page says of figures of earlier versions. */
const keptInWords = (since: readonly (readonly [name: string, version: number | null])[]) =>
  since.map(([name, version]) => `Not run again since ${name} is version ${version}.`).join(' ');

/** Says in a page, where readers see it, with which later versions figures were not made. */
async function noteKept({ page, start, end, made, shown }: Figures): Promise<void> {
  const since: [string, number | null][] = [];
  for (const one of made?.versions ?? []) {
    const [name = '', version] = one.split(' ');
    const now = await versionOf(name);
    if (String(now) !== version) since.push([name, now]);
  }
  const [caption = '', ...rest] = shown.split('\n');
  const plain = caption.replace(/ Not run again since .*/, '');
  const told = [since.length === 0 ? plain : `${plain} ${keptInWords(since)}`, ...rest].join('\n');
  const file = join(root, page);
  const text = readFileSync(file, 'utf8');
  const own = text
    .slice(start, end)
    .replace(shown, told)
    .replace(/; shown \w+;/, `; shown ${hashOf(told)};`);
  writeFileSync(file, text.slice(0, start) + own + text.slice(end));
}

async function versionOf(name: string): Promise<number | null> {
  if (Object.hasOwn(normalizers, name)) return normalizers[name]!.version;
  for (const family of ['studies', 'perturbations'] as const) {
    if (memberNames(family).includes(name)) return (await loadNamedMember(family, name)).version;
  }
  return null;
}

interface Printed {
  readonly text: string;
  readonly markdown: string;
  readonly findings: readonly { readonly title: string; readonly versions: readonly string[] }[];
  /** Names of what was done to the sound. */
  readonly perturbations: readonly string[];
  /** `16 trials: 16 answered, none failed.` */
  readonly trials: string;
}

/**
 * Runs an example, with what is for people on this terminal.
 *
 * @param place the folder that its config lies in, or a copy of that
 */
export function runExample(config: string, place = join(root, dirname(config))): Printed {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-figures-'));
  try {
    const command = [join(root, 'bin', 'earwitness.js'), 'run', '-c', basename(config), '--no-sound', '--out', folder];
    const { status, stdout } = spawnSync(process.execPath, command, {
      cwd: place,
      encoding: 'utf8',
      env: { ...process.env, EARWITNESS_ONE_THREAD: '1', NO_COLOR: '1', COLUMNS: '80', LC_ALL: 'C.UTF-8' },
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 2 ** 26,
    });
    if (status !== 0) throw new Error(`${config} ended with ${status}:\n${stdout}`);
    const [report = ''] = readdirSync(folder);
    const { findings } = JSON.parse(readFileSync(join(folder, report, 'report.json'), 'utf8')) as {
      findings: readonly {
        title: string;
        study: { name: string; version: number };
        settings: { normalizer?: { name: string; version: number } };
      }[];
    };
    using store = openStore(join(place, '.earwitness', 'store.sqlite'), { readonly: true });
    const steps = store.conditions(findRun(store, 'last').id).flatMap((condition) => condition.steps);
    return {
      text: stdout,
      markdown: readFileSync(join(folder, report, 'report.md'), 'utf8'),
      findings: findings.map(({ title, study, settings: { normalizer } }) => ({
        title,
        versions: [study, ...(normalizer === undefined ? [] : [normalizer])].map((one) => `${one.name} ${one.version}`),
      })),
      perturbations: [...new Set(steps.map(({ perturbation }) => perturbation))].sort(),
      trials: `${/[\d,]+ trials?\b[^.]*/.exec(restOf(stdout.split('\n')).join(' '))![0].replace(/, [\d,]+ taken from the store/, '')}.`,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The last lines of the first screen: what its numbers rest on, and where to look. */
function restOf(lines: readonly string[]): string[] {
  const look = lines.findIndex((line) => line.startsWith('Look: '));
  return lines.slice(lines.lastIndexOf('', look) + 1, look);
}

/** The lines of the terminal's answer under a title, up to the next; where one study found something, there is no title. */
function answerOf(text: string, title: string, titles: readonly string[]): string {
  const lines = text.split('\n');
  const answers = lines.slice(0, lines.lastIndexOf('', lines.indexOf(restOf(lines)[0]!)));
  const first = Math.max(0, answers.indexOf(title));
  const length = answers.slice(first).findIndex((line, at) => line === '' && titles.includes(answers[first + at + 1]!));
  return answers.slice(first, length < 0 ? undefined : first + length).join('\n');
}

/** The first table under a title of the report, of its columns and rows those that are wanted. */
function tableOf(markdown: string, { title, columns, rows }: Figures['parts'][number]): string {
  const plain = markdown.replaceAll(/\\([[\]().+*_-])/g, '$1');
  const under = plain.split(/^#+ /m).find((part) => part.startsWith(`${title}\n`) && /^\|/m.test(part));
  if (under === undefined) throw new Error(`no table is called ${title}`);
  const [head = [], , ...body] = under
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) => line.slice(2, -2).split(' | '));
  // A name that several columns have, named again, is the next of them.
  const wanted = (columns ?? head).map((column, at) => {
    const before = (columns ?? head).slice(0, at).filter((other) => other === column).length;
    const places = head.flatMap((name, place) => (name === column ? [place] : []));
    if (before >= places.length) throw new Error(`${title} has no column ${column}, but ${head.join('; ')}`);
    return places[before]!;
  });
  const line = (cells: readonly string[]) =>
    `| ${wanted.map((place) => cells[place]!.replace(/ \(\d+\)$/, '')).join(' | ')} |`;
  const kept = body.filter((cells) => rows === null || rows.test(cells.join(' | ')));
  if (kept.length === 0) throw new Error(`no row of ${title} is like ${rows}`);
  return [line(head), `|${wanted.map(() => '---').join('|')}|`, ...kept.map(line)].join('\n');
}

/** What stands in a page of what an example printed. */
export function shownOf({ config, parts }: Figures, printed: Printed, date: string): string {
  const shown = parts.map((part) =>
    part.kind === 'answer'
      ? `\`\`\`text\n${answerOf(
          printed.text,
          part.title,
          printed.findings.map(({ title }) => title),
        )}\n\`\`\``
      : tableOf(printed.markdown, part),
  );
  return [`\`earwitness run -c ${config}\`, ${date}, ${printed.trials}`, '', shown.join('\n\n'), ''].join('\n');
}

/** Writes the figures of one example into every page that has some. */
async function writeFigures(config: string, printed: Printed): Promise<void> {
  const date = today();
  const perturbations = await Promise.all(
    printed.perturbations.map(async (name) => `${name} ${await versionOf(name)}`),
  );
  for (const page of pages) {
    const file = join(root, page);
    let text = readFileSync(file, 'utf8');
    for (const figures of figuresOf(page).toReversed()) {
      if (figures.config !== config) continue;
      const shown = shownOf(figures, printed, date);
      const asked = text
        .slice(figures.start, figures.end)
        .split('\n')
        .filter((line) => /^(answer|table): /.test(line));
      // A table stands in the report of one of the findings, nothing says of which.
      const whose = printed.findings.filter(
        ({ title, versions }) =>
          !versions[0]!.startsWith('corpus ') || figures.parts.some((part) => part.title === title),
      );
      const versions = [...new Set([...whose.flatMap((finding) => finding.versions), ...perturbations])];
      const made = `made: ${versions.join(', ')}; config ${hashOfConfig(config)}; shown ${hashOf(shown)}; ${date}`;
      const head = [`<!-- figures of: ${config}`, ...asked.map((line) => line.replace(/ ?-->$/, '')), `${made} -->`];
      text = `${text.slice(0, figures.start)}${head.join('\n')}\n${shown}<!-- end of figures -->${text.slice(figures.end)}`;
    }
    writeFileSync(file, text);
  }
}

/** `2026-11-23` */
function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** Notes the hash of a file of bench/ wherever a page has what it measures, and a day; null leaves that as it is. */
function noteMeasured(measure: string, day: string | null): void {
  const noted = `${measure} ${hashOfMeasure(measure)}`;
  for (const page of pages) {
    const text = readFileSync(join(root, page), 'utf8');
    const old = measuresOf(page).filter(({ file }) => file === measure);
    const renewed = old.reduce(
      (now, { file, hash, date }) => now.replaceAll(`${file} ${hash} ${date}`, `${noted} ${day ?? date}`),
      text,
    );
    writeFileSync(join(root, page), renewed);
  }
}

if (import.meta.main) {
  const { values, positionals: wanted } = parseArgs({
    allowPositionals: true,
    options: {
      list: { type: 'boolean', default: false },
      measured: { type: 'boolean', default: false },
      same: { type: 'boolean', default: false },
      kept: { type: 'boolean', default: false },
    },
  });
  const note = values.measured || values.same;
  for (const measure of note ? wanted : []) noteMeasured(measure, values.same ? null : today());
  const configs = new Set<string>();
  // From the end of a page, so that places stay.
  for (const figures of values.kept ? pages.flatMap((page) => figuresOf(page).toReversed()) : []) {
    if (wanted.some((word) => figures.config.includes(word))) await noteKept(figures);
  }
  for (const figures of pages.flatMap(figuresOf)) {
    const stale = await whyStale(figures);
    if (values.list) console.log(`${figures.page}: ${figures.config}: ${stale ?? `of ${figures.made!.date}`}`);
    const named = wanted.some((word) => figures.config.includes(word) || figures.page.includes(word));
    if (wanted.length === 0 ? stale !== null : named) configs.add(figures.config);
  }
  for (const page of values.list ? pages : []) {
    for (const { file, hash, date } of measuresOf(page)) {
      const changed = hash !== hashOfMeasure(file);
      console.log(`${page}: ${file}: ${changed ? 'has changed since' : 'of'} ${date}`);
    }
  }
  for (const config of values.list || values.kept || note ? [] : configs) {
    console.error(config);
    await writeFigures(config, runExample(config));
  }
}
