import type { Finding, Section, Table } from '../../model/finding.ts';
import { besideAnswer, leadingPicture } from '../prepare/ranking.ts';

/** Gives names that no other part of the page has: the name that was asked for, or else the same with a number. */
export interface Anchors {
  take(wanted: string): string;
}

/** A finding with the names of its parts, which the contents link to. */
export interface PlacedFinding {
  readonly finding: Finding;
  readonly id: string;
  /** In the order of the page: speed comes last. */
  readonly sections: readonly { readonly section: Section; readonly id: string }[];
}

/**
 * Names for the parts of one page. They are made of what the parts are called, so that a link still leads to the same part
 * when other findings have come before it.
 *
 * @param reserved names that the page itself has
 * @example createAnchors(['answer']).take('Answer!') // 'answer-2'
 */
export function createAnchors(reserved: readonly string[]): Anchors {
  const taken = new Set(reserved);
  return {
    take(wanted) {
      const base = slug(wanted);
      let id = base;
      for (let number = 2; taken.has(id); number++) id = `${base}-${number}`;
      taken.add(id);
      return id;
    },
  };
}

/** Where findings and their sections stand: `robustness`, `robustness-levels`; a second one of a kind has its own name before. */
export function placeFindings(findings: readonly Finding[], anchors: Anchors): readonly PlacedFinding[] {
  return findings.map((finding) => {
    const id = anchors.take(nameOf(finding));
    const lead = finding.scores === undefined ? null : leadingPicture(finding);
    const all = [...finding.sections, ...(finding.timing?.sections ?? [])].flatMap(
      (one) => besideAnswer(one, lead) ?? [],
    );
    return {
      ...{ finding, id },
      sections: all.map((section) => ({ section, id: anchors.take(partName(finding, section.id)) })),
    };
  });
}

/** What a part of a finding is called outside of it: as its CSV file is. */
export function partName(finding: Finding, part: Section['id'] | Table['id']): string {
  const { study } = finding;
  const own = part.startsWith(`${study.name}-`) ? part.slice(study.name.length + 1) : part;
  return own === study.name ? `${nameOf(finding)}-itself` : `${nameOf(finding)}-${own}`;
}

function nameOf({ name, study }: Finding): string {
  return name ?? study.name;
}

const maxSlug = 80;

/** Letters and digits of any script, the rest as hyphens. */
function slug(text: string): string {
  const plain = text
    .slice(0, 4 * maxSlug)
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}]+/gu, '-');
  return plain.slice(0, maxSlug).toWellFormed().replace(/^-|-$/g, '') || 'part';
}
