import type { Finding } from '../../model/finding.ts';
import { withNormalizer } from './with-normalizer.ts';

/** A finding as a report has it, whose name is its alone. */
export type NamedFinding = Finding & { readonly name: string };

/**
 * Findings as a report shows them: every rate names its normalizer, and all have names of their own: those that were given, else the study's, numbered where several have none. Names that were given
 * stand in the headings, and so do all where headings are alike, those of sections too.
 *
 * @param given by finding; undefined where there is none
 * @example namedFindings([robustness, robustness], []).map(({ name }) => name) // ['robustness', 'robustness-2']
 */
export function namedFindings(findings: readonly Finding[], given: readonly (string | undefined)[]): NamedFinding[] {
  // Letter case alone tells no files apart everywhere.
  const taken = new Set(given.flatMap((name) => name?.toLowerCase() ?? []));
  const free = (wanted: string): string => {
    let name = wanted;
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${wanted}-${number}`;
    taken.add(name.toLowerCase());
    return name;
  };
  return findings.map((finding, place) => {
    const { study, title } = finding;
    const name = given[place] ?? free(study.name);
    const told =
      given[place] !== undefined || findings.some((other, index) => index !== place && other.title === title);
    const shown = withNormalizer(finding);
    const sections = shown.sections.map((section) =>
      findings.some((other, index) => index !== place && other.sections.some((one) => one.title === section.title))
        ? { ...section, title: `${section.title} (${name})` }
        : section,
    );
    return { ...shown, name, title: told ? `${title} (${name})` : title, sections };
  });
}
