import { EarwitnessError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { printable } from '../../base/printable.ts';

/** What is said of an attribute that no utterance has. `where` is what named it: an option, or a study. */
export function unknownAttribute(where: string, name: string, known: ReadonlySet<string>): EarwitnessError {
  const nearest = nearestName(name, known);
  const hint =
    nearest === null
      ? 'see what there is with the study corpus'
      : `did you mean ${JSON.stringify(printable(nearest))}?`;
  return new EarwitnessError(
    'bad-config',
    `${where}: expected attributes of the utterances, but none has ${printable(JSON.stringify(name))}; ${hint}`,
  );
}
