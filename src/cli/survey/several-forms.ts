import { posix } from 'node:path';
import { listed } from '../../studies/shared/wording.ts';
import { endingOf, type SoundTree } from './sound-tree.ts';

/** Endings of formats that lose nothing, the usual first. */
const lossless = new Set('wav flac aif aiff aifc au snd sph nist caf'.split(' '));

/** Of endings those first that lose nothing. */
export function betterFirst(endings: readonly string[]): string[] {
  return [
    ...[...lossless].filter((ending) => endings.includes(ending)),
    ...endings.filter((ending) => !lossless.has(ending)),
  ];
}

/** Sounds of one folder that differ in their endings alone. */
interface SeveralForms {
  /** Without the ending. */
  readonly name: string;
  readonly endings: readonly string[];
}

/** Sounds of one name in one folder. */
export function soundsInSeveralForms({ sounds }: SoundTree): SeveralForms[] {
  return [...Map.groupBy(sounds, (path) => path.replace(/\.[^.]+$/, ''))]
    .filter(([, files]) => files.length > 1)
    .map(([stem, files]) => ({ name: posix.basename(stem), endings: files.map(endingOf) }));
}

/** @example 'slt-a exists as wav and mp3: the wav is used. 3 others exist in one format only and are used as they are.' */
export function severalFormsText(
  twice: readonly SeveralForms[],
  endings: readonly string[],
  sounds: readonly string[],
): string {
  const formsOf = (one: SeveralForms) => endings.filter((ending) => one.endings.includes(ending));
  const [forms = []] = twice.map(formsOf);
  const alike = twice.every((one) => formsOf(one).join() === forms.join());
  const names = listed(
    twice.map(({ name }) => name),
    4,
  );
  const exist = `${names} ${twice.length === 1 ? 'exists' : 'exist'}`;
  const used = alike
    ? `${exist} as ${listed(forms)}: the ${forms[0]} ${twice.length === 1 ? 'is' : 'are'} used.`
    : `${exist} in several formats: of each the first of ${endings.join(', ')} is used.`;
  const others = sounds.length - twice.reduce((sum, one) => sum + one.endings.length, 0);
  const rest =
    others === 1
      ? '1 other exists in one format only and is used as it is.'
      : `${others} others exist in one format only and are used as they are.`;
  return others === 0 ? used : `${used} ${rest}`;
}
