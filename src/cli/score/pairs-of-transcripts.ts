import { existsSync } from 'node:fs';
import { EarwitnessError } from '../../base/errors.ts';
import { readStm } from '../../base/transcript-lines/read-stm.ts';
import { readTextLines } from '../../corpora/shared/text-lines.ts';
import { type CtmToken, readCtm } from '../../scoring/transcript-files/read-ctm.ts';
import { pairsOfChannels } from './pairs-of-channels.ts';
import { pairsOfSegments } from './pairs-of-segments.ts';
import { pairsOfTrn } from './pairs-of-trn.ts';
import type { PairSource } from './scoring-pair.ts';

type TranscriptFormat = 'trn' | 'stm' | 'ctm';

/**
 * The format of a transcript file by its name; null for what is a text to be scored itself: any other name, and words
 * with blanks between them that no file is called.
 */
export function transcriptFormatOf(value: string): TranscriptFormat | null {
  const format = /\.(trn|stm|ctm)$/i.exec(value)?.[1]?.toLowerCase();
  if (format === undefined || (/\s/.test(value) && !existsSync(value))) return null;
  return format as TranscriptFormat;
}

/** Two ctm files are cut at silences of both of so many seconds. */
const defaultSilenceSeconds = 0.5;

/**
 * The pairs of two transcript files: trn and trn by id, ctm cut to the segments of an stm, ctm and ctm by channel, cut at
 * silences.
 *
 * @param silenceSeconds for two ctm files alone; Infinity for channels as a whole
 */
export function pairsOfTranscripts(reference: string, hypothesis: string, silenceSeconds?: number): PairSource {
  const formats = `${transcriptFormatOf(reference)} ${transcriptFormatOf(hypothesis)}`;
  if (silenceSeconds !== undefined && formats !== 'ctm ctm') {
    throw new EarwitnessError(
      'bad-usage',
      `expected two .ctm files with --silence, but got ${reference} and ${hypothesis}; trn files and segments of stm files are not cut: leave --silence out`,
    );
  }
  if (formats === 'trn trn') return pairsOfTrn(reference, hypothesis);
  if (formats === 'stm ctm') {
    return pairsOfSegments({
      reference: () => readStm(readTextLines(reference, reference), reference),
      hypothesis: () => tokensOf(hypothesis),
      names: { reference, hypothesis },
    });
  }
  if (formats === 'ctm ctm') {
    const tokens = { reference: () => tokensOf(reference), hypothesis: () => tokensOf(hypothesis) };
    return pairsOfChannels({ ...tokens, names: { reference, hypothesis } }, silenceSeconds ?? defaultSilenceSeconds);
  }
  throw new EarwitnessError(
    'bad-usage',
    `expected a reference and a hypothesis that belong together (.trn and .trn, .stm and .ctm, .ctm and .ctm), but got ${reference} and ${hypothesis}`,
  );
}

async function tokensOf(file: string): Promise<CtmToken[]> {
  const tokens: CtmToken[] = [];
  for await (const token of readCtm(readTextLines(file, file), file)) tokens.push(token);
  return tokens;
}
