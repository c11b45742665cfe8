import { visibleText } from '../../base/visible-text.ts';
import type { PlainSummary } from '../../model/finding.ts';
import { plainParts, plainVerdicts } from '../prepare/plain-parts.ts';
import { wrapToWidth } from './display-width.ts';
import type { Paint } from './paint.ts';

/** The page for everybody in the terminal. */
export function textPlain(
  plain: PlainSummary,
  { width, paint }: { readonly width: number; readonly paint: Paint },
): readonly string[] {
  return plainParts(plain).flatMap(({ title, lines }) => [
    `  ${paint('strong', title)}`,
    ...lines.flatMap(({ text, verdict }) => {
      const word = verdict === undefined ? '' : `[${plainVerdicts[verdict]}] `;
      return wrapToWidth(`${word}${visibleText(text)}`, Math.max(10, width - 6)).map((line, index) =>
        index === 0 ? `  • ${line}` : `    ${line}`,
      );
    }),
  ]);
}
