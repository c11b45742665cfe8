import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../base/json.ts';
import { type Family, loadMember } from '../session/members/load-member.ts';
import { describeOptions } from '../session/members/option-schema.ts';
import type { Template, TemplateMember } from './config-template.ts';
import { type KnownDataSet, knownDataSet } from './known-data-set.ts';

/** What a config can be about: recordings in a folder, a list of recordings, a published data set, or texts to be spoken. */
export type Material =
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'manifest'; readonly path: string }
  | { readonly kind: 'data set'; readonly path: string; readonly dataSet: KnownDataSet }
  | { readonly kind: 'texts'; readonly synthesizer: string };

const listEnding = /\.(tsv|csv|jsonl)$/i;
const usualLists = ['metadata.csv', 'metadata.jsonl', 'manifest.tsv', 'manifest.csv', 'manifest.jsonl', 'test.tsv'];
const usualFolders = ['recordings', 'clips', 'audio', 'sounds', 'wav', 'wavs', 'data'];

/** The synthesizer for texts: of those that are ready and need no options, one that needs nothing installed first. */
export async function suggestSynthesizer(ready: readonly string[]): Promise<string | null> {
  const found: string[] = [];
  for (const name of ready) {
    const { described } = await member('synthesizers', name, {});
    if (!described.some(({ required }) => required)) found.push(name);
  }
  return found.find((name) => name === 'flite') ?? found[0] ?? null;
}

/** What lies in a folder that a config could be about; texts to be spoken where there is nothing else. */
export async function findMaterial(folder: string, readySynthesizer: string | null): Promise<Material> {
  const dataSet = await knownDataSet(folder);
  if (dataSet !== null) return { kind: 'data set', path: '.', dataSet };
  const list = usualLists.find((name) => existsSync(join(folder, name)));
  if (list !== undefined) return { kind: 'manifest', path: list };
  const entries = await readdir(folder, { withFileTypes: true });
  const found = usualFolders.find((name) => entries.some((entry) => entry.isDirectory() && entry.name === name));
  if (found !== undefined) return { kind: 'folder', path: found };
  return readySynthesizer === null
    ? { kind: 'folder', path: 'recordings' }
    : { kind: 'texts', synthesizer: readySynthesizer };
}

/** What a path that somebody typed is. */
export async function materialAt(path: string): Promise<Material> {
  if (listEnding.test(path)) return { kind: 'manifest', path };
  const dataSet = await knownDataSet(path);
  return dataSet === null ? { kind: 'folder', path } : { kind: 'data set', path, dataSet };
}

const sampleTexts = [
  'the quick brown fox jumps over the lazy dog',
  'please call me back before noon tomorrow',
  'she sells sea shells by the sea shore',
];

/** Recognizers of a config by the names they have in it. */
export type ChosenRecognizers = Readonly<Record<string, { readonly type: string; readonly options: JsonObject }>>;

/** Engines that hear and need nothing but to be there; the others need options that only the user knows. */
const selfSufficient: ChosenRecognizers = {
  pocketsphinx: { type: 'pocketsphinx', options: {} },
  narrow: { type: 'pocketsphinx', options: { beams: 'narrow' } },
};

/** Recognizers that are worth a first run: those that are ready, else those that are easily had. */
export function suggestRecognizers(ready: readonly string[]): ChosenRecognizers {
  const found = Object.entries(selfSufficient).filter(([, { type }]) => ready.includes(type));
  return found.length > 0 ? Object.fromEntries(found) : selfSufficient;
}

/** A config for this material and these recognizers, with the study that is there by default. */
export async function suggestTemplate(material: Material, recognizers: ChosenRecognizers): Promise<Template> {
  const named: Record<string, TemplateMember> = {};
  for (const [name, { type, options }] of Object.entries(recognizers))
    named[name] = await member('recognizers', type, options);
  return {
    corpus: await member('corpora', ...corpusOf(material)),
    synthesizers:
      material.kind === 'texts'
        ? { [material.synthesizer]: await member('synthesizers', material.synthesizer, {}) }
        : {},
    recognizers: named,
    studies: [await member('studies', 'robustness', {})],
  };
}

function corpusOf(material: Material): [type: string, options: JsonObject] {
  switch (material.kind) {
    case 'data set':
      return [material.dataSet.type, { folder: material.path, ...material.dataSet.options }];
    case 'folder':
      return ['folder', { folder: material.path, language: 'en' }];
    case 'manifest':
      return ['manifest', { file: material.path, language: 'en' }];
    case 'texts':
      return ['sentences', { texts: sampleTexts, synthesizer: material.synthesizer, language: 'en' }];
  }
}

async function member(
  family: Exclude<Family, 'perturbations' | 'decoders'>,
  type: string,
  options: JsonObject,
): Promise<TemplateMember> {
  const { member } = await loadMember(family, type, '.');
  return { family, type, options, about: member.about, described: describeOptions(member.options) };
}
