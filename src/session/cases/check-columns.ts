import type { Column } from '../../model/finding.ts';

/** Columns of a check file that a person fills in. */
export const filledColumns = ['heard', 'sound_says_text', 'sound_says_transcript', 'person', 'note'] as const;

/** Columns that tell the case, and must stay as they are. */
export const caseColumns = [
  'case',
  'sound',
  'text',
  'transcript',
  'recognizer',
  'voice',
  'condition',
  'draw',
  'sample_size',
  'cell_failed',
] as const;

export type CheckColumn = (typeof filledColumns)[number] | (typeof caseColumns)[number];

/** In the order of the file: what is heard is asked before the texts are read. */
export const checkColumns: readonly CheckColumn[] = ['case', 'sound', ...filledColumns, ...caseColumns.slice(2)];

/** The same for the writer of CSV. */
export const checkTableColumns: readonly Column[] = checkColumns.map((key) => ({ key, label: key, kind: 'text' }));

/** What stands beside a check file, for whoever fills it in. */
export function checkReadme(file: string, soundFolder: string | null): string {
  return `${[
    `How to fill in ${file}`,
    '',
    'Each row is a case: a text that a synthesizer spoke, and what a recognizer wrote. The question is whether the recognizer',
    'misheard, or the synthesizer said something else. Please do one row after the other:',
    '',
    soundFolder === null
      ? '1. Find the sound of the case by the columns voice and text.'
      : `1. Play the sound (column sound, in the folder ${soundFolder}), as often as you like. Do not read on yet.`,
    '2. heard: write down what you hear, as well as you can.',
    '3. sound_says_text: does the sound say what stands in the column text? yes, no or unsure.',
    '4. sound_says_transcript: does the sound say what stands in the column transcript? yes, no or unsure.',
    '   "unsure" means that it could be heard either way. Case, punctuation and blanks do not matter.',
    '5. person: your name or any sign of you; the name of the file if you leave it empty. note: whatever you like.',
    '',
    'Rows may be left empty: they are counted as such. All other columns must stay as they are; they are checked.',
    'Several people: give each a copy of this file under another name, and read all of them together:',
    '',
    `    earwitness cases verdicts ${file} …`,
    '',
    'Columns: case (identity of the row), sound (its file), recognizer, voice, condition and draw (what was done to the sound),',
    'sample_size (cases of the whole sample, so that rows that got lost are seen), cell_failed (failed cases of this synthesizer',
    'and recognizer in the run, by which the row is weighted).',
    "In CSV and TSV a text that a spreadsheet would take for a formula has an apostrophe before it, which is taken away when it's read.",
  ].join('\n')}\n`;
}
