import { badInput } from '../../base/errors.ts';
import type { TextSegment } from './captions.ts';

/** The parts of one speaker, or of one kind, in a file of annotations. */
export interface Tier {
  readonly name: string;
  readonly segments: readonly TextSegment[];
}

/** What aligners (MFA, HTK, WebMAUS) write where nobody speaks. */
const silences = /^(?:sil|sp|spn|<p:>|<eps>|<sil>)$/i;

/** A text in quotes of which a quote in it is doubled, or something without blanks. */
const token = /"((?:[^"]|"")*)"|([^\s"]+)/g;

/**
 * The tiers of a TextGrid of Praat, in its long and its short form: https://www.fon.hum.uva.nl/praat/manual/TextGrid_file_formats.html. Intervals and points
 * without a text, or of silence, are left out; points have no times here.
 *
 * @param shownName how errors name the file
 * @throws EarwitnessError `bad-input`: it ends inside of a tier
 */
export function textGridTiers(text: string, shownName: string): readonly Tier[] {
  // In both forms numbers and quoted texts come in one order; names of fields stand beside them in the long one.
  const values = [...text.matchAll(token)].flatMap(([, quoted, bare]): (string | number)[] => {
    if (quoted !== undefined) return [quoted.replaceAll('""', '"')];
    const isNumber = /^[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$/.test(bare!);
    return isNumber ? [Number(bare)] : [];
  });
  let at = values.findIndex((value) => value === 'IntervalTier' || value === 'TextTier');
  const next = <T extends 'string' | 'number'>(kind: T) => {
    const value = values[at++];
    if (typeof value === kind) return value as T extends 'string' ? string : number;
    throw badInput(
      `${shownName}: expected a TextGrid of Praat, but one of its tiers ends early or has a field too many; save it from Praat again`,
    );
  };
  const tiers: Tier[] = [];
  while (at >= 0 && at < values.length) {
    const isPoints = next('string') === 'TextTier';
    const name = next('string');
    next('number');
    next('number');
    const segments: TextSegment[] = [];
    for (let left = next('number'); left > 0; left--) {
      const startSeconds = next('number');
      const endSeconds = isPoints ? startSeconds : next('number');
      const words = next('string').trim();
      if (words !== '' && !silences.test(words)) segments.push({ startSeconds, endSeconds, text: words });
    }
    tiers.push({ name, segments });
  }
  return tiers;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The text that an XML file means. */
export function plainXml(text: string): string {
  return text
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, '$1')
    .replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) =>
      decimal
        ? String.fromCodePoint(Number(decimal))
        : hex
          ? String.fromCodePoint(Number.parseInt(hex, 16))
          : (entities[name] ?? whole),
    );
}

/** The tiers of an ELAN file (`.eaf`) whose annotations have times of their own; those that hang on others are left out. */
export function elanTiers(text: string): readonly Tier[] {
  const times = new Map(
    [...text.matchAll(/<TIME_SLOT\b([^>]*)>/g)].map(([, attributes]) => [
      attribute(attributes!, 'TIME_SLOT_ID'),
      Number(attribute(attributes!, 'TIME_VALUE') ?? Number.NaN) / 1000,
    ]),
  );
  return [...text.matchAll(/<TIER\b([^>]*)>([\s\S]*?)<\/TIER>/g)].map(([, head, body]) => {
    const speaker = attribute(head!, 'PARTICIPANT');
    const found = body!.matchAll(
      /<ALIGNABLE_ANNOTATION\b([^>]*)>[\s\S]*?<ANNOTATION_VALUE>([\s\S]*?)<\/ANNOTATION_VALUE>/g,
    );
    const segments = [...found].flatMap(([, attributes, value]) => {
      const words = plainXml(value!).trim();
      const [from, to] = ['TIME_SLOT_REF1', 'TIME_SLOT_REF2'].map((name) => times.get(attribute(attributes!, name)));
      if (words === '' || !Number.isFinite(from) || !Number.isFinite(to)) return [];
      return [{ startSeconds: from!, endSeconds: to!, text: words, ...(speaker ? { speaker } : {}) }];
    });
    return { name: attribute(head!, 'TIER_ID') ?? '', segments };
  });
}

/** What an element says of itself. */
export function attribute(attributes: string, name: string): string | undefined {
  const found = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1];
  return found === undefined ? undefined : plainXml(found);
}
