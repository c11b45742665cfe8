/** What became of one recognizer's answer to one spoken text. */
export const caseStatuses = ['success', 'failed', 'indeterminable'] as const;

/**
 * - `success`: the transcript says the text
 * - `failed`: it does not, although another recognizer's does: the sound can be understood
 * - `indeterminable`: no transcript says the text; the synthesizer may be at fault as well as all recognizers
 */
export type CaseStatus = (typeof caseStatuses)[number];

/** By which rule a transcript says a text: see the options of the study. */
export type CaseRule = 'exact' | 'tolerant' | 'majority';

/** Where the sound of a case is found again: as `Trial` and `Example` name it. */
export interface CaseSound {
  readonly utteranceId: string;
  /** `clean`, or the name of what was done to the synthesized sound. */
  readonly conditionName: string;
  readonly draw: number;
}

/**
 * One row of a differential test: what one recognizer made of one text, spoken by one voice (CrossASR, ICSME 2020, section
 * II: text, sound, recognizer, transcript, status). Only recognitions that gave a transcript make rows.
 */
export interface DifferentialCase {
  /** As it was compared: normalized words with single blanks between them. */
  readonly text: string;
  /** The same for the same normalized text, whoever speaks it: 16 hexadecimal digits. */
  readonly textId: string;
  /** Who speaks: `<synthesizer>:<voice>`; `recorded` for sound that nobody synthesized. */
  readonly voice: string;
  /** Its name in the run. */
  readonly recognizer: string;
  /** As it was compared: normalized like the text. May be empty. */
  readonly transcript: string;
  /** By the rule that the study searched with. */
  readonly status: CaseStatus;
  readonly sound: CaseSound;
  /** In which iteration of the search it was tried, from 1; null where it was asked to know the whole pool. */
  readonly iteration: number | null;
  /** By the other rules. */
  readonly otherwise: Readonly<Partial<Record<CaseRule, CaseStatus>>>;
}
