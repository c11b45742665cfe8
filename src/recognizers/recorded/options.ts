import { z } from 'zod';
import { matching, nonEmpty, oneOf, whole } from '../../base/option-kinds.ts';

const column = nonEmpty().optional();

export const recordedOptions = z.strictObject({
  file: nonEmpty().describe(
    'Table of transcripts, from the config: TSV or CSV with a header, JSON lines or a list, Parquet.',
  ),
  format: oneOf(['tsv', 'csv', 'jsonl'])
    .optional()
    .describe(
      'Default: by the extension (.tsv .tab .csv .jsonl .ndjson .json .parquet). In TSV a quote is a character like others.',
    ),
  delimiter: matching(/^[^\r\n"]$/, 'expected one character, no quote and no line end')
    .optional()
    .describe('Between fields. Default: a tab in TSV; in CSV a comma, semicolon, tab or bar, by the first line.'),
  system: nonEmpty()
    .optional()
    .describe(
      'Only the rows of this system, where one table holds transcripts of several. Default: every row is about one.',
    ),
  systems: z
    .literal('all')
    .optional()
    .describe(
      'all: every system of the table is a recognizer, under its own name, and this entry’s name is not used; without a column for systems, every listener. Instead of system.',
    ),
  panel: whole(1, 1000)
    .optional()
    .describe(
      'Where several people wrote down one clip: what the first (1), second, … of them wrote, in the order of the rows. Default: as many recognizers as are needed, people-1, people-2, …',
    ),
  fileEndings: oneOf(['kept', 'ignored'])
    .default('kept')
    .describe(
      'Whether a row about clip.wav answers for the utterance clip.mp3: published tables often say another ending.',
    ),
  columns: z
    .strictObject({
      utterance: column.describe(
        'Default: utterance, utterance_id, utt or id; else the path of its audio without the ending.',
      ),
      channel: column.describe(
        'Default: channel. Where rows are about several channels of one recording: they answer for the utterances call#0 and call#1, as a list of recordings names them.',
      ),
      system: column.describe('With system or systems: default system, recognizer or model.'),
      condition: column.describe('Default: condition. Without it every row is about the clean audio.'),
      repeat: column.describe('Default: repeat (from 0). Without it every row is repeat 0.'),
      text: column.describe('Default: text, transcript, hypothesis or hyp.'),
      error: column.describe('Default: error. A failure in place of a transcript: "timeout: no answer in 30 s".'),
      listener: column.describe('Who of several people wrote it down: default listener.'),
      unintelligible: column.describe(
        'Default: unintelligible. yes: somebody speaks, but the listener made out no word; the text is empty.',
      ),
      words: column.describe('JSON lines only. Default: words, a list of {text, start, end, confidence}, in seconds.'),
    })
    .default({})
    .describe('Which column holds what, where the names differ.'),
});

export type RecordedOptions = z.infer<typeof recordedOptions>;
