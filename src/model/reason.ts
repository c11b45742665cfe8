import { grouped, pValuePhrase } from '../base/number-format.ts';
import { counted } from '../base/wording.ts';

/** Why a comparison tells nothing, though its rates are known: a code with its numbers. */
export type OpenVerdict = OpenReason & {
  /** About how many more speakers would settle it, were they like these. Null where no number near these would. */
  readonly more: number | null;
  /** What counts as one: recordings, where nobody knows who speaks. */
  readonly unit: 'speaker' | 'recording';
};

export type OpenReason =
  /** Fewer than an interval or a paired test needs, whatever they did; `usual`: how many that is where nobody chose another number. */
  | {
      readonly why: 'few';
      readonly have: number;
      readonly need: number;
      readonly needs: 'interval' | 'test';
      readonly usual?: number;
    }
  /** Only so many of them differ, and no arrangement of these reaches `alpha`. */
  | { readonly why: 'few-differ'; readonly differing: number; readonly of: number; readonly alpha: number }
  /** Both have the same errors for everybody. */
  | { readonly why: 'alike' }
  /** It holds 0. */
  | { readonly why: 'interval' }
  /**
   * Alone it would tell, not among the comparisons made together (`36 comparisons`). `low` and `high` are the ends that its interval has among
   * them, as far out as their test asks for: 0 lies between. Runs of older versions have `text` alone.
   */
  | {
      readonly why: 'correction';
      readonly among?: string | null;
      readonly pValue?: number;
      readonly minPValue?: number | null;
      readonly low?: number;
      readonly high?: number;
      readonly text?: string;
    }
  /** It leaves 0 out, but chance makes as much more often than allowed. */
  | { readonly why: 'test'; readonly pValue?: number; readonly text?: string }
  /** What else was said, as it was said: why there is no interval or no test. `few`: because of too few speakers of a group. */
  | { readonly why: 'design'; readonly text: string; readonly few?: boolean };

/** `unknown`: of a limit, that too few of the speakers are known, or their groups. */
export type OpenCode = OpenReason['why'] | 'unknown';

/** Of more times as many speakers nobody can say anything. */
export const farthest = 50;

/** `.05` */
const levelInWords = (alpha: number) => String(Number(alpha.toFixed(6))).replace(/^0/, '');

/**
 * Why, without what would settle it.
 *
 * @example reasonText({ why: 'few', have: 5, need: 10, needs: 'interval', more: 5, unit: 'speaker' })
 * // 'too few speakers: 5 of the 10 that an interval needs'
 */
export function reasonText(open: OpenVerdict): string {
  const { unit } = open;
  switch (open.why) {
    case 'few': {
      const { have, need, needs, usual } = open;
      const other = usual === undefined ? '' : ` (by default ${usual})`;
      return `too few ${unit}s: ${grouped(have)} of the ${need} that ${needs === 'test' ? 'a paired test' : 'an interval'} needs${other}`;
    }
    case 'few-differ': {
      const { differing, of, alpha } = open;
      const these = differing === 1 ? `this 1 ${unit}` : `these ${counted(differing, unit)}`;
      const who = differing < of ? `only ${grouped(differing)} of ${counted(of, unit)} differ, and ` : '';
      return `${who}no arrangement of ${these} could reach p ≤ ${levelInWords(alpha)}`;
    }
    case 'alike':
      return `both have the same errors for every ${unit}`;
    case 'interval':
      return 'the interval holds 0';
    case 'correction': {
      const { among, pValue, minPValue, text } = open;
      if (pValue === undefined) return text ?? 'too close to call among all comparisons';
      return `too close to call among ${among ?? 'all comparisons'} (${pValuePhrase(pValue, 'p', minPValue)} by itself)`;
    }
    case 'test':
      return open.pValue === undefined
        ? (open.text ?? 'not significant')
        : `not significant: ${pValuePhrase(open.pValue)}`;
    default:
      return open.text;
  }
}

/** `about 24 more speakers would settle it`; null where no number near these would, or its text has it. */
export function whatSettles({ why, more, unit }: OpenVerdict): string | null {
  if (more === null || why === 'few') return null;
  const isPlain = why === 'design' || why === 'few-differ';
  return `${isPlain ? '' : 'about '}${counted(more, `more ${unit}`)} would ${isPlain ? 'do' : 'settle it'}`;
}

/** Why, and what would settle it, as one sentence's end: `the interval holds 0; about 24 more speakers would settle it`. */
export function openInWords(open: OpenVerdict): string {
  const { why, more, unit } = open;
  const text = reasonText(open);
  if (more === null && why === 'interval')
    return `${text}; even ${farthest} times as many ${unit}s might not settle it`;
  return [text, whatSettles(open)].filter((part) => part !== null).join('; ');
}

/** In the place of a verdict: a mark and at most three words, which tell too few from too close and from no change at all. */
export function openInBrief(
  open: { readonly why: OpenCode; readonly unit: OpenVerdict['unit']; readonly few?: boolean } | undefined,
): { readonly mark: string; readonly word: string } {
  switch (open?.why) {
    case 'alike':
      return { mark: '=', word: 'same errors' };
    case 'few':
      return { mark: '?', word: `too few ${open.unit}s` };
    case 'few-differ':
      return { mark: '?', word: 'too few differ' };
    case 'unknown':
      return { mark: '?', word: 'too few known' };
    case 'interval':
    case 'correction':
    case 'test':
      return { mark: '?', word: 'too close' };
    default:
      return { mark: '?', word: open?.few ? `too few ${open.unit}s` : 'cannot tell' };
  }
}

/**
 * The same in a sentence that names who is compared, and with whom.
 *
 * @example `asr: ${openAgainst(open, 'before')}.` // 'asr: too close to tell from before.', or 'asr: same errors as before.'
 */
export function openAgainst(open: OpenVerdict | undefined, whom: string): string {
  const { word } = openInBrief(open);
  if (open?.why === 'alike') return `${word} as ${whom}`;
  return `${word === 'cannot tell' ? 'cannot be told' : `${word} to tell`} from ${whom}`;
}
