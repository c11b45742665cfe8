import type { Json } from '../base/json.ts';
import { estimateOf } from '../model/comparison.ts';
import type { Cell, Example, Finding, Section, Table } from '../model/finding.ts';
import { withoutMessage } from '../report/prepare/without-transcripts.ts';
import { named } from '../studies/shared/wording.ts';
import { type AttributeColumn, facetName, type IndexHeader, type RowColumns } from './index-columns.ts';
import { isOfAttribute } from './run-page.ts';

/** What is shown to nobody, and what findings may not speak of. */
export interface Withheld {
  /** A group of fewer speakers is too small to hide in. 1: nothing is withheld. */
  readonly minSpeakers: number;
  /** Of the run; where nobody knows who speaks, each recording counts as one. */
  readonly speakers: number;
  /** Attributes that are left out, `language` among them. */
  readonly attributes: ReadonlyMap<string, LeftOut>;
  /** Who spoke. */
  readonly names: ReadonlySet<string>;
}

/** An attribute that is left out. */
export interface LeftOut {
  /**
   * `alone`: a value (or having none) is that of too few speakers; `together`: with values of attributes that are there. Who has which
   * would be told by the examples of its findings, and by their sums.
   */
  readonly why: 'alone' | 'together';
  /** Whether it makes groups at all: of a name for each clip nothing is counted. */
  readonly groups: boolean;
  /** Values of enough speakers. */
  readonly large: readonly string[];
  readonly values: ReadonlySet<string>;
}

/**
 * Takes out of an index by what a person could be found: the speakers, and each attribute of which a value is that of too few speakers, or
 * mostly that of one. Of the others those stay of which no combination is that of too few: first those that findings compare, then those of
 * fewest values. An attribute is there whole or not at all, in trials and findings: what is missing of a whole would come out by subtraction.
 *
 * @param minSpeakers 1: nothing is taken out
 * @param findings what the run found
 */
export function withholdSmallGroups(
  header: Pick<IndexHeader, 'attributes' | 'utterances'>,
  { codes }: Pick<RowColumns, 'codes'>,
  minSpeakers: number,
  findings: readonly Pick<Finding, 'settings'>[],
): { readonly attributes: readonly AttributeColumn[]; readonly codes: Uint32Array; readonly withheld: Withheld } {
  const { attributes, utterances } = header;
  const codesOf = (place: number) => codes.subarray(place * utterances, (place + 1) * utterances);
  const speakerPlace = attributes.findIndex(({ name }) => name === 'speaker');
  // All without a name may be one person; counted as the run counts them, each is somebody.
  const speaker = speakerPlace < 0 ? new Uint32Array(utterances) : codesOf(speakerPlace);
  const named = speaker.filter((code) => code !== 0);
  const speakers = new Set(named).size + utterances - named.length;
  const names = new Set(speakerPlace < 0 ? [] : attributes[speakerPlace]!.values);
  if (minSpeakers <= 1) return { attributes, codes, withheld: { minSpeakers, speakers, attributes: new Map(), names } };

  const leftOut = new Map<string, LeftOut>();
  const isCompared = ({ name }: AttributeColumn) => findings.some(({ settings }) => speaksOf(settings, name));
  const kept: { readonly column: AttributeColumn; readonly codes: Uint32Array }[] = [];
  let classes: Uint32Array = new Uint32Array(utterances);
  const rising = attributes
    .map((column, place) => ({ column, codes: codesOf(place) }))
    .filter((_, place) => place !== speakerPlace)
    .sort(
      (a, b) =>
        Number(isCompared(b.column)) - Number(isCompared(a.column)) || a.column.values.length - b.column.values.length,
    );
  for (const one of rising) {
    const { name, values } = one.column;
    // What all have in common tells of nobody.
    const few = new Set(one.codes).size <= 1 ? new Set<number>() : smallClasses(one.codes, speaker, minSpeakers);
    const combined = numbered(classes, one.codes);
    const isDivided = new Set(combined).size > 1;
    if (few.size > 0 || (isDivided && smallClasses(combined, speaker, minSpeakers).size > 0)) {
      const large = values.filter((_, place) => !few.has(place + 1));
      const why = few.size > 0 ? 'alone' : 'together';
      leftOut.set(name, { why, groups: 2 * values.length <= utterances, large, values: new Set(values) });
      continue;
    }
    kept.push(one);
    classes = combined;
  }
  const together = new Uint32Array(kept.length * utterances);
  kept.forEach(({ codes }, place) => {
    together.set(codes, place * utterances);
  });
  return {
    attributes: kept.map(({ column }) => column),
    codes: together,
    withheld: { minSpeakers, speakers, attributes: leftOut, names },
  };
}

/** The classes of fewer speakers than so many, and those of which one speaker says more than half. */
function smallClasses(classes: ArrayLike<number>, speaker: ArrayLike<number>, min: number): Set<number> {
  const members = new Map<number, Map<number, number>>();
  for (let utterance = 0; utterance < classes.length; utterance++) {
    const known = members.get(classes[utterance]!) ?? new Map<number, number>();
    members.set(classes[utterance]!, known.set(speaker[utterance]!, (known.get(speaker[utterance]!) ?? 0) + 1));
  }
  const small = [...members].filter(([, clips]) => {
    const all = [...clips.values()];
    return all.length < min || 2 * Math.max(...all) > all.reduce((sum, count) => sum + count, 0);
  });
  return new Set(small.map(([one]) => one));
}

function numbered(classes: ArrayLike<number>, codes: ArrayLike<number>): Uint32Array {
  const numbers = new Map<string, number>();
  return Uint32Array.from(codes, (code, utterance) => {
    const cell = `${classes[utterance]} ${code}`;
    const number = numbers.get(cell) ?? numbers.size;
    numbers.set(cell, number);
    return number;
  });
}

/** Why a finding is withheld. */
export interface WithheldFinding {
  readonly why: string;
  /** The attributes whose groups it compares. */
  readonly by: readonly string[];
}

/** Names in findings that are no groups. */
export interface PlainNames {
  /** What an utterance is called instead; null: it is no utterance. */
  renamed(utteranceId: string): string | null;
  /** A text without the names of utterances. No number stands in their place: a name may be a word that means something else there. */
  unnamed(text: string): string;
}

/**
 * What a run found, without names. A finding that speaks of an attribute with too small a group, or of too few speakers at all, is withheld
 * whole: means over groups, ranges and counts of what is left give away what one line leaves out.
 *
 * @returns why it is withheld, where it is
 */
export function findingWithoutSmallGroups(
  finding: Finding,
  withheld: Withheld,
  { renamed, unnamed }: PlainNames,
): Finding | WithheldFinding {
  if (withheld.minSpeakers <= 1) return finding;
  const isName = nameFinder(withheld.names);
  const listsSpeakers = ({ rows, columns }: Table) =>
    rows.some((row) =>
      columns.some(({ key, label }) => {
        const cell = row[key];
        if (typeof cell !== 'string') return false;
        return isName(cell) || (/speaker/i.test(`${key} ${label}`) && withheld.names.has(cell));
      }),
    );
  const quiet = (section: Section): Section => ({
    ...section,
    // Lists of clips stand in the order of the corpus, or begin with its first.
    tables: (section.tables ?? []).filter((table) => !listsSpeakers(table) && !listsClips(table)),
    text: (section.text ?? []).filter((text) => !isName(text)),
    charts: (section.charts ?? []).filter(({ series }) => !series.some(({ name }) => isName(name))),
    bars: (section.bars ?? []).filter(({ rows }) => !rows.some(({ name }) => isName(name))),
    planes: (section.planes ?? []).filter(({ points }) => !points.some(({ name }) => isName(name))),
    heatMaps: (section.heatMaps ?? []).filter(({ rows }) => !rows.some(({ name }) => isName(name))),
    // Their points are speakers, or clips of one.
    boxPlots: (section.boxPlots ?? []).filter(({ boxes }) =>
      boxes.every(({ points }) =>
        points.every(({ name }) => !isName(name) && !withheld.names.has(name) && renamed(name) === null),
      ),
    ),
    examples: quietExamples(section.examples ?? [], isName, renamed),
  });
  const { answer, timing, settings } = finding;
  const sections = finding.sections.map(quiet);
  const timed = timing?.sections.map(quiet) ?? [];

  const parts = [...sections, ...timed].flatMap(labels);
  const compared = [...withheld.attributes].filter(([attribute, { groups }]) => {
    const isNamed =
      speaksOf(settings, attribute) ||
      answer.some(
        ({ about }) =>
          Object.keys(about?.group ?? {}).some((name) => facetName(name) === attribute) ||
          (attribute === 'language' && about?.language !== undefined),
      );
    return isNamed || (groups && parts.some((label) => isOfAttribute(label.toLowerCase(), attribute.toLowerCase())));
  });
  if (compared.length > 0) {
    const by = compared.map(([attribute]) => attribute);
    const together = compared.every(([, { why }]) => why === 'together')
      ? ', together with attributes that are here'
      : '';
    const few = `some of fewer than ${withheld.minSpeakers} speakers or mostly one`;
    return { why: `it compares groups by ${by.join(', ')}, ${few}${together}`, by };
  }
  const limit = Math.min(withheld.minSpeakers, withheld.speakers);
  // Numbers of everybody but a few tell, beside those of everybody, of the few.
  const isFew = (count: number) =>
    count > 0 && (count < limit || (count < withheld.speakers && count > withheld.speakers - limit));
  const few = (cell: Cell | undefined) => isFew(speakersOf(cell) ?? withheld.speakers);
  const smallTable = ({ columns, rows }: Table) =>
    rows.some(
      (row) => columns.some(({ key }) => few(row[key])) || (typeof row.speakers === 'number' && isFew(row.speakers)),
    );
  const isSmall =
    answer.some(({ estimate, comparison }) => few(estimate) || few(comparison)) ||
    [...sections, ...timed].some(
      ({ tables = [], charts = [], bars = [], heatMaps = [], planes = [] }) =>
        tables.some(smallTable) ||
        charts.some(({ series }) => series.some(({ points }) => points.some(({ estimate }) => few(estimate)))) ||
        bars.some(({ rows }) => rows.some(({ values }) => values.some(few))) ||
        heatMaps.some(({ rows }) => rows.some(({ cells }) => cells.some(few))) ||
        planes.some(({ points }) => points.some(({ x, y }) => few(x) || few(y))),
    );
  if (isSmall) return { why: `it has numbers of fewer than ${limit} speakers, or of all but so few`, by: [] };

  const said = <One extends { readonly text: string }>(all: readonly One[]) => all.filter(({ text }) => !isName(text));
  const spoken = (all: readonly string[]) => all.filter((text) => !isName(text));
  return unnamedThroughout(
    {
      ...finding,
      settings: withoutNames(settings, withheld.names) as Finding['settings'],
      answer: said(answer).map(({ examples, ...statement }) => ({
        ...statement,
        ...(examples && { examples: quietExamples(examples, isName, renamed) }),
      })),
      sections,
      warnings: spoken(finding.warnings),
      ...(timing && { timing: { answer: said(timing.answer), sections: timed } }),
    },
    unnamed,
  );
}

/** Columns of tables that list utterances. */
const clipColumns: ReadonlySet<string> = new Set(['utterance', 'utteranceId']);

function listsClips({ columns }: Table): boolean {
  return columns.some(({ key, kind }) => kind === 'text' && clipColumns.has(key));
}

/**
 * The title of an example says which utterance it is and who speaks, where that is known, and what a program says of its failure may. They
 * stand by their numbers: those of one rank stood as in the corpus.
 */
function quietExamples(
  examples: readonly Example[],
  isName: (text: string) => boolean,
  renamed: PlainNames['renamed'],
): Example[] {
  const quiet = examples.flatMap((example) => {
    const { title, utteranceId, transcripts } = example;
    const clip = renamed(utteranceId);
    if (clip === null) return [];
    const begins = [utteranceId, named(utteranceId)].find((one) => title.startsWith(one));
    const rest = title.slice(begins?.length ?? 0);
    return {
      ...example,
      title: isName(rest) ? clip : `${begins ? clip : ''}${rest}`,
      utteranceId: clip,
      transcripts: transcripts.map(withoutMessage),
    };
  });
  return quiet.sort((a, b) => a.utteranceId.localeCompare(b.utteranceId, 'en', { numeric: true }));
}

/** Sentences name utterances too. What columns and parts are known by stays, and so do numbered clips. */
function unnamedThroughout<Value>(value: Value, unnamed: (text: string) => string): Value {
  if (typeof value === 'string') return unnamed(value) as Value;
  if (Array.isArray(value)) return value.map((one) => unnamedThroughout(one, unnamed)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      key === 'key' || key === 'id' || key === 'utteranceId' ? one : unnamedThroughout(one, unnamed),
    ]),
  ) as Value;
}

function withoutNames(value: Json, names: ReadonlySet<string>): Json {
  if (typeof value === 'string') return names.has(value) ? 'withheld' : value;
  if (Array.isArray(value)) return value.map((one) => withoutNames(one, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutNames(one, names)]));
}

/** Whether settings name an attribute, as a value or as a key. `language` may be that of the utterance or an attribute called so. */
function speaksOf(settings: Json, attribute: string): boolean {
  const is = (name: string) => name === attribute || facetName(name) === attribute;
  if (typeof settings === 'string') return is(settings);
  if (typeof settings !== 'object' || settings === null) return false;
  return Object.entries(settings).some(([key, one]) => is(key) || speaksOf(one as Json, attribute));
}

/** What parts, columns, rows and lines are called. */
function labels({ title, planes, charts, boxPlots, bars, heatMaps, tables }: Section): string[] {
  return [
    title,
    ...(planes ?? []).flatMap((one) => [one.title, ...one.points.map(({ name }) => name)]),
    ...(charts ?? []).flatMap((one) => [one.title, ...one.xTicks, ...one.series.map(({ name }) => name)]),
    ...(boxPlots ?? []).flatMap((one) => [one.title, ...one.boxes.map(({ name }) => name)]),
    ...(bars ?? []).flatMap((one) => [one.title, ...one.series, ...one.rows.map(({ name }) => name)]),
    ...(heatMaps ?? []).flatMap((one) => [one.title, ...one.columns, ...one.rows.map(({ name }) => name)]),
    ...(tables ?? []).flatMap(({ title, columns, rows }) => [
      title,
      ...columns.map(({ label }) => label),
      ...rows.flatMap((row) => columns.flatMap(({ key }) => (typeof row[key] === 'string' ? [row[key]] : []))),
    ]),
  ];
}

const marked = /[^\p{L}\p{N}]/u;

/** Whether a text holds somebody's name as whole words. Of names that are mere numbers, where `speaker` stands before it. */
function nameFinder(names: ReadonlySet<string>): (text: string) => boolean {
  const words = new Set<string>();
  const others: string[] = [];
  for (const name of names) {
    if (/^\d+$/.test(name)) others.push(`speaker ${name}`);
    else if (/^[\p{L}\p{N}]+$/u.test(name)) words.add(name);
    else if (name !== '') others.push(name);
  }
  return (text) =>
    text.split(/[^\p{L}\p{N}]+/u).some((word) => words.has(word)) || others.some((name) => isWord(text, name));
}

function isWord(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text[at - 1], text[at + name.length]];
    if ((before === undefined || marked.test(before)) && (after === undefined || marked.test(after))) return true;
  }
  return false;
}

function speakersOf(cell: Cell | undefined): number | null {
  return estimateOf(cell)?.n.speakers ?? null;
}
