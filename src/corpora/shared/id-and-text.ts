/**
 * Divides a line `id words of the utterance` at its first blanks, as LibriSpeech, Kaldi, AISHELL and many others write
 * them. Null where the line has no id.
 *
 * @example idAndText('84-121123-0000 GO DO YOU HEAR') // { id: '84-121123-0000', text: 'GO DO YOU HEAR' }
 */
export function idAndText(line: string): { readonly id: string; readonly text: string } | null {
  const trimmed = line.trim();
  if (trimmed === '') return null;
  const end = trimmed.search(/\s/);
  return end === -1 ? { id: trimmed, text: '' } : { id: trimmed.slice(0, end), text: trimmed.slice(end).trim() };
}
