import { join, resolve } from 'node:path';
import { isCalled, markOf } from '../../base/columns/roles.ts';
import { quotedNames } from '../../base/columns/texts.ts';
import { badInput, badUsage, EarwitnessError } from '../../base/errors.ts';
import { assumedLanguage, textsLookedAt } from '../../base/guess-language.ts';
import { knownLanguageTag } from '../../base/language-tag.ts';
import { commandLine, printable } from '../../base/printable.ts';
import { counted } from '../../base/wording.ts';
import { usuallyMissing } from '../../corpora/shared/attributes.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { RecordedOutputs } from '../../session/run/compare-outputs.ts';
import { listed } from '../../studies/shared/wording.ts';
import { firstOfSets } from '../../system/parquet-rows.ts';
import { endingOf } from '../../system/read-rows.ts';
import { collected, lookAt, openTable, type TableHead } from '../score/open-table.ts';
import { pairsOfFiles } from '../score/pair-source.ts';
import { pairsOfTable } from '../score/pairs-of-table.ts';
import { markOfFile, refuseTurned } from '../score/refuse-turned.ts';
import { languageOf, type PairSource, type ScoringPair } from '../score/scoring-pair.ts';
import { hasBothSides, referenceAndOutputs, systemColumn } from '../score/table.ts';
import { fileNamed, stdinKept, type TextFile } from '../score/text-file.ts';
import { textEndings } from '../survey/files-seen.ts';
import { sidesIn } from '../survey/sides-in.ts';
import { isAttribute } from '../survey/sniff-list.ts';
import { readSoundTree } from '../survey/sound-tree.ts';
import {
  comparedFiles,
  differingReferences,
  type Output,
  outputsBySystem,
  refuseOwnReference,
} from './compared-files.ts';

/** What the options say of files of outputs. */
export interface OutputOptions {
  /** A file of the references; absent: the first of several, or a column. */
  readonly reference?: string;
  readonly referenceColumn?: string;
  readonly hypothesisColumn?: string;
  readonly idColumn?: string;
  readonly speakerColumn?: string;
  readonly tier?: string;
  readonly ids?: true;
  /** Of all texts; null: as the files say, else guessed. */
  readonly language: string | null;
}

/** Outputs that were read, and what is said of them before any number. */
export interface ReadOutputs {
  readonly outputs: RecordedOutputs;
  /** What was taken for what: the first line. */
  readonly compared: string;
  /** Of each output the same as data: how it was put together, and where its texts and the references stand. */
  readonly taken: readonly ReturnType<PairSource['taken']>[];
  /** What was left out or may not be meant, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * Reads outputs of several recognizers: a folder with such files, a table with a column for each (or with a row for each, and a column of systems), files with references of their
 * own, or references and a file or folder for each recognizer.
 *
 * @throws EarwitnessError `bad-usage` where nothing says which is the reference, or there is one output alone; `bad-input` as the files are read
 */
export async function readOutputs(named: readonly string[], options: OutputOptions): Promise<ReadOutputs> {
  const places = firstOfSets(named);
  const twice = places.find((place, at) => places.slice(0, at).some((other) => resolve(other) === resolve(place)));
  if (twice !== undefined)
    throw badUsage(`expected different files, but got ${printable(twice)} twice; name each once`);
  const files = await Promise.all(places.map((place) => existing(place, options.tier)));
  const [only] = files;
  if (files.length === 1 && options.reference === undefined) {
    const inside = only!.format === 'folder' ? await placesInFolder(only!, options) : [];
    return inside.length === 0 ? outputsOfTable(only!, options) : readOutputs(inside, options);
  }
  const { reference, heard } = await sidesOf(files, options);
  if (heard.length < 2) {
    throw badUsage(
      `expected outputs of two recognizers at least, but ${heard[0]!.name} is the only one beside the references; one is scored by: earwitness score ${printable(reference.name)} ${printable(heard[0]!.name)}`,
    );
  }
  const names = distinctNames(heard);
  const outputs = await Promise.all(
    heard.map(async (file, place) => ({
      name: names[place]!,
      source: await pairsOfFiles(reference, file, {
        ...options,
        ...(heard.some(({ format }) => format !== 'ctm') && { whole: true }),
      }),
    })),
  );
  const { pairs, ...read } = await readAll(outputs, options);
  refuseOwnReference(reference, heard, outputs);
  return { ...read, compared: comparedFiles(reference, heard, outputs) + differingReferences(reference, heard, pairs) };
}

/** What a folder alone has to be compared: tables with references and outputs, or references and outputs as they are called. */
async function placesInFolder({ path, name }: TextFile, options: OutputOptions): Promise<readonly string[]> {
  const tree = await readSoundTree(path!, name);
  const tables: string[] = [];
  for (const other of firstOfSets(
    tree.others.filter((file) => !file.includes('/') && textEndings.has(endingOf(file))),
  )) {
    const place = join(name, other);
    try {
      const file = await existing(place, options.tier);
      if (file.format === 'table' && holdsBoth(await lookAt(file), options)) tables.push(place);
    } catch (error) {
      // What cannot be read is none of them.
      if (!(error instanceof EarwitnessError)) throw error;
    }
  }
  if (tables.length > 0) return tables.sort();
  const sides = await sidesIn(tree, name, null);
  return sides === null ? [] : [sides.reference, ...sides.outputs].map((place) => join(name, place));
}

async function existing(place: string, tier: string | undefined): Promise<TextFile> {
  const file = await fileNamed(place, tier);
  // A column or a row for each, and references that all are compared with.
  if (file !== null) return { ...(file === '-' ? await stdinKept() : file), isKept: true };
  throw badUsage(
    `expected files or folders of transcripts, but ${JSON.stringify(printable(place, 60))} is none; check the path`,
  );
}

/** Which file has the references, and which the outputs. */
async function sidesOf(
  files: readonly TextFile[],
  options: OutputOptions,
): Promise<{ readonly reference: TextFile; readonly heard: readonly TextFile[] }> {
  if (options.reference !== undefined)
    return { reference: await existing(options.reference, options.tier), heard: files };
  const [first, ...others] = files as [TextFile, ...TextFile[]];
  // Tables may hold references beside an output.
  const both: boolean[] = [];
  for (const file of files)
    both.push(file.format === 'table' && holdsBoth(await openTable(file), options, files.length > 2));
  // Whichever was named first: the same references, and the same numbers.
  const [withBoth] = files.filter((_, place) => both[place]).sort((a, b) => (a.name < b.name ? -1 : 1));
  if (withBoth !== undefined && (files.length === 2 || both.every((one) => one))) {
    const alone = files.find((file) => file !== withBoth)!;
    if (both.every((one) => one) || (await markOfFile(alone, 'hypothesis'))?.side !== 'reference')
      return { reference: withBoth, heard: files };
    return { reference: alone, heard: [withBoth] };
  }
  const isAsked = options.referenceColumn !== undefined || options.hypothesisColumn !== undefined;
  if (!isAsked) await refuseTurned(files, 'compare');
  if (files.length > 2 || first.format === 'stm') return { reference: first, heard: others };
  const [one, other] = files.map(({ name }) => printable(name));
  if (markOf(distinctNames(files)[0]!) === 'reference') return { reference: first, heard: others };
  throw badUsage(
    `expected references beside the outputs, but neither ${one} nor ${other} has both; name the references first: earwitness compare REFERENCES ${one} ${other}`,
  );
}

function holdsBoth(
  table: TableHead,
  { referenceColumn, hypothesisColumn }: OutputOptions,
  isOneOfMany = false,
): boolean {
  return hasBothSides(table, { reference: referenceColumn, hypothesis: hypothesisColumn }, isOneOfMany);
}

/** What outputs are called: their files without endings, or the folders that tell these apart. */
function distinctNames(files: readonly TextFile[]): string[] {
  const paths = files.map(({ name }) => name.replace(/\/$/, '').split('/'));
  const short = paths.map((parts) => parts.at(-1)!.replace(/\.[^.]+$/, ''));
  if (new Set(short).size === files.length) return short;
  const depths = Array.from({ length: Math.min(...paths.map((parts) => parts.length)) }, (_, depth) => depth + 2);
  const folders = depths.map((depth) => paths.map((parts) => parts.at(-depth) ?? ''));
  return folders.find((names) => new Set(names).size === files.length) ?? files.map(({ name }) => name);
}

async function outputsOfTable(file: TextFile, options: OutputOptions): Promise<ReadOutputs> {
  if (file.format !== 'table') {
    throw badUsage(
      `expected a table with a column for each recognizer, or several files, but got ${printable(file.name)} alone; name the references first: earwitness compare REFERENCES A B`,
    );
  }
  const table = await openTable(file);
  const wanted = { reference: options.referenceColumn, hypothesis: options.hypothesisColumn, id: options.idColumn };
  const found = referenceAndOutputs(table, wanted);
  const system = systemColumn(table);
  if (system !== null) {
    const outputs = await outputsBySystem(file, { ...system, id: options.idColumn ?? system.id }, options);
    const read = await readAll(outputs, options, new Set([system.name]));
    return { ...read, compared: `${outputs[0]!.source.compared()}; outputs by ${system.name}` };
  }
  const { reference, outputs: names, others } = found;
  const { speakerColumn: speaker, idColumn: id } = options;
  if (names.length < 2) {
    const alone = names.length === 0 ? 'none is found beside the references' : `${quotedNames(names)} is the only one`;
    throw badUsage(
      `expected columns of two recognizers at least, but ${alone} in ${printable(file.name)}; ${names.length === 0 ? `there is ${quotedNames(table.columns.map(({ name }) => name))}` : `one is scored by: ${printable(commandLine(['earwitness', 'score', file.path ?? file.name, '--reference-column', reference]))}`}`,
    );
  }
  const outputs = names.map((name) => ({
    name,
    source: pairsOfTable(file, { reference, hypothesis: name, speaker, id }, false),
  }));
  const without = new Set([reference, ...names]);
  const read = await readAll(outputs, options, without);
  const passed = others.length === 0 ? '' : `; not used, as they share few words with it: ${quotedNames(others)}`;
  return {
    ...read,
    compared: `${[file.name, ...table.titled].join(', ')}, row by row: reference in ${reference}, outputs in ${listed(names.map((name) => printable(name, 60)))}${passed}`,
  };
}

/** What was read, and the pairs of each output. */
type ReadPairs = Omit<ReadOutputs, 'compared'> & { readonly pairs: readonly (readonly ScoringPair[])[] };

async function readAll(
  outputs: readonly Output[],
  { language: wanted }: OutputOptions,
  without: ReadonlySet<string> = new Set(),
): Promise<ReadPairs> {
  const columns = await Promise.all(outputs.map(({ source }) => collected(source.pairs)));
  const [first] = columns as [readonly ScoringPair[]];
  const notes: string[] = [];
  for (const [place, pairs] of columns.entries()) {
    const { name, source } = outputs[place]!;
    if (pairs.length !== first.length) {
      const found = `it has ${pairs.length} and not ${first.length}`;
      throw badInput(
        `expected ${printable(name)} to have the utterances of ${printable(outputs[0]!.name)}, but ${found}; do the outputs belong together?`,
      );
    }
    const cut = pairs.find(({ reference: { text } }, row) => {
      const own = first[row]!.reference.text;
      return text !== own && (text.endsWith(own) || own.endsWith(text));
    });
    if (cut !== undefined) {
      throw badInput(
        `expected the same references for all outputs, but what stands before the colons (${JSON.stringify(printable(cut.reference.text, 40))}) is said in one of ${printable(outputs[0]!.name)} and ${printable(name)} and not in the other; take the names out of the references, or the colons`,
      );
    }
    const unmatched = source.leftovers()?.missingReferences;
    if (unmatched !== undefined && unmatched.count > 0)
      notes.push(
        `${printable(name)} has ${counted(unmatched.count, 'text')} without a reference, not counted (${listed(
          unmatched.first.map((id) => printable(id, 40)),
          3,
        )})`,
      );
  }
  if (first.length === 0) throw badInput('expected at least one utterance, but there is none');
  const answered = first.map((_, row) => columns.every((pairs) => pairs[row]!.missing !== true));
  notes.unshift(...missingIn(outputs, columns, answered));
  const rules = { language: wanted };
  const unknown = first.slice(0, textsLookedAt).filter((pair) => languageOf(pair, rules) === undefined);
  const assumed = assumedLanguage(unknown.map(({ reference }) => reference.text));
  if (unknown.length > 0) notes.push(assumed.told);
  const groups = attributesIn(first, without);
  const utterances = first.flatMap((pair, row) => {
    if (!answered[row]) return [];
    const language = knownLanguageTag(languageOf(pair, rules) ?? '') ?? assumed.language;
    return [
      { utterance: utteranceOf(pair, language, groups), heard: columns.map((pairs) => pairs[row]!.hypothesis.text) },
    ];
  });
  return {
    outputs: { names: outputs.map(({ name }) => name), utterances },
    taken: outputs.map(({ source }) => source.taken()),
    notes: [...new Set(notes)],
    pairs: columns,
  };
}

/**
 * Which outputs are not there: compared is what all have, since nobody knows whether a recognizer failed or a file ends early.
 *
 * @throws EarwitnessError `bad-input` where no utterance has an output of each
 */
function missingIn(
  outputs: readonly Output[],
  columns: readonly (readonly ScoringPair[])[],
  answered: readonly boolean[],
): readonly string[] {
  const without = columns.flatMap((pairs, place) => {
    const missing = pairs.flatMap(({ missing, id, line }) => (missing ? [printable(id ?? `line ${line}`, 40)] : []));
    return missing.length === 0 ? [] : [{ name: printable(outputs[place]!.name, 60), missing }];
  });
  if (without.length === 0) return [];
  const whose = without.map(
    ({ name, missing }) => `${name} has no output for ${missing.length} (${listed(missing, 3)})`,
  );
  const common = answered.filter((one) => one).length;
  if (common === 0) throw badInput(`expected an utterance of which all have an output, but ${listed(whose)}`);
  const all = outputs.length === 2 ? 'both' : 'all';
  return [
    `Compared over the ${common} of ${counted(answered.length, 'utterance')} that ${all} have: ${listed(whose)}, which score counts as deletions`,
  ];
}

/** Attributes that tell groups apart: few values that come again, or what is known of people. */
function attributesIn(pairs: readonly ScoringPair[], without: ReadonlySet<string>): readonly string[] {
  const all = pairs.map((pair) => pair.attributes());
  const names = [...new Set(all.flatMap((attributes) => Object.keys(attributes)))].filter(
    (name) => !without.has(name) && !isCalled(name, 'speaker') && markOf(name) === 'unknown',
  );
  return names.filter((name) =>
    isAttribute({ name, values: all.map((one) => (typeof one[name] === 'string' ? (one[name] as string) : '')) }),
  );
}

function utteranceOf(
  pair: ScoringPair,
  language: string,
  groups: readonly string[],
): Utterance & { readonly reference: string } {
  const [speaker] = pair.values('speaker');
  const attributes = Object.fromEntries(
    groups.flatMap((name) => {
      const [value] = pair.values(name);
      return value === undefined || usuallyMissing.includes(value.trim()) ? [] : [[name, value]];
    }),
  );
  return {
    id: pair.id ?? `line ${pair.line}`,
    reference: pair.reference.alternatives ? oneWording(pair.reference.text) : pair.reference.text,
    language,
    ...(speaker !== undefined && { speaker }),
    attributes,
    tags: [],
  };
}

/** The first of the wordings that NIST's formats leave open, with the words that may be left out. */
function oneWording(text: string): string {
  return text
    .replace(/\{\s*([^/{}]*?)\s*\/[^{}]*\}/g, '$1')
    .replace(/[()]|(?:^|\s)@(?=\s|$)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
