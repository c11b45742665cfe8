import { badInput } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import type { Utterance } from '../../model/utterance.ts';

/** A licence as data declare it, and how much stands under it. */
export interface DeclaredLicence {
  /** As it is written; null where none is declared. */
  readonly licence: string | null;
  /** What stands under it: `speech`, `speech (corpus timit)`, `sounds of musan`. */
  readonly material: string;
  readonly count: number;
}

/** Collects what speech and sounds say of their licences. */
export interface LicenceLedger {
  addUtterance(utterance: Utterance): void;
  addSound(collection: string, facts: JsonObject): void;
  /** In alphabetical order, what declares none last. */
  declared(): DeclaredLicence[];
}

/** Names that a licence has among the attributes of an utterance or the facts of a sound. */
const licenceKeys = ['licence', 'license', 'Licence', 'License', 'LICENSE'];

/** Data whose licence is known to forbid derivatives, whether or not they say so. TED-LIUM: CC BY-NC-ND 3.0. */
const corporaWithoutDerivatives = /\bted[-_ ]?lium/i;

/**
 * Whether a licence forbids passing changed copies on: the Creative Commons element ND as name, code or address, or the
 * words.
 *
 * @example forbidsDerivatives('CC BY-NC-ND 3.0') // true
 */
export function forbidsDerivatives(licence: string): boolean {
  return (
    /(^|[^a-z])by([-_ /]nc)?[-_ /]nd([^a-z]|$)/i.test(licence) ||
    /\bno[-_ ]?deriv/i.test(licence) ||
    corporaWithoutDerivatives.test(licence)
  );
}

export function createLicenceLedger(): LicenceLedger {
  const entries = new Map<string, { licence: string | null; material: string; count: number }>();
  const add = (licence: string | null, material: string) => {
    const key = JSON.stringify([licence, material]);
    const entry = entries.get(key) ?? { licence, material, count: 0 };
    entry.count++;
    entries.set(key, entry);
  };
  return {
    addUtterance({ attributes }) {
      const corpus = attributes.corpus;
      const material = corpus === undefined ? 'speech' : `speech (corpus ${corpus})`;
      const known = corpus !== undefined && corporaWithoutDerivatives.test(corpus) ? 'CC BY-NC-ND 3.0' : null;
      add(licenceIn(attributes) ?? known, material);
    },
    addSound(collection, facts) {
      add(licenceIn(facts), `sounds of ${collection}`);
    },
    declared() {
      return [...entries.values()].sort(
        (a, b) =>
          Number(a.licence === null) - Number(b.licence === null) ||
          compare(a.licence ?? '', b.licence ?? '') ||
          compare(a.material, b.material),
      );
    },
  };
}

/** The columns of a manifest that declare a licence. */
export function isLicenceKey(key: string): boolean {
  return licenceKeys.includes(key);
}

/** What attributes or facts say of the licence; null where they say nothing. */
export function licenceIn(facts: JsonObject): string | null {
  for (const key of licenceKeys) {
    const value = Object.hasOwn(facts, key) ? facts[key] : undefined;
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
  }
  return null;
}

/**
 * @param instead what can be done
 * @throws EarwitnessError `bad-input` where something forbids changed copies
 */
export function refuseWithoutDerivatives(
  declared: readonly DeclaredLicence[],
  instead = 'leave them out, measure with --discard, or write copies for your own use with --accept-no-derivatives',
): void {
  const found = declared.find(({ licence }) => licence !== null && forbidsDerivatives(licence));
  if (!found) return;
  throw badInput(
    `${printable(found.material)}: expected a licence that allows changed copies, but ${found.count} of them have ${JSON.stringify(printable(found.licence!))}; ${instead}`,
  );
}

/**
 * The text of the file ATTRIBUTION.
 *
 * @param changed whether any copy differs from its original
 */
export function attributionText(declared: readonly DeclaredLicence[], program: string, changed = true): string {
  const lines = declared.map(({ licence, material, count }) => {
    const said = licence === null ? 'no licence declared: ask its owner before you share it' : printable(licence, 500);
    return `- ${printable(material, 300)}: ${count} ${count === 1 ? 'item' : 'items'}, ${said}`;
  });
  return `${[
    'ATTRIBUTION',
    '',
    `These files are ${changed ? 'changed copies' : 'copies'}, made by ${program}. Their originals, and the licences as declared:`,
    '',
    ...lines,
    '',
    'The licences of the originals, and their demand to name the authors, apply to these copies too.',
  ].join('\n')}\n`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * README.md of a data set as Hugging Face `datasets` reads it: which files are which split.
 *
 * @param paths of the splits, as patterns below the folder; of plain characters
 */
export function datasetCard(paths: readonly (readonly [split: string, pattern: string])[]): string {
  const files = paths.map(
    ([split, pattern]) => `      - split: ${JSON.stringify(split)}\n        path: ${JSON.stringify(pattern)}\n`,
  );
  return `---
configs:
  - config_name: default
    data_files:
${files.join('')}---

Speech under perturbations, one split for each condition, made by Earwitness. Licences: see ATTRIBUTION.

Columns: \`condition\` and \`severity\` (1 the mildest, 0 the clean audio), \`seed\` and \`draw\` from which chance was drawn,
\`facts\` as JSON: level, clipped share, a hash of the samples, and what each step says of what it did.
`;
}
