/** What people answer to a question about a sound. `unsure`: it could be heard either way. */
export const answers = ['yes', 'no', 'unsure'] as const;

export type VerificationAnswer = (typeof answers)[number];

/** What one person said of one case. Null where nothing was filled in. */
export interface PersonVerdict {
  readonly saysText: VerificationAnswer | null;
  readonly saysTranscript: VerificationAnswer | null;
  /** What the person heard. */
  readonly heard: string | null;
}

/**
 * What a case is by a person's answers. All but `true failure` are false positives, the four kinds of CrossASR (section IV-B):
 * - `true failure`: the sound says the text and not the transcript
 * - `normalization`: text and transcript are the same letters, only blanks differ (taxpayers, tax payers)
 * - `says the transcript`: the sound says the transcript and not the text: the synthesizer's fault
 * - `says neither`: the synthesizer's fault too
 * - `ambiguous`: the sound can be heard as both, or the person is unsure
 */
export const verdictKinds = [
  'true failure',
  'normalization',
  'says the transcript',
  'says neither',
  'ambiguous',
] as const;

export type VerdictKind = (typeof verdictKinds)[number];

/**
 * Judges a case by one person's answers; null where a question is not answered. Where text and transcript are the same but for their
 * spelling, or the person's own transcript is the same as both, it is a case of normalization, whatever was answered.
 *
 * @param same whether two texts are the same but for their spelling
 * @example judgeVerdict({ text: 'may be', transcript: 'maybe' }, { saysText: 'yes', saysTranscript: 'no', heard: null }) // 'normalization'
 */
export function judgeVerdict(
  { text, transcript }: { readonly text: string; readonly transcript: string },
  { saysText, saysTranscript, heard }: PersonVerdict,
  same: (a: string, b: string) => boolean = sameLetters,
): VerdictKind | null {
  if (saysText === null || saysTranscript === null) return null;
  if (same(text, transcript)) return 'normalization';
  if (heard !== null && same(heard, text) && same(heard, transcript)) return 'normalization';
  if (saysText === 'unsure' || saysTranscript === 'unsure') return 'ambiguous';
  if (saysText === 'yes') return saysTranscript === 'yes' ? 'ambiguous' : 'true failure';
  return saysTranscript === 'yes' ? 'says the transcript' : 'says neither';
}

/**
 * Whether a person's own transcript is against the answers: it says the text although the sound was said not to, or the transcript.
 *
 * @param same whether two texts are the same but for their spelling
 */
export function contradictsItself(
  { text, transcript }: { readonly text: string; readonly transcript: string },
  { saysText, saysTranscript, heard }: PersonVerdict,
  same: (a: string, b: string) => boolean = sameLetters,
): boolean {
  if (heard === null || same(text, transcript)) return false;
  const [isText, isTranscript] = [same(heard, text), same(heard, transcript)];
  return (
    (isText && saysText === 'no') ||
    (isTranscript && saysTranscript === 'no') ||
    (isTranscript && !isText && saysText === 'yes' && saysTranscript !== 'yes')
  );
}

/**
 * Whether two texts have the same letters and numbers in the same order; blanks, punctuation and case left out.
 *
 * @example sameLetters('the taxpayers', 'The tax-payers.') // true
 */
export function sameLetters(a: string, b: string): boolean {
  return lettersOf(a) === lettersOf(b);
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
}
