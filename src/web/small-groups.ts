import type { Cell, Estimate, Example, Finding, Section, Table } from '../model/finding.ts';
import type { AttributeColumn, IndexColumns, IndexHeader } from './trial-index.ts';

/** What a value is called that too few speakers have. */
const withheldValue = 'withheld (too few speakers)';

/** Which values of attributes are shown to nobody. */
export interface Withheld {
  /** A group of fewer speakers is too small to hide in. 1: nothing is withheld. */
  readonly minSpeakers: number;
  /** Of the run; where nobody knows who speaks, each recording counts as one. */
  readonly speakers: number;
  /** By attribute. */
  readonly values: ReadonlyMap<string, ReadonlySet<string>>;
  /** Who spoke. */
  readonly names: ReadonlySet<string>;
}

/**
 * Takes out of an index by what a person could be found: the speakers, and values of attributes that fewer than so many of them have. No
 * combination of what is left has fewer: a value is withheld among those who share all other values, and with it the next smaller one
 * until as many speakers are behind "withheld", so that nobody comes out by subtraction. Where what the findings say of a value, or of
 * a pair of them, less what the rows show would be of fewer, the rows lose the whole attribute.
 *
 * @param minSpeakers 1: nothing is taken out
 */
export function withholdSmallGroups(
  header: Pick<IndexHeader, 'attributes' | 'utterances'>,
  { codes }: Pick<IndexColumns, 'codes'>,
  minSpeakers: number,
): { readonly attributes: readonly AttributeColumn[]; readonly codes: Uint32Array; readonly withheld: Withheld } {
  const { attributes, utterances } = header;
  const codesOf = (place: number) => codes.subarray(place * utterances, (place + 1) * utterances);
  const speakerPlace = attributes.findIndex(({ name }) => name === 'speaker');
  const known = speakerPlace < 0 ? new Uint32Array(utterances) : codesOf(speakerPlace);
  // Whoever has no name is somebody of his own.
  const speaker = Float64Array.from(known, (code, utterance) => (code === 0 ? -1 - utterance : code));
  const speakers = new Set(speaker).size;
  const names = new Set(speakerPlace < 0 ? [] : attributes[speakerPlace]!.values);
  if (minSpeakers <= 1) return { attributes, codes, withheld: { minSpeakers, speakers, values: new Map(), names } };

  const values = new Map<string, ReadonlySet<string>>();
  const kept: { readonly column: AttributeColumn; readonly shown: Uint32Array; readonly original: Uint32Array }[] = [];
  let classes: ArrayLike<number> = new Uint32Array(utterances);
  const order = attributes
    .map((column, place) => ({ column, original: codesOf(place) }))
    .filter((_, place) => place !== speakerPlace)
    .sort((a, b) => a.column.values.length - b.column.values.length);
  for (const { column, original } of order) {
    const alone = smallCells(new Uint32Array(utterances), original, speaker, minSpeakers);
    const small = new Set([...alone].map((cell) => cell % span));
    values.set(column.name, new Set([...small].map((code) => (code === 0 ? '' : column.values[code - 1]!))));
    const hidden = smallCells(classes, original, speaker, minSpeakers);
    const isHidden = Uint8Array.from(original, (code, utterance) =>
      small.has(code) || hidden.has(classes[utterance]! * span + code) ? 1 : 0,
    );
    const others = kept.map(({ original }) => original);
    if (isHidden.every((is) => is === 1) || leavesFew(isHidden, original, others, speaker, small, minSpeakers))
      continue;
    const shown = original.map((code, utterance) => (isHidden[utterance] === 1 ? column.values.length + 1 : code));
    kept.push({ column: { ...column, values: [...column.values, withheldValue] }, shown, original });
    classes = numbered(classes, shown);
  }
  const together = new Uint32Array(kept.length * utterances);
  kept.forEach(({ shown }, place) => {
    together.set(shown, place * utterances);
  });
  return {
    attributes: kept.map(({ column, shown }) => onlyUsed(column, shown)),
    codes: together,
    withheld: { minSpeakers, speakers, values, names },
  };
}

/** A class and a code as one number. */
const span = 2 ** 26;

function numbered(classes: ArrayLike<number>, codes: ArrayLike<number>): Uint32Array {
  const numbers = new Map<number, number>();
  return Uint32Array.from(codes, (code, utterance) => {
    const cell = classes[utterance]! * span + code;
    const number = numbers.get(cell) ?? numbers.size;
    numbers.set(cell, number);
    return number;
  });
}

/** In each class the codes of too few speakers, and the next smaller ones until as many are behind them together. */
function smallCells(
  classes: ArrayLike<number>,
  codes: ArrayLike<number>,
  speaker: ArrayLike<number>,
  min: number,
): Set<number> {
  const cells = new Map<number, Set<number>>();
  for (let utterance = 0; utterance < codes.length; utterance++) {
    const cell = classes[utterance]! * span + codes[utterance]!;
    const known = cells.get(cell);
    if (known === undefined) cells.set(cell, new Set([speaker[utterance]!]));
    else known.add(speaker[utterance]!);
  }
  const hidden = new Set<number>();
  for (const inClass of Map.groupBy(cells, ([cell]) => Math.floor(cell / span)).values()) {
    const rising = inClass.toSorted(([, a], [, b]) => a.size - b.size);
    if (rising[0]![1].size >= min) continue;
    const behind = new Set<number>();
    for (const [cell, speakers] of rising) {
      if (speakers.size >= min && behind.size >= min) break;
      hidden.add(cell);
      for (const one of speakers) behind.add(one);
    }
  }
  return hidden;
}

/** Whether somebody can tell what too few of a value, or of a value and one of another attribute, said: all of it less what is shown. */
function leavesFew(
  isHidden: Uint8Array,
  codes: Uint32Array,
  others: readonly Uint32Array[],
  speaker: ArrayLike<number>,
  small: ReadonlySet<number>,
  min: number,
): boolean {
  return [new Uint32Array(codes.length), ...others].some((other) => {
    const behind = new Map<number, Set<number>>();
    for (let utterance = 0; utterance < codes.length; utterance++) {
      if (isHidden[utterance] === 0 || small.has(codes[utterance]!)) continue;
      const cell = other[utterance]! * span + codes[utterance]!;
      behind.set(cell, (behind.get(cell) ?? new Set()).add(speaker[utterance]!));
    }
    return [...behind.values()].some(({ size }) => size < min);
  });
}

/** Values that nobody has any more are not told either. */
function onlyUsed({ name, values }: AttributeColumn, codes: Uint32Array): AttributeColumn {
  const used = new Map<number, number>([[0, 0]]);
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at]!;
    if (!used.has(code)) used.set(code, used.size);
    codes[at] = used.get(code)!;
  }
  const told = [...used].filter(([code]) => code > 0).sort(([, a], [, b]) => a - b);
  return { name, values: told.map(([code]) => values[code - 1]!) };
}

/** Names in findings that are no groups. */
export interface PlainNames {
  /** Recognizers, conditions. */
  readonly spared: ReadonlySet<string>;
  /** What an utterance is called instead; null: as it is. */
  renamed(utteranceId: string): string | null;
  /** A text with what its utterances are called instead. */
  renamedIn(text: string): string;
}

/**
 * What a run found, without what it says of groups of too few speakers. A group's row is withheld wherever it stands, with those of its
 * attribute from which it could be worked out; what combines such an attribute with another is withheld whole, and so is any part that
 * holds a number of too few speakers of whom it cannot be said to which attribute they belong.
 */
export function findingWithoutSmallGroups(finding: Finding, withheld: Withheld, names: PlainNames): Finding {
  if (withheld.minSpeakers <= 1) return finding;
  const told = createCensor(finding, withheld, names);
  const sections = (all: readonly Section[]) => all.map((section) => quietSection(section, told));
  const { answer, plain, timing } = finding;
  const said = <One extends { readonly text: string }>(all: readonly One[]) =>
    all.filter(({ text }) => told.says(text));
  return renamedThroughout(
    {
      ...finding,
      answer: said(answer)
        .filter((statement) => !told.isSmall(statement.estimate) && !told.isSmall(statement.comparison))
        .map(({ examples, ...statement }) => ({
          ...statement,
          ...(examples && { examples: quietExamples(examples, told) }),
        })),
      ...(plain && {
        plain: {
          ...{ asked: plain.asked.filter(told.says), ofWhom: plain.ofWhom.filter(told.says), found: said(plain.found) },
          ...{ howSure: plain.howSure.filter(told.says), doesNotShow: plain.doesNotShow.filter(told.says) },
        },
      }),
      sections: sections(finding.sections),
      warnings: finding.warnings.filter(told.says),
      data: null,
      ...(timing && { timing: { answer: said(timing.answer), sections: sections(timing.sections) } }),
    },
    names.renamedIn,
  );
}

/** Sentences name utterances too. What columns and parts are known by stays. */
function renamedThroughout<Value>(value: Value, renamedIn: (text: string) => string): Value {
  if (typeof value === 'string') return renamedIn(value) as Value;
  if (Array.isArray(value)) return value.map((one) => renamedThroughout(one, renamedIn)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      key === 'key' || key === 'id' ? one : renamedThroughout(one, renamedIn),
    ]),
  ) as Value;
}

interface Censor {
  /** Whether a text may be shown. */
  says(text: string): boolean;
  isSmall(cell: Cell | undefined): boolean;
  table(table: Table): Table | null;
  id(text: string): string;
}

function createCensor(finding: Finding, { minSpeakers, speakers, values, names }: Withheld, plain: PlainNames): Censor {
  const limit = Math.min(minSpeakers, speakers);
  const isSmall = (cell: Cell | undefined) => (speakersOf(cell) ?? limit) < limit;
  const attributes = [...values.keys()].sort((a, b) => b.length - a.length);
  /** The attribute that a text is of; several where it combines them; null: none that is known. */
  const familyOf = (text: string): readonly string[] | null => {
    const families = text.split(' × ').map((part) => attributes.find((name) => isWord(part, name)) ?? null);
    return families.some((one) => one === null) ? null : (families as string[]);
  };
  const labelsOf = (row: Table['rows'][number], table: Table) => {
    const texts = table.columns.flatMap(({ key }) => {
      const text = row[key];
      return typeof text === 'string' && !plain.spared.has(text) && text.length < 120 ? [text] : [];
    });
    // An attribute and its value may stand in two columns.
    return attributes.includes(texts[0] ?? '') && texts.length > 1 ? [`${texts[0]} ${texts[1]}`] : texts.slice(0, 1);
  };
  const rowSpeakers = (row: Table['rows'][number]) =>
    Math.min(
      ...[typeof row.speakers === 'number' ? row.speakers : Infinity],
      ...Object.values(row).map((cell) => speakersOf(cell) ?? Infinity),
    );

  // Groups of too few speakers by what the tables say: bins and combinations are no values of any utterance.
  const labels = new Set<string>();
  const broken = new Set([...values].flatMap(([name, hidden]) => (hidden.size > 0 ? [name] : [])));
  const withGroups = (table: Table) => {
    const counted = new Map<string, number>();
    for (const row of table.rows) {
      for (const label of labelsOf(row, table))
        counted.set(label, Math.min(counted.get(label) ?? Infinity, rowSpeakers(row)));
    }
    for (const { key, label } of table.columns) {
      if (familyOf(label) === null) continue;
      const sizes = table.rows.map((row) => speakersOf(row[key]) ?? Infinity);
      counted.set(label, Math.min(counted.get(label) ?? Infinity, ...sizes));
    }
    return counted;
  };
  const tables = [...finding.sections, ...(finding.timing?.sections ?? [])].flatMap(({ tables = [] }) => tables);
  for (const table of tables) {
    const groups = [...withGroups(table)].flatMap(([label, size]) => {
      const family = familyOf(label);
      return family === null ? [] : [{ label, size, family }];
    });
    for (const inFamily of Map.groupBy(groups, ({ family }) => family.join('\n')).values()) {
      const rising = inFamily.toSorted((a, b) => a.size - b.size);
      if (rising[0]!.size >= limit) continue;
      for (const name of rising[0]!.family) broken.add(name);
      let behind = 0;
      for (const { label, size } of rising) {
        if (size >= limit && behind >= limit) break;
        labels.add(label);
        behind += size;
      }
    }
  }

  const says = (text: string): boolean => {
    if (labels.has(text) || names.has(text)) return false;
    const family = familyOf(text);
    if (family !== null && family.length > 1 && family.some((name) => broken.has(name))) return false;
    if ([...labels].some((label) => isWord(text, label))) return false;
    for (const [attribute, hidden] of values) {
      const named = isWord(text, attribute);
      for (const value of hidden)
        if (value !== '' && (named || (value.length > 3 && !plain.spared.has(value))) && isWord(text, value))
          return false;
    }
    return !text.split(/[\s,;:()"]+/).some((part) => names.has(part));
  };
  return {
    says,
    isSmall,
    id: (text) => plain.renamed(text) ?? text,
    table(table) {
      if (!says(table.title)) return null;
      const columns = table.columns.filter(({ label }) => says(label));
      const rows = table.rows.filter((row) => {
        const label = labelsOf(row, table);
        const texts = Object.values(row).filter((cell) => typeof cell === 'string');
        return [...label, ...texts].every(says);
      });
      const open = rows.some((row) => {
        const few =
          columns.some(({ key }) => isSmall(row[key])) || (typeof row.speakers === 'number' && row.speakers < limit);
        return few && labelsOf(row, table).some((label) => plain.renamed(label) === null);
      });
      if (open) return null;
      const renamed = rows.map((row) =>
        Object.fromEntries(
          Object.entries(row).map(([key, cell]) => [
            key,
            typeof cell === 'string' ? (plain.renamed(cell) ?? cell) : cell,
          ]),
        ),
      );
      return { ...table, columns, rows: renamed };
    },
  };
}

const marked = /[^\p{L}\p{N}]/u;

/** Whether a text holds a name as whole words. */
function isWord(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text[at - 1], text[at + name.length]];
    if ((before === undefined || marked.test(before)) && (after === undefined || marked.test(after))) return true;
  }
  return false;
}

function speakersOf(cell: Cell | undefined): number | null {
  if (typeof cell !== 'object' || cell === null) return null;
  const estimate: Estimate = 'verdict' in cell ? cell.difference : cell;
  return estimate.n.speakers;
}

function quietSection(section: Section, told: Censor): Section {
  const { says, isSmall } = told;
  const { text, planes, charts, boxPlots, bars, heatMaps, tables, examples } = section;
  const withheld = 'Withheld: groups of too few speakers.';
  const kept = (tables ?? []).map((table) => told.table(table));
  const notes = kept.some((table, place) => table === null || table.rows.length < tables![place]!.rows.length);
  const titled = <One extends { readonly title: string }>(all: readonly One[] | undefined) =>
    (all ?? []).filter(({ title }) => says(title));
  return {
    ...{
      id: section.id,
      title: says(section.title) ? section.title : 'Withheld',
      ...(section.summary && { summary: true }),
    },
    text: [...(text ?? []).filter(says), ...(notes ? [withheld] : [])],
    planes: titled(planes).filter(({ points }) =>
      points.every(({ name, x, y }) => says(name) && !isSmall(x) && !isSmall(y)),
    ),
    charts: titled(charts).filter(
      ({ series, xTicks }) =>
        xTicks.every(says) &&
        series.every(({ name, points }) => says(name) && points.every(({ estimate }) => !isSmall(estimate))),
    ),
    boxPlots: titled(boxPlots).filter(({ boxes }) =>
      boxes.every(({ name, points }) => says(name) && points.every(({ name }) => says(name))),
    ),
    bars: titled(bars).flatMap((chart) => {
      const rows = chart.rows.filter(({ name }) => says(name));
      const few = rows.some(({ values }) => values.some((value) => isSmall(value)));
      return few || rows.length === 0 || !chart.series.every(says) ? [] : [{ ...chart, rows }];
    }),
    heatMaps: titled(heatMaps).flatMap((map) => {
      const rows = map.rows.filter(({ name }) => says(name));
      const few = rows.some(({ cells }) => cells.some((cell) => isSmall(cell)));
      return few || rows.length === 0 ? [] : [{ ...map, rows }];
    }),
    tables: kept.filter((table) => table !== null),
    examples: quietExamples(examples ?? [], told),
  };
}

function quietExamples(examples: readonly Example[], told: Censor): Example[] {
  return examples.flatMap((example) => {
    const { utteranceId, title } = example;
    const name = told.id(utteranceId);
    const shown = title.replaceAll(utteranceId, name);
    const rest = shown.replaceAll(name, '');
    return told.says(rest) ? [{ ...example, title: shown, utteranceId: name }] : [];
  });
}
