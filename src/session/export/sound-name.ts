import { EarwitnessError } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import type { Condition } from '../../model/trial.ts';

/** File systems end at 255 bytes for one name; endings and temporary names come on top. */
const longestName = 150;

/**
 * The path below a folder, without ending, of the sound of an utterance. Different ids have different paths: slashes stay
 * folders, whatever else is not plain is written as its bytes in percent, and what is too long ends in its hash.
 *
 * @example soundName('train/a b') // 'train/a%20b'
 * @example soundName('../x') // '%2E%2E/x'
 */
export function soundName(utteranceId: string): string {
  return utteranceId.split('/').map(safePart).join('/');
}

function safePart(part: string): string {
  const bytes = new TextEncoder().encode(part);
  let safe = '';
  for (const [place, byte] of bytes.entries()) {
    const character = String.fromCharCode(byte);
    // A dot or a hyphen in front hides a file, or looks like an option.
    const plain = /[A-Za-z0-9_]/.test(character) || (/[.@+-]/.test(character) && place > 0);
    safe += plain ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  if (safe === '') return '%';
  // Windows drops a dot at the end and keeps some names for devices.
  if (safe.endsWith('.')) safe = `${safe.slice(0, -1)}%2E`;
  if (/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i.test(safe)) safe = `%${safe.charCodeAt(0).toString(16)}${safe.slice(1)}`;
  return safe.length <= longestName ? safe : `${safe.slice(0, longestName - 18)}%%${sha256(part).slice(0, 16)}`;
}

/**
 * The folder of each condition beside others: `aequevox/noise:3` becomes `aequevox.noise.3`. Letters, digits, `_` and single
 * dots alone, which every file system and the split names of Hugging Face `datasets` allow.
 *
 * @throws EarwitnessError `bad-usage` where two conditions would share a folder
 */
export function conditionFolders(conditions: readonly Condition[]): string[] {
  return distinct(
    conditions,
    conditions.map(({ name }) => safeName(name)),
  );
}

/**
 * The split of each condition in a data set, named as Speech Robust Bench names its own: `srb/gnoise:3` becomes `gnoise.3`.
 * Where two ladders have a family of the same name, the ladder stands before it.
 *
 * @throws EarwitnessError `bad-usage` where two conditions would share a split
 * @example splitNames([{ name: 'srb/gnoise:3', steps: [], rung: { family: 'srb/gnoise', rank: 3, label: '' } }]) // ['gnoise.3']
 */
export function splitNames(conditions: readonly Condition[]): string[] {
  const short = conditions.map(({ name, rung }) => safeName(rung ? name.slice(name.indexOf('/') + 1) : name));
  const uses = Map.groupBy(short, (name) => name);
  return distinct(
    conditions,
    conditions.map(({ name }, index) => (uses.get(short[index]!)!.length === 1 ? short[index]! : safeName(name))),
  );
}

function safeName(name: string): string {
  const parts = name.split(/[/:.\\]+/).map((part) => part.replaceAll(/[^A-Za-z0-9_]/g, '_'));
  return (
    parts
      .filter((part) => part !== '')
      .join('.')
      .slice(0, 150) || '_'
  );
}

function distinct(conditions: readonly Condition[], names: string[]): string[] {
  const owners = new Map<string, string>();
  for (const [index, name] of names.entries()) {
    const { name: condition } = conditions[index]!;
    // Some file systems do not tell capitals from small letters.
    const other = owners.get(name.toLowerCase());
    if (other !== undefined) {
      throw new EarwitnessError(
        'bad-usage',
        `expected conditions whose folders differ, but ${JSON.stringify(other)} and ${JSON.stringify(condition)} would both be ${name}; make them separately, or rename one`,
      );
    }
    owners.set(name.toLowerCase(), condition);
  }
  return names;
}
