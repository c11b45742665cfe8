import type { Example, Finding, Section, Statement } from '../../model/finding.ts';

/** Every example of a finding: those of its claims, then those of its sections. */
export function examplesOf({ answer, sections, timing }: Finding): readonly Example[] {
  const parts = [...answer, ...sections, ...(timing?.sections ?? [])];
  return parts.flatMap(({ examples = [] }) => examples);
}

/** A finding with other examples in the places of its own. */
export function withExamples(finding: Finding, change: (example: Example) => Example): Finding {
  const changed = <Part extends Section | Statement>(part: Part): Part =>
    part.examples === undefined ? part : { ...part, examples: part.examples.map(change) };
  return {
    ...finding,
    answer: finding.answer.map(changed),
    sections: finding.sections.map(changed),
    ...(finding.timing && { timing: { ...finding.timing, sections: finding.timing.sections.map(changed) } }),
  };
}
