/** Who says it, before a colon, also with the time: `Ann Smith: …`, `[SPEAKER_00]: …`, `Ann (0:05): …`. */
const named =
  /^\s*(?:>>|-)?\s*\[?(\p{L}[\p{L}\p{M}\p{N} .'’_-]{0,39}?)\]?\s*(?:[([]\d{1,2}:\d\d(?::\d\d)?[)\]]\s*)?:(?:\s+(.*))?$/su;
/** Of fewer texts nothing comes again. */
const minTexts = 3;

/** Names of speakers before texts. */
export interface SpeakerNames {
  /** Those that come more than once, in their order. */
  readonly names: readonly string[];
  /** What follows the name, and the name; null where a text has none. */
  of(text: string): { readonly speaker: string; readonly text: string } | null;
}

/**
 * Names that stand before most of some texts, and come again: `Ann: …`, as Zoom and people write who speaks. Null where they do not: what stands before the colon of a single
 * text (`note: …`) is words.
 *
 * @param texts the lines of a file, the cues of subtitles, or the first of them
 */
export function speakerNames(texts: readonly string[]): SpeakerNames | null {
  const written = texts.filter((text) => text.trim() !== '');
  const found = written.flatMap((text) => named.exec(text)?.[1]?.trim() ?? []);
  const counts = Map.groupBy(found, (name) => name);
  const names = [...counts].filter(([, all]) => all.length > 1).map(([name]) => name);
  const again = found.filter((name) => names.includes(name)).length;
  // Subtitles have the names of those who are not seen, in capitals, where the words are not.
  const areMarked =
    again === found.length && written.some((text) => /\p{Ll}/u.test(text)) && !/\p{Ll}/u.test(names.join());
  if (found.length < minTexts || again * 2 < found.length || (!areMarked && found.length * 2 <= written.length))
    return null;
  const called = new Set(names.map(withoutNumber));
  const areCapitals = names.every((name) => /^\p{Lu}/u.test(name));
  return {
    names,
    of(text) {
      const [, name, said = ''] = named.exec(text) ?? [];
      const speaker = name?.trim();
      // Who speaks once is called as the others are.
      const isOne =
        speaker !== undefined && (called.has(withoutNumber(speaker)) || (areCapitals && /^\p{Lu}/u.test(speaker)));
      return isOne ? { speaker, text: said.trim() } : null;
    },
  };
}

/** @example withoutNumber('speaker 2') // 'speaker' */
function withoutNumber(name: string): string {
  return name.replace(/[\s_-]*\d+$/, '');
}
