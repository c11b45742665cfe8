import type { CtmToken } from './read-ctm.ts';

/**
 * The words of a ctm file as one line, alternatives in braces as trn and stm files write them (`@` stands for none).
 *
 * @example // UM or UH, then RIGHT
 * ctmText(tokens) // '{ UM / UH } RIGHT'
 */
export function ctmText(tokens: readonly CtmToken[]): string {
  return tokens
    .map(({ alternatives }) =>
      alternatives.length === 1
        ? alternatives[0]!.join(' ')
        : `{ ${alternatives.map((words) => (words.length === 0 ? '@' : words.join(' '))).join(' / ')} }`,
    )
    .join(' ');
}
