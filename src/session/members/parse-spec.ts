import { EarwitnessError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Schema } from '../../base/schema.ts';
import { checked } from '../config/checked.ts';
import type { Problem } from '../config/plain-data.ts';
import { type Family, type LoadedMember, loadMember } from './load-member.ts';

/** A member with its options, as one argument of a command line names it. */
export interface Spec<F extends Family> extends LoadedMember<F> {
  readonly type: string;
  readonly options: unknown;
}

/**
 * Reads `type`, `type:{"option": value}` or `type:option=value,option=value`, and checks the options against the
 * member's schema. Values after `=` are read as JSON where they are JSON and the option is no text, else as text; a value
 * with a comma in it needs the JSON form.
 *
 * @throws EarwitnessError `bad-usage`: wrong form or wrong options; `bad-config`: no such member
 * @example await loadSpec('recognizers', 'pocketsphinx:beam=1e-20', process.cwd())
 */
export async function loadSpec<F extends 'recognizers' | 'synthesizers' | 'embedders' | 'quality'>(
  family: F,
  spec: string,
  baseFolder: string,
): Promise<Spec<F>> {
  const { type, written } = splitSpec(spec);
  const loaded = await loadMember(family, type, baseFolder);
  const options = readOptions(loaded.member.options, written, spec);
  return { ...loaded, type, options };
}

/** The first colon ends the type, but for a drive letter in the path of a module. */
function splitSpec(spec: string): { type: string; written: string } {
  const from = /^[A-Za-z]:[/\\]/.test(spec) ? 2 : 0;
  const colon = spec.indexOf(':', from);
  return colon === -1
    ? { type: spec, written: '' }
    : { type: spec.slice(0, colon), written: spec.slice(colon + 1).trim() };
}

function readOptions(schema: Schema<unknown>, written: string, spec: string): unknown {
  if (written.startsWith('{')) return accept(schema, parseJson(written, spec), spec);
  const texts: Record<string, string> = {};
  for (const part of written === '' ? [] : written.split(',')) {
    const equals = part.indexOf('=');
    if (equals < 1) {
      throw usage(spec, `expected option=value, but got ${JSON.stringify(part.slice(0, 60))}`);
    }
    texts[part.slice(0, equals).trim()] = part.slice(equals + 1);
  }
  const values: Record<string, unknown> = Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, parsedOrText(text)]),
  );
  const refused = schema.safeParse(values);
  for (const issue of refused.error?.issues ?? []) {
    const [name] = issue.path;
    // A text that looks like a number (`voice=007`) stays a text where the option wants one.
    if (issue.path.length === 1 && typeof name === 'string' && texts[name] !== undefined) values[name] = texts[name];
  }
  return accept(schema, values, spec);
}

function parsedOrText(text: string): unknown {
  try {
    return JSON.parse(text);
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
  return new EarwitnessError('bad-usage', `${JSON.stringify(spec.slice(0, 100))}: ${problem}`);
}
