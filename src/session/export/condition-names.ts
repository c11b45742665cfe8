import { EarwitnessError } from '../../base/errors.ts';
import type { Condition } from '../../model/condition.ts';

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
        `expected conditions whose folders differ, but ${JSON.stringify(other)} and ${JSON.stringify(condition)} would both be ${name}; make them one after the other, or rename one`,
      );
    }
    owners.set(name.toLowerCase(), condition);
  }
  return names;
}
