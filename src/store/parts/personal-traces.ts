import type { Json, JsonObject } from '../../base/json.ts';
import type { Finding, Section } from '../../model/finding.ts';

/** What tells that a text is about a person. */
export interface PersonalTraces {
  /** The person's name, ids of utterances, files: found as whole words. */
  readonly names: readonly string[];
  /** What only this person said or was understood to have said: found as a whole, whatever its letter case and punctuation. */
  readonly texts: readonly string[];
  /** What nobody else has, such as a value of an attribute: found as whole words where it is more than a letter or two. */
  readonly values: readonly string[];
}

/** Finds traces of a person in stored JSON and takes them out. */
export interface TraceFinder {
  mentions(text: string): boolean;
  /** The value without members whose names mention the person; a text that does is replaced. */
  redacted(value: Json): Json;
  /** A finding without sentences, rows, points and examples that mention the person; null where that cannot be told apart. */
  prunedFinding(finding: Finding, note: string): Finding | null;
}

/** What ends a name in a sentence or a path. */
const separator = /[\s/\\"'“”‘’`,;:()[\]{}<>!?=|]/;
const nameWord = /[^\s/\\"'“”‘’`,;:()[\]{}<>!?=|]+/g;
const replacement = 'forgotten';

export function createTraceFinder({ names, texts, values }: PersonalTraces): TraceFinder {
  const exact = new Set([...names, ...values]);
  // A speaker called 1 or A is not in every sentence that has a 1 or an A in it.
  const named = [
    ...names.map((name) => (/^(\d{1,3}|\p{L})$/u.test(name) ? `speaker ${name}` : name)),
    ...values.filter((value) => /\p{L}{3}/u.test(value)),
  ];
  const nameIndex = byFirstWord(named, nameWord);
  const plainTexts = [...new Set(texts.map(plain))].filter((text) => text !== '');
  const wholeTexts = new Set(plainTexts);
  // One or two words are said by anybody.
  const textIndex = byFirstWord(
    plainTexts.filter((text) => text.split(' ').length > 2),
    /\S+/g,
  );

  const mentions = (text: string): boolean => {
    if (exact.has(text)) return true;
    if (contains(text, nameIndex, nameWord)) return true;
    if (plainTexts.length === 0) return false;
    const said = plain(text);
    return wholeTexts.has(said) || contains(said, textIndex, /\S+/g);
  };
  const anywhere = (value: unknown): boolean => {
    if (typeof value === 'string') return mentions(value);
    if (Array.isArray(value)) return value.some(anywhere);
    if (typeof value !== 'object' || value === null) return false;
    return Object.entries(value).some(([key, member]) => mentions(key) || anywhere(member));
  };
  const without = <Item>(items: readonly Item[]): Item[] => items.filter((item) => !anywhere(item));

  const redacted = (value: Json): Json => {
    if (typeof value === 'string') return mentions(value) ? replacement : value;
    // Its items keep their places: others beside it may be counted along with them.
    if (Array.isArray(value)) return (value as readonly Json[]).map(redacted);
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value as JsonObject).filter(([key]) => !mentions(key));
    return Object.fromEntries(kept.map(([key, member]) => [key, redacted(member)]));
  };

  const prunedSection = (section: Section): Section => ({
    ...section,
    ...(section.text && { text: without(section.text) }),
    // Lines and fronts count the points: with one less they would join others.
    ...(section.planes && { planes: without(section.planes) }),
    ...(section.charts && {
      charts: without(section.charts.map((chart) => ({ ...chart, series: without(chart.series) }))),
    }),
    ...(section.boxPlots && {
      boxPlots: section.boxPlots.map((plot) => ({
        ...plot,
        boxes: without(plot.boxes.map((box) => ({ ...box, points: without(box.points) }))),
      })),
    }),
    ...(section.bars && { bars: section.bars.map((chart) => ({ ...chart, rows: without(chart.rows) })) }),
    ...(section.heatMaps && { heatMaps: section.heatMaps.map((map) => ({ ...map, rows: without(map.rows) })) }),
    ...(section.tables && { tables: section.tables.map((table) => ({ ...table, rows: without(table.rows) })) }),
    ...(section.examples && { examples: without(section.examples) }),
  });
  return {
    mentions,
    redacted,
    prunedFinding(finding, note) {
      const rest: Finding = {
        ...finding,
        settings: redacted(finding.settings) as JsonObject,
        answer: without(finding.answer),
        sections: finding.sections.map(prunedSection),
        warnings: without(finding.warnings),
        ...(finding.timing && {
          timing: { answer: without(finding.timing.answer), sections: finding.timing.sections.map(prunedSection) },
        }),
      };
      if (anywhere(rest)) return null;
      // Told once, however many were forgotten.
      return { ...rest, warnings: [note, ...rest.warnings.filter((warning) => warning !== note)] };
    },
  };
}

/** A text as it is the same however it is written: small letters and digits, one blank between words. */
function plain(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []).join(' ');
}

interface Indexed {
  readonly text: string;
  /** Where its first word stands in it. */
  readonly at: number;
}

function byFirstWord(texts: readonly string[], word: RegExp): ReadonlyMap<string, readonly Indexed[]> {
  const index = new Map<string, Indexed[]>();
  for (const text of texts) {
    const first = text.matchAll(word).next().value;
    if (first === undefined) continue;
    const known = index.get(first[0]) ?? [];
    known.push({ text, at: first.index });
    index.set(first[0], known);
  }
  return index;
}

function contains(text: string, index: ReadonlyMap<string, readonly Indexed[]>, word: RegExp): boolean {
  if (index.size === 0) return false;
  for (const { 0: found, index: place } of text.matchAll(word)) {
    for (const { text: wanted, at } of [...(index.get(found) ?? []), ...(index.get(found.replace(/\.+$/, '')) ?? [])]) {
      const start = place - at;
      const end = start + wanted.length;
      if (start >= 0 && text.startsWith(wanted, start) && endsThere(text, end)) return true;
    }
  }
  return false;
}

function endsThere(text: string, end: number): boolean {
  const rest = text.slice(end, end + 4).replace(/^\.+/, '');
  return rest === '' || separator.test(rest[0]!);
}
