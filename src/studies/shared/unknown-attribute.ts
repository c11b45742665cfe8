import { EarwitnessError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { printable } from '../../base/printable.ts';

/** Names that lists give to one thing, in lower case without separators. */
const alike: readonly (readonly string[])[] = [
  ['sex', 'gender'],
  ['age', 'agegroup', 'ageband', 'birthyear'],
  ['accent', 'accents', 'dialect', 'dialectregion', 'variety', 'region'],
  ['native', 'nativelanguage', 'firstlanguage', 'mothertongue', 'l1'],
  ['ethnicity', 'ethnicbackground', 'race'],
];
const maxNames = 12;

/** What is said of an attribute that no utterance has. `where` is what named it: an option, or a study. */
export function unknownAttribute(where: string, name: string, known: ReadonlySet<string>): EarwitnessError {
  return new EarwitnessError(
    'bad-config',
    `${where}: expected attributes of the utterances, but none has ${printable(JSON.stringify(name))}; ${hintOf(name, known)}`,
  );
}

function hintOf(name: string, known: ReadonlySet<string>): string {
  const quoted = (text: string) => JSON.stringify(printable(text, 60));
  const meant = nearestName(name, known) ?? synonymOf(name, known);
  if (meant !== null) return `did you mean ${quoted(meant)}?`;
  if (known.size === 0) return 'they have no attributes at all';
  const names = [...known];
  const more = names.length > maxNames ? `, and ${names.length - maxNames} more` : '';
  return `they have ${names.slice(0, maxNames).map(quoted).join(', ')}${more}`;
}

function synonymOf(name: string, known: ReadonlySet<string>): string | null {
  const plain = (text: string) => text.toLowerCase().replace(/[-_\s]/g, '');
  const family = alike.find((names) => names.includes(plain(name))) ?? [];
  return [...known].find((other) => family.includes(plain(other))) ?? null;
}
