import type { PlainSummary, Verdict } from '../../model/finding.ts';

/** A part of the page for everybody: a question and the sentences that answer it. */
export interface PlainPart {
  readonly title: string;
  readonly lines: readonly { readonly text: string; readonly verdict?: Verdict }[];
}

/** The words that stand by a verdict on the page for everybody: those of the appendix need its tables. */
export const plainVerdicts: Readonly<Record<Verdict, string>> = {
  worse: 'shown',
  better: 'shown',
  'cannot tell': 'open',
};

/** The parts of the page in the order in which somebody asks, the empty ones left out. */
export function plainParts({ asked, ofWhom, found, howSure, doesNotShow }: PlainSummary): readonly PlainPart[] {
  const said = (texts: readonly string[]) => texts.map((text) => ({ text }));
  return [
    { title: 'What was asked', lines: said(asked) },
    { title: 'Whose speech', lines: said(ofWhom) },
    { title: 'What was found', lines: found },
    { title: 'How certain it is', lines: said(howSure) },
    { title: 'What it does not show', lines: said(doesNotShow) },
  ].filter(({ lines }) => lines.length > 0);
}
