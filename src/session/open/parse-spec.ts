import { resolve } from 'node:path';
import { badUsage, type EarwitnessError, missingProgram } from '../../base/errors.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import type { Schema } from '../../base/schema.ts';
import type { Embedder } from '../../embedders/contract.ts';
import type { Recognizer, RecognizerDescription, RecognizerServices } from '../../recognizers/contract.ts';
import type { EmbedderConfig } from '../config/written-config.ts';
import { checked, type Problem } from '../members/explain-issue.ts';
import { type Family, type LoadedMember, loadMember } from '../members/load-member.ts';
import { shortSpec, stayingSpec } from '../members/recognizer-spec.ts';
import { createServices } from './services.ts';

/** A member with its options, as one argument of a command line names it. */
export interface Spec<F extends Family> extends LoadedMember<F> {
  readonly type: string;
  /** What a config may call it, where a short form says so. */
  readonly name: string | null;
  /** The options as a config would write them. */
  readonly written: JsonObject;
  /** Checked and completed. */
  readonly options: unknown;
}

/**
 * Reads `type`, `type:{"option": value}` or `type:option=value,option=value`, and checks the options against the
 * member's schema; of a recognizer also the short forms of `shortSpec`, of a synthesizer and an embedder those of `stayingSpec`.
 * Values after `=` are read as JSON where they are JSON and the option is no text, else as text, and a list of one needs no brackets;
 * a value with a comma in it needs the JSON form.
 *
 * @throws EarwitnessError `bad-usage`: wrong form or wrong options; `bad-config`: no such member
 * @example await loadSpec('recognizers', 'pocketsphinx:beam=1e-20', process.cwd())
 */
export async function loadSpec<F extends 'recognizers' | 'synthesizers' | 'embedders' | 'quality'>(
  family: F,
  spec: string,
  baseFolder: string,
): Promise<Spec<F>> {
  const shortForms: Partial<Record<Family, typeof shortSpec>> = {
    ...{ recognizers: shortSpec, synthesizers: stayingSpec, embedders: stayingSpec },
  };
  const short = (await shortForms[family]?.(spec, baseFolder)) ?? null;
  const { type, written = '' } = short ?? splitSpec(spec);
  const loaded = await loadMember(family, type, baseFolder);
  const values = { ...short?.options, ...writtenValues(loaded.member.options, written, spec) };
  return {
    ...loaded,
    type,
    name: short?.name ?? null,
    written: values,
    options: accept(loaded.member.options, values, spec),
  };
}

/**
 * The recognizers that a command line names, by names that a config may have for them: made of the spec, or given before it
 * as `name=spec`.
 *
 * @throws EarwitnessError as `loadSpec`
 * @example await namedRecognizers(['pocketsphinx:beams=narrow'], process.cwd()) // { 'pocketsphinx-narrow': { type, options } }
 */
export async function namedRecognizers(
  specs: readonly string[],
  baseFolder: string,
): Promise<Record<string, { readonly type: string; readonly options: JsonObject }>> {
  const named: Record<string, { readonly type: string; readonly options: JsonObject }> = {};
  for (const text of specs) {
    const [, given, spec = text] = /^([A-Za-z0-9][A-Za-z0-9 ._-]{0,63})=(.+)$/s.exec(text) ?? [];
    const { type, written, name: short } = await loadSpec('recognizers', spec, baseFolder);
    const wanted = given ?? short ?? longName(type, written);
    let name = wanted;
    for (let number = 2; Object.hasOwn(named, name); number++) name = `${wanted.slice(0, 60)}-${number}`;
    named[name] = { type, options: written };
  }
  return named;
}

/** `pocketsphinx-narrow`: the type, and what is short among the options. */
function longName(type: string, options: JsonObject): string {
  const stem = type.replace(/^.*[/\\]/, '').replace(/\.[a-z]+$/, '');
  const values = Object.values(options).map((value) => (typeof value === 'string' ? value.replace(/^.*\//, '') : ''));
  const short = values.filter((value) => /^[A-Za-z0-9._-]{1,30}$/.test(value));
  return (
    [stem, ...short]
      .join('-')
      .replace(/^[^A-Za-z0-9]+/, '')
      .slice(0, 60) || 'recognizer'
  );
}

/** The first colon ends the type, but for a drive letter in the path of a module. */
function splitSpec(spec: string): { type: string; written: string } {
  const from = /^[A-Za-z]:[/\\]/.test(spec) ? 2 : 0;
  const colon = spec.indexOf(':', from);
  return colon === -1
    ? { type: spec, written: '' }
    : { type: spec.slice(0, colon), written: spec.slice(colon + 1).trim() };
}

function writtenValues(schema: Schema<unknown>, written: string, spec: string): JsonObject {
  if (written.startsWith('{')) return parseJson(written, spec);
  const texts: Record<string, string> = {};
  for (const part of written === '' ? [] : written.split(',')) {
    const equals = part.indexOf('=');
    if (equals < 1) throw usage(spec, `expected option=value, but got ${JSON.stringify(part.slice(0, 60))}`);
    texts[part.slice(0, equals).trim()] = part.slice(equals + 1);
  }
  const values: Record<string, Json> = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, parsedOrText(text)]),
  );
  // A text that looks like a number (`voice=007`) stays a text where the option wants one, and one thing is a list of one.
  const asText = (text: string) => text;
  for (const otherwise of [asText, (text: string) => [text], asText]) {
    for (const { path } of schema.safeParse(values).error?.issues ?? []) {
      const [name] = path;
      if (path.length === 1 && typeof name === 'string' && texts[name] !== undefined)
        values[name] = otherwise(texts[name]);
    }
  }
  return values;
}

function parsedOrText(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}

function parseJson(text: string, spec: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch (error) {
    throw usage(spec, `the options are no JSON (${(error as Error).message})`);
  }
}

function accept(schema: Schema<unknown>, values: unknown, spec: string): unknown {
  const problems: Problem[] = [];
  const options = checked(schema, values, [], problems);
  if (problems.length === 0) return options;
  const sentences = problems.map(({ path, at, text }) => (at === 'key' ? text : `${path.join('.')}: ${text}`));
  throw usage(spec, sentences.slice(0, 5).join('; '));
}

function usage(spec: string, problem: string): EarwitnessError {
  return badUsage(`${JSON.stringify(spec.slice(0, 100))}: ${problem}`);
}

/** As the package's entry says, which loads this file when it is used. */
export async function openEmbedder(
  written: string | EmbedderConfig,
  baseFolder: string = process.cwd(),
): Promise<Embedder> {
  const base = resolve(baseFolder);
  const { member, moduleHash, options } = await loadSpec('embedders', specOf(written), base);
  const services = createServices({ baseFolder: base }).embedder;
  await requireReady(member, services);
  const embedder = await member.open(options, services);
  if (moduleHash === null) return embedder;
  return {
    ...embedder,
    identity: { ...embedder.identity, module: moduleHash },
    model: { ...embedder.model, module: moduleHash },
  };
}

/** @throws EarwitnessError `missing-program` where a member does not work on this machine, with the line that installs it */
export async function requireReady<Services>(
  member: {
    readonly name: string;
    readiness(
      services: Services,
    ): Promise<{ readonly ready: boolean; readonly found: string; readonly install?: string }>;
  },
  services: Services,
): Promise<void> {
  const { ready, found, install } = await member.readiness(services);
  if (ready) return;
  const hint = install === undefined ? '' : `; install it with: ${install}`;
  throw missingProgram(`${member.name} does not work on this machine: ${found}${hint}`);
}

function specOf(written: string | EmbedderConfig): string {
  if (typeof written === 'string') return written;
  const { type, ...options } = written;
  return `${type}:${JSON.stringify(options)}`;
}

/** A recognizer that is ready to be asked, with what it says of itself. */
export interface OpenedRecognizer {
  readonly description: RecognizerDescription;
  readonly recognizer: Recognizer;
}

/**
 * Opens the recognizer of a single step in this process, native engines too: a single step has no other trials that a
 * crash could cost. Runs give it a process of its own instead.
 *
 * @throws EarwitnessError `missing-program` where it is not installed, with the line that installs it
 */
export async function openRecognizer(
  spec: Spec<'recognizers'>,
  services: RecognizerServices,
): Promise<OpenedRecognizer> {
  const kind = spec.member;
  await requireReady(kind, services);
  const described = await kind.describe(spec.options, services);
  const identity: JsonObject = spec.moduleHash
    ? { ...described.identity, module: spec.moduleHash }
    : described.identity;
  return { description: { ...described, identity }, recognizer: await kind.open(spec.options, services) };
}
