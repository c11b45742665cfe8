import { isCalled, markOf, referencesAmong, usualColumn, usualNames } from '../../base/columns/roles.ts';
import { areAlike, quotedNames, textColumns } from '../../base/columns/texts.ts';
import { badInput, type EarwitnessError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import type { Row } from '../../system/delimited-rows.ts';

/** What a column of a manifest can say of an utterance. */
export const roles = [
  'id',
  'path',
  'channel',
  'reference',
  'speaker',
  'language',
  'start',
  'end',
  'duration',
  'tags',
] as const;

export type Role = (typeof roles)[number];

/** Which column holds what; undefined where none does. */
export type ColumnOfRole = Readonly<Partial<Record<Role, string>>>;

/**
 * Finds the column of each role.
 *
 * @param names columns that are there
 * @param wanted what the options say: a column's name, or null for a role that no column has
 * @param place `file:line` of the names, for errors
 * @param needed roles whose column must be there when the options name it; others may be absent, as members of JSON are
 * @throws EarwitnessError `bad-input`: a needed column is missing, several may be the reference, or there is neither id nor path
 */
export function findColumns(
  names: readonly string[],
  wanted: Readonly<Partial<Record<Role, string | null | undefined>>>,
  place: string,
  needed: readonly Role[] = roles,
): ColumnOfRole {
  const known = new Set(names);
  const found: Partial<Record<Role, string>> = {};
  for (const role of roles) {
    const name = wanted[role];
    if (name === null) continue;
    if (name !== undefined && !known.has(name)) {
      if (needed.includes(role)) throw missing(name, `columns.${role}`, names, place);
      continue;
    }
    const column = name ?? (role === 'reference' ? referenceColumn(names, place) : usualColumn(names, role));
    if (column !== undefined) found[role] = column;
  }
  if (found.id === undefined && found.path === undefined) {
    const nearest = names.map((name) => ({ name, near: nearestName(name, [...usualNames.path, ...usualNames.id]) }));
    const meant = nearest.find(({ near }) => near !== null);
    const hint = meant === undefined ? listed(names) : `is it "${meant.name.slice(0, 100)}"?`;
    throw badInput(
      `${place}: expected a column with the sound's path or an id, but there is none; ${hint} Set columns.path to its name`,
    );
  }
  return found;
}

/** By names alone, of which some may mean a class too (label): those have to be told. */
function referenceColumn(names: readonly string[], place: string): string | undefined {
  const sure = names.filter((name) => isCalled(name, 'reference') && markOf(name) !== 'vague');
  const [found, ...others] = referencesAmong(sure);
  if (others.length === 0) return found;
  throw several([found!, ...others], place);
}

/**
 * The column of the references by what stands in the first rows too: one that is called after nothing else (`corrected_text`) may hold them where it has
 * words of the one that is by its name, and columns whose names leave it open the same words, of which one was recognized.
 *
 * @param rows the first of the list
 * @param found the column that is the reference by its name
 * @throws EarwitnessError `bad-input`: another may be it as well
 */
export function referenceIn(rows: readonly Row[], found: string | undefined): string | undefined {
  const [first] = rows;
  if (first === undefined) return found;
  const columns = first.names.map((name) => ({ name, values: rows.map((row) => row.text(name) ?? '') }));
  const { references } = textColumns(columns);
  const [only] = references;
  if (only !== undefined && references.length === 1 && markOf(only) === 'reference') {
    const [own, byName] = [only, found].map((name) => columns.find((column) => column.name === name));
    if (byName === undefined || areAlike(own!, byName)) return only;
  }
  if (found !== undefined && references.length > 1 && references.includes(found))
    throw several(references, first.namesPlace());
  return found;
}

function several(names: readonly string[], place: string): EarwitnessError {
  return badInput(
    `${place}: expected one column that may hold the reference, but there are ${quotedNames(names)}; name the right one in columns.reference`,
  );
}

/** @throws EarwitnessError `bad-input`: one of the columns is not there */
export function checkColumns(wanted: readonly string[], names: readonly string[], place: string): void {
  for (const name of wanted) if (!names.includes(name)) throw missing(name, 'attributes', names, place);
}

function missing(name: string, option: string, names: readonly string[], place: string): EarwitnessError {
  const nearest = nearestName(name, names);
  const hint = nearest === null ? listed(names) : `did you mean "${nearest}"?`;
  return badInput(`${place}: expected a column "${name}" (from ${option}), but there is none; ${hint}`);
}

function listed(names: readonly string[]): string {
  return `the columns are ${names
    .slice(0, 20)
    .map((name) => name.slice(0, 50))
    .join(', ')}.`;
}
