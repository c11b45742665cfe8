import { z } from 'zod';
import { oneOf } from '../../base/option-kinds.ts';
import { readStm, type StmSegment } from '../../base/read-stm.ts';
import { sexOf } from '../shared/attributes.ts';
import { dataSetKind } from '../shared/data-set-corpus.ts';
import { dataSetOptions, dataSetSigns } from '../shared/data-set-folder.ts';

/** Where each part lies: release 3 first, then releases 1 and 2. */
const foldersOf = {
  train: ['data', 'train'],
  'legacy-train': ['legacy/train'],
  dev: ['legacy/dev', 'dev'],
  test: ['legacy/test', 'test'],
} as const;

/**
 * TED-LIUM (OpenSLR 7, 19, 51; Hernandez et al., SPECOM 2018) as it unpacks: `legacy/dev/stm/TALK.stm` and
 * `legacy/dev/sph/TALK.sph`. Each segment of a talk is an utterance; those that are not scored (`inter_segment_gap`) are
 * passed over, and those with an unknown word (`<unk>`), whose reference is not whole, are left out.
 *
 * @example { type: 'ted-lium', folder: '/data/TEDLIUM_release-3', split: 'test' }
 */
export const tedLium = dataSetKind({
  name: 'ted-lium',
  about: 'TED-LIUM 1 to 3: segments of TED talks (changed copies may not be passed on), with sex of the speakers',
  title: 'TED-LIUM',
  licence: 'CC BY-NC-ND 3.0',
  layout: 'legacy/test/stm/TALK.stm and legacy/test/sph/TALK.sph',
  options: z.strictObject({
    ...dataSetOptions,
    split: oneOf(['train', 'legacy-train', 'dev', 'test']).describe(
      'Which part; `train` is all of `data` in release 3, and `legacy-train` what release 2 had of it.',
    ),
  }),
  signs: dataSetSigns(['', 'TEDLIUM_release-3/'], [{ path: 'legacy/test/stm', options: { split: 'test' } }]),
  landmark: ({ split }) => ({
    roots: ['', 'TEDLIUM_release-3', 'TEDLIUM_release2', 'TEDLIUM_release1'],
    holds: foldersOf[split].map((path) => `${path}/stm`),
  }),
  async *list(folder, { split }, left) {
    const paths = [...foldersOf[split]];
    const there = await Promise.all(paths.map((one) => folder.has(`${one}/stm`)));
    const path = paths[there.indexOf(true)]!;
    const sounds = new Set((await folder.list(`${path}/sph`)).files);
    for (const name of (await folder.list(`${path}/stm`)).files.filter((file) => file.endsWith('.stm'))) {
      const shown = folder.shown(`${path}/stm/${name}`);
      const { segments } = await readStm(folder.lines(`${path}/stm/${name}`), shown);
      for (const segment of segments) {
        if (segment.ignored || segment.speaker === 'inter_segment_gap') continue;
        const sound = [`${segment.file}.sph`, `${segment.file}.wav`].find((file) => sounds.has(file));
        if (sound === undefined) {
          left.add('segments whose talks are not there');
          continue;
        }
        if (/<unk>/i.test(segment.text)) {
          left.add('segments with a word that nobody could write down (<unk>)');
          continue;
        }
        yield {
          id: idOf(segment),
          file: `${path}/sph/${sound}`,
          startSeconds: segment.beginSeconds,
          endSeconds: segment.endSeconds,
          reference: spokenText(segment.text),
          language: 'en',
          speaker: segment.speaker,
          attributes: { split, sex: sexIn(segment), style: 'prepared' },
          place: () => `${shown}:${segment.line}:1`,
        };
      }
    }
  },
});

/** Talk and times in hundredths of a second, as recipes for this data set name its segments. */
function idOf({ file, beginSeconds, endSeconds }: StmSegment): string {
  const hundredths = (seconds: number) => `${Math.round(seconds * 100)}`.padStart(7, '0');
  return `${file}-${hundredths(beginSeconds)}-${hundredths(endSeconds)}`;
}

/** The third label says `male` or `female`; release 1 writes `<F0_M>` and `<F0_F>`. */
function sexIn({ labels }: StmSegment): string | undefined {
  return sexOf(labels.length >= 3 ? labels[2] : /^F\d_([MF])$/i.exec(labels[0] ?? '')?.[1]);
}

/**
 * The words as they were said: without the numbers of pronunciations (`and(2)`), marked silences, noises in brackets and
 * the id at the end of a line (release 1), and with the endings that its tokenizer cut off (`it 's`) put back.
 */
function spokenText(text: string): string {
  return text
    .replace(/\s\([^()\s]*-F\d_[MF]\)$/i, '')
    .replace(/<sil>|\[[a-z]+\]/gi, ' ')
    .replace(/(?<=\S)\(\d+\)(?=\s|$)/g, '')
    .replace(/\s+'(?=(?:s|m|re|ve|ll|d|t)(?:\s|$))/gi, "'")
    .split(/\s+/)
    .filter((word) => word !== '' && !/^\{.*\}$/.test(word))
    .join(' ');
}
