import { basename } from 'node:path';
import { z } from 'zod';
import { badConfig, badInput } from '../../base/errors.ts';
import { oneOf } from '../../base/option-kinds.ts';
import { sexOf } from '../shared/attributes.ts';
import { dataSetKind, withoutSound } from '../shared/data-set-corpus.ts';
import { type DataSetFolder, dataSetOptions } from '../shared/data-set-folder.ts';
import { idAndText, tableLines } from '../shared/lines.ts';

const tags = {
  dutch: 'nl',
  english: 'en',
  french: 'fr',
  german: 'de',
  italian: 'it',
  polish: 'pl',
  portuguese: 'pt',
  spanish: 'es',
} as const;

type Language = keyof typeof tags;

const languages = Object.keys(tags) as [Language, ...Language[]];

/**
 * Multilingual LibriSpeech (OpenSLR 94; Pratap et al., Interspeech 2020) as it unpacks:
 * `mls_LANGUAGE/SPLIT/audio/SPEAKER/BOOK/*.flac` (or `.opus`), `SPLIT/transcripts.txt`, and `metainfo.txt` with the sex of
 * the readers.
 *
 * @example { type: 'multilingual-librispeech', folder: '/data/mls_spanish', split: 'test' }
 */
export const multilingualLibrispeech = dataSetKind({
  name: 'multilingual-librispeech',
  about: 'Multilingual LibriSpeech (OpenSLR 94): audiobooks in eight languages, with the sex of the readers',
  title: 'Multilingual LibriSpeech',
  licence: 'CC BY 4.0',
  layout: 'test/transcripts.txt and test/audio/10367/10282/10367_10282_000000.flac',
  options: z.strictObject({
    ...dataSetOptions,
    split: oneOf(['train', 'dev', 'test']).describe('Which part.'),
    language: z
      .enum(languages)
      .optional()
      .describe('Which language. Default: what the name of the folder says (mls_spanish, mls_spanish_opus).'),
  }),
  landmark: ({ split, language }) => ({
    roots: language === undefined ? [''] : ['', `mls_${language}`, `mls_${language}_opus`],
    holds: `${split}/transcripts.txt`,
  }),
  /** The list goes through one book after the other, so the names of one folder at a time are enough. */
  async *list(folder, given, left) {
    const { split } = given;
    const language = tags[given.language ?? languageInName(folder)];
    const sexes = new Map<string, string | undefined>();
    for await (const { fields } of tableLines(folder, 'metainfo.txt', { delimiter: '|' })) {
      sexes.set(fields[0]!, sexOf(fields[1]));
    }
    const list = `${split}/transcripts.txt`;
    let book = '';
    let sounds: ReadonlySet<string> = new Set();
    for await (const { text: line, number } of folder.lines(list)) {
      const found = idAndText(line);
      if (found === null) continue;
      const place = () => `${folder.shown(list)}:${number}:1`;
      const parts = /^(\d+)_(\d+)_\d+$/.exec(found.id);
      if (parts === null) {
        throw badInput(
          `${place()}: expected an id like 10367_10282_000000, a tab and the words, but found ${JSON.stringify(line.slice(0, 60))}; correct the line`,
        );
      }
      const [, speaker, bookId] = parts;
      const path = `${split}/audio/${speaker}/${bookId}`;
      if (path !== book) {
        book = path;
        sounds = new Set((await folder.list(path)).files);
      }
      const name = ['flac', 'opus', 'wav'].map((ending) => `${found.id}.${ending}`).find((file) => sounds.has(file));
      if (name === undefined) {
        left.add(withoutSound);
        continue;
      }
      yield {
        id: found.id,
        file: `${path}/${name}`,
        reference: found.text,
        language,
        speaker: speaker!,
        attributes: { split, sex: sexes.get(speaker!), style: 'read' },
        place,
      };
    }
  },
});

function languageInName({ root, shownName }: DataSetFolder): Language {
  const name = /^mls_([a-z]+?)(?:_opus)?$/.exec(basename(root))?.[1];
  const found = languages.find((language) => language === name);
  if (found !== undefined) return found;
  throw badConfig(
    `${shownName}: expected a folder named like mls_spanish, which tells the language; set language to one of ${languages.join(', ')}`,
  );
}
