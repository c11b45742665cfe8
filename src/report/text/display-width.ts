/** Characters two columns wide: East Asian Width W and F (Unicode 16, EastAsianWidth.txt, ranges merged) and emoji. */
const wide =
  /^[\u1100-\u115f\u231a\u231b\u2329\u232a\u23e9-\u23ec\u23f0\u23f3\u25fd\u25fe\u2614\u2615\u2630-\u2637\u2648-\u2653\u267f\u268a-\u268f\u2693\u26a1\u26aa\u26ab\u26bd\u26be\u26c4\u26c5\u26ce\u26d4\u26ea\u26f2\u26f3\u26f5\u26fa\u26fd\u2705\u270a\u270b\u2728\u274c\u274e\u2753-\u2755\u2757\u2795-\u2797\u27b0\u27bf\u2b1b\u2b1c\u2b50\u2b55\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18cff}\u{1aff0}-\u{1b2ff}\u{1f004}\u{1f0cf}\u{1f18e}\u{1f191}-\u{1f19a}\u{1f200}-\u{1f320}\u{1f32d}-\u{1f335}\u{1f337}-\u{1f37c}\u{1f37e}-\u{1f393}\u{1f3a0}-\u{1f3ca}\u{1f3cf}-\u{1f3d3}\u{1f3e0}-\u{1f3f0}\u{1f3f4}\u{1f3f8}-\u{1f43e}\u{1f440}\u{1f442}-\u{1f4fc}\u{1f4ff}-\u{1f53d}\u{1f54b}-\u{1f54e}\u{1f550}-\u{1f567}\u{1f57a}\u{1f595}\u{1f596}\u{1f5a4}\u{1f5fb}-\u{1f64f}\u{1f680}-\u{1f6c5}\u{1f6cc}\u{1f6d0}-\u{1f6d2}\u{1f6d5}-\u{1f6d7}\u{1f6dc}-\u{1f6df}\u{1f6eb}\u{1f6ec}\u{1f6f4}-\u{1f6fc}\u{1f7e0}-\u{1f7eb}\u{1f7f0}\u{1f90c}-\u{1f93a}\u{1f93c}-\u{1f945}\u{1f947}-\u{1f9ff}\u{1fa70}-\u{1faff}\u{20000}-\u{3fffd}]/u;

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const printableAscii = /^[\u0020-\u007e]*$/;

/**
 * How many columns of a terminal a text takes. Control characters must have been made visible before.
 *
 * @example displayWidth('日本') // 4
 */
export function displayWidth(text: string): number {
  if (printableAscii.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

/**
 * A text cut to so many columns, with `…` in the last where something was cut.
 *
 * @example cutToWidth('日本語', 5) // '日本…'
 */
export function cutToWidth(text: string, most: number): string {
  if (displayWidth(text) <= most) return text;
  let kept = '';
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    width += graphemeWidth(segment);
    if (width > most - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** The first way of saying something that is so narrow; the last one cut, where none is. */
export function firstThatFits(ways: readonly string[], most: number): string {
  return ways.find((way) => displayWidth(way) <= most) ?? cutToWidth(ways.at(-1)!, most);
}

/**
 * A text cut to so many columns in its middle: names tell themselves apart at either end.
 *
 * @example cutMiddle('aequevox/amplitude:6', 12) // 'aequev…ude:6'
 */
export function cutMiddle(text: string, most: number): string {
  if (displayWidth(text) <= most) return text;
  const head = cutToWidth(text, Math.ceil((most + 1) / 2));
  let room = most - displayWidth(head);
  let tail = '';
  for (const { segment } of [...graphemes.segment(text.slice(-4 * most))].reverse()) {
    room -= graphemeWidth(segment);
    if (room < 0) break;
    tail = segment + tail;
  }
  return head + tail;
}

/**
 * Names that stand beside each other, cut to so many columns: those that would be the same when cut in their middle begin where they differ.
 *
 * @example cutApart(['nightly-2024-large', 'nightly-2025-large'], 10) // ['…4-large', '…5-large']
 */
export function cutApart(names: readonly string[], most: number): readonly string[] {
  const cut = names.map((name) => cutMiddle(name, most));
  const alike = Map.groupBy(new Set(names), (name) => cut[names.indexOf(name)]!);
  const apart = new Map(
    [...alike.values()].flatMap((same) => {
      const letters = same.map((name) => [...graphemes.segment(name)].map(({ segment }) => segment));
      const common = letters[0]!.findIndex((letter, at) => letters.some((other) => other[at] !== letter));
      if (same.length < 2 || most < 3) return same.map((name): [string, string] => [name, cutMiddle(name, most)]);
      // One of them may be the beginning of the others.
      const from = common < 0 ? letters[0]!.length : common;
      const rests = cutApart(
        letters.map((own) => own.slice(from).join('')),
        most - 1,
      );
      return same.map((name, at): [string, string] => [name, `…${rests[at]}`]);
    }),
  );
  return names.map((name) => apart.get(name)!);
}

/** What can be opened or pasted only whole. */
const isPath = (word: string) => /^[\x21-\x7e]{0,400}$/.test(word) && /[\w.~)][/\\][\w.]|^[/~]/.test(word);

/**
 * A text broken into lines of at most so many columns, between words where that can be done. A path is never broken: where it is longer, so is
 * its line.
 */
export function wrapToWidth(text: string, most: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/ (?!%)/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (displayWidth(longer) <= most) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (displayWidth(line) > most && !isPath(line)) {
      const head = headOfWidth(line, most);
      lines.push(head);
      line = line.slice(head.length);
    }
  }
  lines.push(line);
  return lines;
}

function headOfWidth(text: string, most: number): string {
  let head = '';
  let width = 0;
  for (const { segment } of graphemes.segment(text)) {
    width += graphemeWidth(segment);
    if (width > most && head !== '') break;
    head += segment;
  }
  return head;
}

function graphemeWidth(grapheme: string): number {
  if (/^\p{Mark}+$/u.test(grapheme)) return 0;
  return wide.test(grapheme) || grapheme.includes('\ufe0f') ? 2 : 1;
}

/** How a piece of text is set off on a terminal. */
export type Ink = 'strong' | 'quiet' | 'good' | 'bad' | 'caution';

/** Sets a text off, or leaves it as it is where colour is not wanted. */
export type Paint = (ink: Ink, text: string) => string;

const codes: Readonly<Record<Ink, readonly [on: number, off: number]>> = {
  strong: [1, 22],
  quiet: [2, 22],
  good: [32, 39],
  bad: [31, 39],
  caution: [33, 39],
};

/** The paint for a terminal with or without colour (ECMA-48, Select Graphic Rendition). */
export function createPaint(color: boolean): Paint {
  if (!color) return (_ink, text) => text;
  return (ink, text) => `\u001b[${codes[ink][0]}m${text}\u001b[${codes[ink][1]}m`;
}
