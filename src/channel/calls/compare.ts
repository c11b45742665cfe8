import { z } from 'zod';
import { assumedLanguage, textsLookedAt } from '../../base/guess-language.ts';
import { statedLanguage, unknownLanguageNotes } from '../../base/language-tag.ts';
import { capitalized } from '../../base/wording.ts';
import { compareOutputs } from '../../session/run/compare-outputs.ts';
import { defineCall } from '../call.ts';
import { toldReport } from '../told-report.ts';

const text = z.string();
const known = z.array(text.nullable());

/** Compares outputs as `earwitness compare` does those of files: the texts come in lists, as many as there are references. */
export const compare = defineCall(
  z.object({
    names: z.array(text),
    references: z.array(text),
    heard: z.array(z.array(text)),
    ids: z.array(text).nullable(),
    speakers: known.nullable(),
    groups: z.record(text, known),
    language: text.nullable(),
    normalizer: text.nullable(),
    margin: z.number().nullable(),
    resamples: z.int().nullable(),
    baseFolder: text,
  }),
  async ({ names, references, heard, ids, speakers, groups, language, normalizer, margin, resamples, baseFolder }) => {
    const stated = statedLanguage(language ?? undefined, () => 'language');
    const assumed =
      stated === null ? assumedLanguage(references.slice(0, textsLookedAt), undefined, 'language=') : null;
    const spoken = stated ?? assumed!.language;
    const notes = [...(assumed === null ? [] : [assumed.told]), ...unknownLanguageNotes(stated)];
    const utterances = references.map((reference, row) => {
      const speaker = speakers?.[row];
      const attributes = Object.entries(groups).flatMap(([name, values]) =>
        values[row] == null ? [] : [[name, values[row]] as const],
      );
      return {
        utterance: {
          ...{ id: ids?.[row] ?? `number ${row}`, reference, language: spoken, tags: [] },
          ...(speaker != null && { speaker }),
          attributes: Object.fromEntries(attributes),
        },
        heard: heard.map((texts) => texts[row]!),
      };
    });
    const report = await compareOutputs(
      { names, utterances },
      {
        baseFolder,
        speakersFrom: 'python',
        hasGroups: Object.keys(groups).length > 0,
        ...(normalizer !== null && { normalizer }),
        ...(margin !== null && { margin }),
        ...(resamples !== null && { resamples }),
      },
    );
    return { value: toldReport({ ...report, warnings: notes.map((note) => `${capitalized(note)}.`) }) };
  },
);
