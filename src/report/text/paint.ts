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
