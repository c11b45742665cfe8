import { z } from 'zod';
import { oneOf } from '../../base/option-kinds.ts';
import { sexOf } from '../shared/attributes.ts';
import { dataSetKind, withoutSound } from '../shared/data-set-corpus.ts';
import { dataSetOptions, dataSetSigns } from '../shared/data-set-folder.ts';
import { idAndText, tableLines, withoutWordBlanks } from '../shared/lines.ts';

const list = 'transcript/aishell_transcript_v0.8.txt';

/**
 * AISHELL-1 (OpenSLR 33; Bu et al., O-COCOSDA 2017) as it unpacks: `data_aishell/wav/SPLIT/S0002/*.wav` (the archives of
 * the speakers unpacked too), `data_aishell/transcript/aishell_transcript_v0.8.txt`, and the sex of the speakers in
 * `resource_aishell/speaker.info` beside it. The blanks between words, which a program put there, are taken out.
 *
 * @example { type: 'aishell-1', folder: '/data/aishell', split: 'test' }
 */
export const aishell1 = dataSetKind({
  name: 'aishell-1',
  about: 'AISHELL-1 (OpenSLR 33): Mandarin read by 400 speakers, with their sex',
  title: 'AISHELL-1',
  licence: 'Apache-2.0',
  layout: 'data_aishell/wav/test/S0764/BAC009S0764W0121.wav',
  options: z.strictObject({
    ...dataSetOptions,
    split: oneOf(['train', 'dev', 'test']).describe('Which part.'),
  }),
  signs: dataSetSigns([''], [{ path: `data_aishell/${list}`, options: { split: 'test' } }]),
  landmark: () => ({ roots: [''], holds: [`data_aishell/${list}`, list] }),
  /** The list has all parts, one speaker after the other; a sound lies in the folder of the part it belongs to. */
  async *list(folder, { split }, left) {
    const data = (await folder.has(list)) ? '' : 'data_aishell/';
    const sexes = new Map<string, string | undefined>();
    for (const table of ['resource_aishell/speaker.info', 'speaker.info']) {
      for await (const { fields } of tableLines(folder, table)) sexes.set(`S${fields[0]}`, sexOf(fields[1]));
    }
    const speakers = new Set((await folder.list(`${data}wav/${split}`)).folders);
    let before = '';
    let sounds: ReadonlySet<string> = new Set();
    for await (const { text: line, number } of folder.lines(`${data}${list}`)) {
      const found = idAndText(line);
      const speaker = /^BAC009(S\d{4})W\d+$/.exec(found?.id ?? '')?.[1];
      if (found === null || speaker === undefined || !speakers.has(speaker)) continue;
      if (speaker !== before) {
        before = speaker;
        sounds = new Set((await folder.list(`${data}wav/${split}/${speaker}`)).files);
      }
      if (!sounds.has(`${found.id}.wav`)) {
        left.add(withoutSound);
        continue;
      }
      yield {
        id: found.id,
        file: `${data}wav/${split}/${speaker}/${found.id}.wav`,
        reference: withoutWordBlanks(found.text),
        language: 'zh',
        speaker,
        attributes: {
          split,
          sex: sexes.get(speaker),
          nativeLanguage: 'Mandarin',
          style: 'read',
          environment: 'quiet room',
        },
        place: () => `${folder.shown(`${data}${list}`)}:${number}:1`,
      };
    }
  },
});
