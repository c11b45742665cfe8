import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { markOf, type TextMark } from '../../base/columns/roles.ts';
import { refusalAsNull } from '../../base/errors.ts';
import { commandLine } from '../../base/printable.ts';
import { pairsOfFiles } from '../score/pair-source.ts';
import { fileNamed, type TextFile } from '../score/text-file.ts';
import { aboutOther, textEndings } from './files-seen.ts';
import { endingOf, type SoundTree } from './sound-tree.ts';

/** Files and folders with the same words: what was said, and what recognizers wrote. */
export interface Sides {
  /** Relative to the root of the tree. */
  readonly reference: string;
  readonly outputs: readonly string[];
  /** The command that compares them. */
  readonly command: string;
}

const maxPlaces = 40;
const maxBytes = 1 << 25;

/**
 * Looks which files and folders of texts belong together: by their names, and by whether they have the same utterances.
 *
 * @param path of the folder, as the user wrote it
 * @param known what holds the references, relative to the root; null: to be found out
 * @returns null where nothing is called a reference, or nothing else has its utterances
 */
export async function sidesIn(tree: SoundTree, path: string, known: string | null): Promise<Sides | null> {
  const texts = tree.others.filter((file) => textEndings.has(endingOf(file)) && !aboutOther.test(posix.basename(file)));
  const all = [...new Set(texts.map((file) => file.split('/')[0]!))];
  // What holds the references is no output of them.
  const places = all.filter((place) => place !== known && known?.startsWith(`${place}/`) !== true);
  const stemOf = (place: string) => place.replace(/\.[^.]+$/, '');
  const isCalled = (mark: TextMark) => places.filter((place) => markOf(stemOf(place)) === mark);
  const sure = [...isCalled('reference'), ...places.filter((place) => endingOf(place) === 'stm')];
  // What is called text is it beside what is called an output.
  const open = places.filter((place) => !isCalled('output').includes(place));
  const called =
    sure.length > 0 ? sure : open.length === 1 ? isCalled('words').filter((place) => open.includes(place)) : [];
  const reference = known ?? (called.length === 1 ? called[0]! : null);
  const said = reference === null ? null : await textFile(tree, reference);
  if (said === null || places.length > maxPlaces) return null;
  const outputs: string[] = [];
  for (const place of places) {
    if (place === reference) continue;
    const heard = await textFile(tree, place);
    if (heard !== null && (await arePairs(said, heard))) outputs.push(place);
  }
  if (outputs.length === 0) return null;
  const named = [reference!, ...outputs].map((place) => join(path, place));
  const command = commandLine(['earwitness', outputs.length === 1 ? 'score' : 'compare', ...named]);
  return { reference: reference!, outputs, command };
}

async function textFile({ root }: SoundTree, place: string): Promise<TextFile | null> {
  const path = join(root, place);
  if (!existsSync(path) || (statSync(path).isFile() && statSync(path).size > maxBytes)) return null;
  const found = await fileNamed(path).catch(refusalAsNull);
  // References are read again for each output.
  return found === '-' || found === null ? null : { ...found, isKept: true };
}

/** Whether most utterances of one side stand in the other. */
async function arePairs(said: TextFile, heard: TextFile): Promise<boolean> {
  try {
    const source = await pairsOfFiles(said, heard, {});
    let count = 0;
    for await (const _ of source.pairs) count++;
    return count > 0 && (source.leftovers()?.missingHypotheses?.count ?? 0) * 2 <= count;
  } catch (error) {
    return refusalAsNull(error) ?? false;
  }
}
