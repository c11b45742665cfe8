import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { badInput } from '../../base/errors.ts';
import { languageTag } from '../../base/language-tag.ts';
import { matching, oneOf } from '../../base/option-kinds.ts';
import { someOf } from '../../base/printable.ts';
import { clipStem, commonVoiceAttributes } from '../shared/attributes.ts';
import { dataSetKind, withoutSound } from '../shared/data-set-corpus.ts';
import { dataSetOptions } from '../shared/data-set-folder.ts';

/**
 * A release of Common Voice (Ardila et al., LREC 2020) as it unpacks: `cv-corpus-…/LANGUAGE/SPLIT.tsv` and
 * `LANGUAGE/clips/`. Against the same list read by `manifest`, sex, age group and accent are named as everywhere, over
 * all releases (`male_masculine` and `male`, codes and names of accents). Sentences stand in the list; durations
 * (`clip_durations.tsv`) are measured and not read.
 *
 * @example { type: 'common-voice', folder: '/data/cv-corpus-17.0-2024-03-15', language: 'en', split: 'test' }
 */
export const commonVoice = dataSetKind({
  name: 'common-voice',
  about: 'Common Voice releases: read sentences by split, with sex, age group and accent of the volunteers',
  title: 'Common Voice',
  licence: 'CC0 1.0',
  layout: 'en/test.tsv and en/clips/common_voice_en_1.mp3',
  options: z.strictObject({
    ...dataSetOptions,
    language: matching(/^[A-Za-z0-9-]+$/).describe('The language as the release names its folder: en, de, zh-CN.'),
    split: oneOf(['train', 'dev', 'test', 'validated', 'invalidated', 'other']).describe(
      'Which list: `test` reads test.tsv.',
    ),
  }),
  landmark: ({ language, split }) => ({ roots: [language, ''], holds: `${split}.tsv` }),
  async *list(folder, given, left) {
    const language = languageTag(given.language, () => 'language');
    const { split } = given;
    for await (const row of folder.rows(`${split}.tsv`, 'tsv')) {
      const path = row.text('path');
      if (path === undefined || row.text('sentence') === undefined) {
        throw badInput(
          `${row.place()}: expected the columns path and sentence of a Common Voice list, but the columns are ${someOf(row.names)}; is it another list?`,
        );
      }
      const file = `clips/${clipFile(path)}`;
      // Partial copies of a release are common. What leads out is refused later.
      if (!path.includes('..') && !existsSync(join(folder.root, file))) {
        left.add(withoutSound);
        continue;
      }
      const locale = row.text('locale')?.trim();
      yield {
        id: clipStem(path),
        file,
        reference: row.text('sentence')!.trim(),
        language: locale ? languageTag(locale, () => row.place('locale')) : language,
        speaker: row.text('client_id')?.trim() || undefined,
        attributes: { split, ...commonVoiceAttributes(row) },
        ownAttributes: { variant: row.text('variant'), sentenceDomain: row.text('sentence_domain') },
        place: () => row.place('path'),
      };
    }
  },
});

/** The file in `clips` that a path of a list means: releases of 2019 name their clips without the ending. */
export function clipFile(path: string): string {
  return /\.[A-Za-z0-9]{1,5}$/.test(path) ? path : `${path}.mp3`;
}
