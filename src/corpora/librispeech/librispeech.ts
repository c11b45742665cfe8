import { z } from 'zod';
import { badInput } from '../../base/errors.ts';
import { sexOf } from '../shared/attributes.ts';
import { dataSetKind, withoutSound } from '../shared/data-set-corpus.ts';
import { dataSetOptions, dataSetSigns } from '../shared/data-set-folder.ts';
import { idAndText, tableLines } from '../shared/lines.ts';

const splits = [
  'test-clean',
  'test-other',
  'dev-clean',
  'dev-other',
  'train-clean-100',
  'train-clean-360',
  'train-other-500',
] as const;

/**
 * LibriSpeech (OpenSLR 12; Panayotov et al., ICASSP 2015) as it unpacks: `LibriSpeech/SPLIT/SPEAKER/CHAPTER/*.flac` with
 * `SPEAKER-CHAPTER.trans.txt` beside them (sounds of chapters without one have no reference), and `SPEAKERS.TXT` with the sex of the speakers.
 *
 * @example { type: 'librispeech', folder: '/data/LibriSpeech', split: 'test-clean' }
 */
export const librispeech = dataSetKind({
  name: 'librispeech',
  about: 'LibriSpeech (OpenSLR 12): English audiobooks by split, with the sex of the readers',
  title: 'LibriSpeech',
  licence: 'CC BY 4.0',
  layout: 'test-clean/61/70968/61-70968.trans.txt',
  options: z.strictObject({
    ...dataSetOptions,
    split: z.enum(splits).describe('Which part.'),
  }),
  signs: dataSetSigns(
    ['', 'LibriSpeech/'],
    splits.map((split) => ({ path: split, options: { split } })),
  ),
  landmark: ({ split }) => ({ roots: ['', 'LibriSpeech'], holds: split }),
  async *list(folder, { split }, left) {
    const sexes = new Map<string, string | undefined>();
    for await (const { fields } of tableLines(folder, 'SPEAKERS.TXT', { delimiter: '|', comment: ';' })) {
      sexes.set(fields[0]!, sexOf(fields[1]));
    }
    for await (const { path, files } of folder.walk(split)) {
      const sounds = new Set(files);
      const transcript = files.find((name) => name.endsWith('.trans.txt'));
      const about = (speaker: string) => ({ split, sex: sexes.get(speaker), style: 'read' });
      if (transcript === undefined) {
        for (const name of files) {
          const [, id, speaker] = /^((\d+)-\d+-\d+)\.(?:flac|wav)$/.exec(name) ?? [];
          if (id === undefined || speaker === undefined) continue;
          const file = `${path}/${name}`;
          yield { id, file, language: 'en', speaker, attributes: about(speaker), place: () => folder.shown(file) };
        }
        continue;
      }
      for await (const { text: line, number } of folder.lines(`${path}/${transcript}`)) {
        const found = idAndText(line);
        if (found === null) continue;
        const place = () => `${folder.shown(`${path}/${transcript}`)}:${number}:1`;
        const speaker = /^(\d+)-\d+-\d+$/.exec(found.id)?.[1];
        if (speaker === undefined) {
          throw badInput(
            `${place()}: expected an id like 84-121123-0000 and the words, but found ${JSON.stringify(line.slice(0, 60))}; correct the line`,
          );
        }
        const name = [`${found.id}.flac`, `${found.id}.wav`].find((candidate) => sounds.has(candidate));
        if (name === undefined) {
          left.add(withoutSound);
          continue;
        }
        yield {
          id: found.id,
          file: `${path}/${name}`,
          reference: found.text,
          language: 'en',
          speaker,
          attributes: about(speaker),
          place,
        };
      }
    }
  },
});
