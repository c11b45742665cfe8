import { join, relative } from 'node:path';
import { plainWords, severalColumns } from '../../base/columns/texts.ts';
import { refusalAsNull } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { loadMember } from '../../session/members/load-member.ts';
import { createServices } from '../../session/open/services.ts';
import { bareWith, type Candidate, type NamedWords, pathOptions } from './candidates.ts';
import type { SoundTree } from './sound-tree.ts';

interface AskedWords extends NamedWords {
  readonly path: string;
  readonly baseFolder: string;
}

/** Options as a config in `baseFolder` writes them. */
export function writtenOptions({ options }: Candidate, tree: SoundTree, baseFolder: string): JsonObject {
  return Object.fromEntries(
    Object.entries(options).map(([key, value]) => {
      if (!pathOptions.includes(key) || typeof value !== 'string') return [key, value];
      const way = relative(baseFolder, join(tree.root, value)).replaceAll('\\', '/');
      return [key, way === '' ? '.' : way];
    }),
  );
}

/**
 * A list and files beside the audio may both hold the words.
 *
 * @throws Undecided where these are others, and nothing says which are the references
 */
export async function askOfWords(list: Candidate, tree: SoundTree, request: AskedWords): Promise<void> {
  const files = await bareWith(tree, request, null).catch(refusalAsNull);
  if (files === null) return;
  const [listed, beside] = [await wordsIn(list, tree, request), await wordsIn(files, tree, request)];
  const both = [...beside.keys()].filter((file) => listed.has(file));
  if (both.every((file) => plainWords(listed.get(file)!) === plainWords(beside.get(file)!))) return;
  const places = [
    { name: String(list.options.file), values: both.map((file) => listed.get(file)!) },
    { name: String(files.options.texts ?? files.options.folder), values: both.map((file) => beside.get(file)!) },
  ];
  const names = places.map(({ name }) => name);
  throw severalColumns(printable(request.path, 80), 'reference', names, places, '', 'list or folder');
}

/** The words of each whole file. */
async function wordsIn(candidate: Candidate, tree: SoundTree, { baseFolder }: AskedWords) {
  const services = createServices({ baseFolder });
  const { member } = await loadMember('corpora', candidate.type, baseFolder);
  const found = new Map<string, string>();
  try {
    const options = member.options.parse(writtenOptions(candidate, tree, baseFolder));
    const corpus = await member.open(options as never, services.corpus);
    for await (const { sound, reference } of corpus.utterances())
      if (sound !== undefined && 'file' in sound && typeof reference === 'string') found.set(sound.file, reference);
    await corpus.close();
  } catch (error) {
    refusalAsNull(error);
  } finally {
    await services.close();
  }
  return found;
}
