import { z } from 'zod';
import { badInput } from '../../base/errors.ts';
import { flag } from '../../base/option-kinds.ts';
import { parseAge, sexOf } from '../shared/attributes.ts';
import { dataSetKind } from '../shared/data-set-corpus.ts';
import { dataSetOptions, dataSetSigns } from '../shared/data-set-folder.ts';

const list = 'CasualConversations_transcriptions.json';

/**
 * The transcripts of Casual Conversations (Hazirbas et al., 2021; Liu et al., ICASSP 2022) as they unpack:
 * `CasualConversations_transcriptions.json` (or in `CC_annotations/`), with sex, age and skin type of each person, and the
 * videos in `CasualConversationsA/1140/1140_05.MP4`, … A video is an utterance; reading its sound needs FFmpeg. Notes in
 * brackets are taken out of the words.
 *
 * @example { type: 'casual-conversations', folder: '/data/CasualConversations' }
 */
export const casualConversations = dataSetKind({
  name: 'casual-conversations',
  about: 'Casual Conversations: transcribed videos of 3,011 people with sex, age and skin type',
  title: 'Casual Conversations',
  licence: 'Casual Conversations data licence (Meta)',
  layout: list,
  options: z.strictObject({
    ...dataSetOptions,
    sounds: flag(true).describe('Whether the videos lie there; false where only outputs of recognizers are studied.'),
  }),
  signs: dataSetSigns(['', 'CC_annotations/'], [{ path: list, options: {} }]),
  landmark: () => ({ roots: [''], holds: [list, `CC_annotations/${list}`] }),
  async *list(folder, { sounds }, left) {
    const path = (await folder.has(list)) ? list : `CC_annotations/${list}`;
    for await (const row of folder.entries(path)) {
      const video = row.text('video_path')?.trim();
      const transcription = row.text('transcription');
      if (video === undefined || transcription === undefined) {
        throw badInput(
          `${row.place()}: expected video_path and transcription, but there are ${row.names.slice(0, 20).join(', ')}; is it another file?`,
        );
      }
      // Asked by text alone: the path is somebody else's until it was checked to stay inside.
      if (sounds && !video.split('/').includes('..') && !(await folder.has(video))) {
        left.add('transcripts whose videos are not there');
        continue;
      }
      yield {
        id: video.replace(/\.[A-Za-z0-9]{1,4}$/, ''),
        file: sounds ? video : undefined,
        reference: withoutNotes(transcription),
        language: 'en',
        speaker: row.text('subject_id'),
        attributes: {
          sex: sexOf(row.text('gender')),
          age: parseAge(row.text('age')),
          skinType: row.text('skin-type'),
          country: 'USA',
          style: 'spontaneous',
        },
        ownAttributes: { dark: row.text('is_dark') },
        place: () => row.place('video_path'),
      };
    }
  },
});

/** `<noise>`, `[laugh]` and what marks the second voice are no words of the speaker. */
function withoutNotes(text: string): string {
  return text
    .replace(/<[^<>]*>|\[[^[\]]*\]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
