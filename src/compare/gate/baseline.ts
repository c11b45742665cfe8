import { badInput } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { sha256Digits } from '../../base/sha256.ts';

/** One trial of a baseline: counts, and a hash of what was asked. */
export interface BaselineTrial {
  readonly recognizer: string;
  readonly condition: string;
  readonly utterance: string;
  readonly draw: number;
  readonly repeat: number;
  readonly words: number;
  readonly errors: number;
  /** Of reference, language, steps and duration (`contentOf`). */
  readonly content: string;
}

/** What a later run is held against: no transcripts, no speakers, nothing that changes without a change of the answers. */
export interface Baseline {
  readonly name: string;
  readonly run: string;
  readonly earwitness: string;
  readonly normalizer: { readonly name: string; readonly version: number };
  readonly recognizers: readonly { readonly name: string; readonly identity: JsonObject }[];
  readonly trials: readonly BaselineTrial[];
}

const sha256 = (text: string) => sha256Digits(new TextEncoder().encode(text));

const version = 1;
const columns = ['recognizer', 'condition', 'utterance', 'draw', 'repeat', 'words', 'errors', 'content'] as const;
const kind = '# earwitness baseline ';

/** By which two trials of two runs are the same question. */
export function questionOf({
  recognizer,
  condition,
  utterance,
  draw,
  repeat,
}: Pick<BaselineTrial, 'recognizer' | 'condition' | 'utterance' | 'draw' | 'repeat'>): string {
  return JSON.stringify([recognizer, condition, utterance, draw, repeat]);
}

/** Twelve digits of the hash of what decides a trial besides its recognizer. */
export function contentOf(reference: string, language: string, steps: string, seconds: number | null): string {
  const duration = seconds === null ? null : Math.round(seconds * 1000);
  return sha256(JSON.stringify([reference, language, steps, duration])).slice(0, 12);
}

/**
 * The text of a baseline: a head of a few lines, then one line for each trial, in an order that does not depend on the run, so that a
 * change reads well in a pull request.
 */
export function writeBaseline(baseline: Baseline): string {
  const rows = baseline.trials
    .map((trial) => columns.map((column) => field(trial[column])).join('\t'))
    .sort()
    .join('\n');
  const body = `${columns.join('\t')}\n${rows}\n`;
  const { name, run, earwitness, normalizer, recognizers } = baseline;
  const head = [
    `${kind}${version}`,
    ...Object.entries({ name, run, earwitness, normalizer }).map(
      ([key, value]) => `# ${key}: ${JSON.stringify(value)}`,
    ),
    ...recognizers.map((one) => `# recognizer: ${JSON.stringify(one)}`),
    `# sha256 of the table: ${sha256(body)}`,
  ];
  return `${head.join('\n')}\n${body}`;
}

/** Names with tabs, line breaks or quotes at their beginning are written as JSON. */
function field(value: string | number): string {
  const text = String(value);
  return /[\t\r\n]|^"|^\s|\s$/u.test(text) ? JSON.stringify(text) : text;
}

/**
 * Reads what `writeBaseline` wrote.
 *
 * @param shown the name of the file in messages
 * @throws EarwitnessError `bad-input` for a file that is empty, no baseline, of a newer version, cut off, changed by hand or in conflict
 */
export function readBaseline(text: string, shown: string): Baseline {
  const refuse = (line: number, what: string): never => {
    throw badInput(`${shown}${line > 0 ? `:${line}` : ''}: ${what}`);
  };
  const anew = 'write it anew with `earwitness baseline`';
  if (text.trim() === '') refuse(0, `expected a baseline, but the file is empty; ${anew}`);
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const conflict = lines.findIndex((line) => /^(<{7}|={7}|>{7})/.test(line));
  if (conflict >= 0)
    refuse(conflict + 1, `expected a baseline, but this line is of a merge conflict; take one side, or ${anew}`);
  if (!lines[0]!.startsWith(kind))
    refuse(1, `expected "${kind}${version}", but got ${JSON.stringify(printable(lines[0]!, 60))}; ${anew}`);
  const found = Number(lines[0]!.slice(kind.length));
  if (found !== version) {
    const newer = found > version ? 'install the earwitness that wrote it, or ' : '';
    refuse(
      1,
      `expected a baseline of version ${version}, but got ${printable(lines[0]!.slice(kind.length), 20)}; ${newer}${anew}`,
    );
  }
  const start = lines.findIndex((line) => !line.startsWith('#'));
  const head = lines.slice(1, start < 0 ? undefined : start);
  const valuesOf = (key: string) =>
    head.filter((line) => line.startsWith(`# ${key}: `)).map((line) => parsed(line.slice(key.length + 4)));
  const parsed = (value: string): unknown => {
    try {
      return JSON.parse(value);
    } catch {
      return refuse(1, `expected JSON in the head, but got ${JSON.stringify(printable(value, 60))}; ${anew}`);
    }
  };
  const sum = head.find((line) => line.startsWith('# sha256 of the table: '))?.slice('# sha256 of the table: '.length);
  const body = start < 0 ? '' : lines.slice(start).join('\n');
  const damaged = 'the table is not the one that was written (changed by hand, or cut off)';
  if (sum === undefined || sum !== sha256(body)) refuse(start + 1, `${damaged}; ${anew}`);
  const [name] = valuesOf('name');
  const [run] = valuesOf('run');
  const [earwitness] = valuesOf('earwitness');
  const [normalizer] = valuesOf('normalizer');
  const trials = lines.slice(start + 1, -1).map((line, place): BaselineTrial => {
    const fields = line.split('\t').map((one) => (one.startsWith('"') ? String(parsed(one)) : one));
    const [recognizer, condition, utterance, draw, repeat, words, errors, content] = fields as string[];
    const counts = [draw, repeat, words, errors].map(Number);
    if (fields.length !== columns.length || !counts.every((count) => Number.isInteger(count) && count >= 0))
      refuse(
        start + 2 + place,
        `expected ${columns.join(', ')}, but got ${JSON.stringify(printable(line, 60))}; ${anew}`,
      );
    return {
      ...{ recognizer: recognizer!, condition: condition!, utterance: utterance!, content: content! },
      ...{ draw: counts[0]!, repeat: counts[1]!, words: counts[2]!, errors: counts[3]! },
    };
  });
  return {
    ...{ name: String(name), run: String(run), earwitness: String(earwitness), trials },
    normalizer: normalizer as Baseline['normalizer'],
    recognizers: valuesOf('recognizer') as Baseline['recognizers'],
  };
}
