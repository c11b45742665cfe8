import { align, countEdits } from '../alignment/align.ts';
import { errors } from '../edit-counts.ts';
import { basicCharacters, basicTurkic, basicUnpointed, plain } from '../normalizers/basic.ts';
import { goesByLanguage, normalizerOf } from '../normalizers/by-language.ts';
import { chinese } from '../normalizers/chinese/chinese.ts';
import { english } from '../normalizers/english/english.ts';
import type { Normalizer } from '../normalizers/normalizer.ts';
import { plainEnglish } from '../normalizers/plain-english/plain-english.ts';
import { tastes } from '../normalizers/written/tables.ts';
import { writtenKinds } from '../normalizers/written/written.ts';
import { withSpellings } from '../spellings/spellings.ts';

/** What a stretch of errors comes to. */
interface Counted {
  errors: number;
  /** Errors that vanish where a kind of spelling does not count, by its name. */
  readonly kinds: Map<string, number>;
  /** Errors where one text has figures and the other has not. */
  figures: number;
}

/** What is told of one kind of such errors. */
export interface SpellingNote {
  readonly about: 'spelling' | 'figures';
  readonly errors: number;
  /** Of so many errors. */
  readonly of: number;
  /** Without its end. */
  readonly sentence: string;
}

/** Sees pairs of texts, and tells how many of their errors are spelling only. */
export interface SpellingWatch {
  see(reference: string, hypothesis: string, language: string | undefined): void;
  /** What was seen, by primary language; empty: of none that is known. */
  readonly byLanguage: ReadonlyMap<string, Counted>;
  /**
   * None where there is nothing to tell.
   *
   * @param least share of the errors below which nothing is told; 0 by default
   */
  told(least?: number): readonly SpellingNote[];
}

/** By which what has two writings is one already. */
const mended = new Set(
  [plain, basicUnpointed, basicTurkic, basicCharacters, chinese, plainEnglish].map(({ name }) => name),
);
/** Read by a normalizer as numbers, whichever way they are written. */
// By its name alone: its lists are loaded where somebody asks for it.
const readsNumbers = new Set(['crossasr', ...[english, plainEnglish, chinese].map(({ name }) => name)]);
const punctuation = 'punctuation';
const englishForms = 'contractions, numbers and abbreviations';

/**
 * Watches for errors that the next looser normalizer would not count: first what our own make equal (`writtenKinds`), then punctuation, then
 * for English what `plain-english` does, then matters of taste. Each is put on top of those before, so that what vanishes is counted once.
 *
 * Pairs without errors cost a comparison of their words, others as many alignments as kinds change them.
 *
 * @param normalizer by which the errors are counted
 * @example
 * const watch = watchSpelling(basic);
 * watch.see('п’ять', 'пʼять', 'uk');
 * watch.told()[0].sentence // '1 of 1 error is spelling only (apostrophes 1)'
 */
export function watchSpelling(normalizer: Normalizer): SpellingWatch {
  const byLanguage = new Map<string, Counted>();
  const own = (language: string | undefined) => {
    const base = normalizer.spelled?.base ?? normalizer;
    return goesByLanguage(normalizer) ? normalizerOf(language) : base;
  };
  const count = (reference: string, hypothesis: string, language: string | undefined) =>
    errors(countEdits(normalizer.words(reference, language), normalizer.words(hypothesis, language)));
  return {
    see(reference, hypothesis, language) {
      const said = normalizer.words(reference, language);
      const heard = normalizer.words(hypothesis, language);
      let left = said.length === heard.length && said.every((word, place) => word === heard[place]) ? 0 : -1;
      if (left === 0) return;
      left = errors(countEdits(said, heard));
      const counted = countedOf(byLanguage, language);
      counted.errors += left;
      let texts = [reference, hypothesis] as const;
      const tryKind = (name: string, change: (text: string) => string, of = count) => {
        if (left === 0) return;
        const changed = [change(texts[0]), change(texts[1])] as const;
        if (of === count && changed[0] === texts[0] && changed[1] === texts[1]) return;
        texts = changed;
        const now = of(changed[0], changed[1], language);
        if (now < left) counted.kinds.set(name, (counted.kinds.get(name) ?? 0) + left - now);
        left = Math.min(left, now);
      };
      if (!mended.has(own(language).name)) {
        for (const { name, change } of writtenKinds) tryKind(name, (text) => change(text, language));
        tryKind(punctuation, withoutPunctuation);
      }
      if (language?.split(/[-_]/, 1)[0] === 'en' && own(language) !== plainEnglish) {
        texts = [reference, hypothesis];
        tryKind(
          englishForms,
          (text) => text,
          (one, other) => errors(countEdits(plainEnglish.words(one), plainEnglish.words(other))),
        );
        return;
      }
      for (const name of Object.keys(tastes)) tryKind(nameOfTaste(tastes[name]!.about), tasteOf(name, language));
      if (left > 0 && !readsNumbers.has(own(language).name)) counted.figures += figuresIn(said, heard);
    },
    byLanguage,
    told: (least = 0) => sentences(byLanguage, least),
  };
}

/** What is told of all that several watches saw, together. */
export function spellingTogether(
  watches: readonly Pick<SpellingWatch, 'byLanguage'>[],
  least: number,
): readonly SpellingNote[] {
  const all = new Map<string, Counted>();
  for (const [language, counted] of watches.flatMap(({ byLanguage }) => [...byLanguage])) {
    const sum = countedOf(all, language);
    sum.errors += counted.errors;
    sum.figures += counted.figures;
    for (const [name, count] of counted.kinds) sum.kinds.set(name, (sum.kinds.get(name) ?? 0) + count);
  }
  return sentences(all, least);
}

function countedOf(byLanguage: Map<string, Counted>, language: string | undefined): Counted {
  const tag = language?.split(/[-_]/, 1)[0]?.toLowerCase() ?? '';
  const name = tag === 'und' ? '' : tag;
  let counted = byLanguage.get(name);
  if (counted === undefined) {
    counted = { errors: 0, kinds: new Map(), figures: 0 };
    byLanguage.set(name, counted);
  }
  return counted;
}

function withoutPunctuation(text: string): string {
  return text.replace(/[\p{P}\p{S}]+/gu, (signs) => (signs === "'" || signs === 'ʼ' ? signs : ' '));
}

/** Matters of taste by their names: to some readers another word. */
const ofTaste = new Set(Object.values(tastes).map(({ about }) => nameOfTaste(about)));
function nameOfTaste(about: string): string {
  return about.split(' (')[0]!;
}

/** Changes nothing: a matter of taste is put on it alone. */
const unchanged: Normalizer = { name: '', version: 0, about: '', words: (text) => [text], explain: () => [] };
const tasteChanges = new Map(
  Object.keys(tastes).map((name) => [name, withSpellings(unchanged, { tastes: [name], lists: [] })]),
);

function tasteOf(name: string, language: string | undefined): (text: string) => string {
  return (text) => tasteChanges.get(name)!.words(text, language)[0]!;
}

/** Errors in stretches where one side has figures and the other words for them, it may be. */
function figuresIn(said: readonly string[], heard: readonly string[]): number {
  const hasFigures = (words: readonly string[]) => words.some((word) => /^\p{Nd}+$/u.test(word));
  if (!hasFigures(said) && !hasFigures(heard)) return 0;
  let found = 0;
  let stretch: { reference: string[]; hypothesis: string[]; size: number } | null = null;
  const end = () => {
    if (stretch !== null && hasFigures(stretch.reference) !== hasFigures(stretch.hypothesis)) {
      if (stretch.reference.length > 0 && stretch.hypothesis.length > 0) found += stretch.size;
    }
    stretch = null;
  };
  for (const { reference, hypothesis } of align(said, heard)) {
    if (reference === hypothesis) {
      end();
      continue;
    }
    stretch ??= { reference: [], hypothesis: [], size: 0 };
    stretch.size++;
    if (reference !== null) stretch.reference.push(reference);
    if (hypothesis !== null) stretch.hypothesis.push(hypothesis);
  }
  end();
  return found;
}

function sentences(byLanguage: ReadonlyMap<string, Counted>, least: number): SpellingNote[] {
  const all = [...byLanguage].filter(([, { errors: count }]) => count > 0);
  const sumOf = (some: readonly (readonly [string, Counted])[], value: (counted: Counted) => number) =>
    some.reduce((sum, [, counted]) => sum + value(counted), 0);
  const total = sumOf(all, (counted) => counted.errors);
  const spelled = (counted: Counted) => [...counted.kinds.values()].reduce((sum, count) => sum + count, 0);
  const languages = (value: (counted: Counted) => number) =>
    all.length < 2
      ? ''
      : `; by language: ${all
          .filter(([, counted]) => value(counted) > 0)
          .map(([name, counted]) => `${name || 'unknown'} ${value(counted)} of ${counted.errors}`)
          .join(', ')}`;
  const told: SpellingNote[] = [];
  const spelling = sumOf(all, spelled);
  if (spelling > least * total) {
    const kinds = new Map<string, number>();
    for (const [, counted] of all)
      for (const [name, count] of counted.kinds) kinds.set(name, (kinds.get(name) ?? 0) + count);
    const [maybe, sure] = [true, false].map((asked) => {
      const own = [...kinds].filter(([name]) => ofTaste.has(name) === asked).sort(([, a], [, b]) => b - a);
      const named = own.map(([name, count]) => `${name} ${count}`).join(', ');
      return { count: own.reduce((sum, [, count]) => sum + count, 0), named: `(${named})` };
    });
    const errors = `of ${total} ${total === 1 ? 'error' : 'errors'}`;
    const are = total === 1 ? 'is' : 'are';
    const sentence =
      sure!.count === 0
        ? `${maybe!.count} ${errors} may be spelling ${maybe!.named}`
        : `${sure!.count} ${errors} ${are} spelling only ${sure!.named}${maybe!.count === 0 ? '' : `, ${maybe!.count} may be ${maybe!.named}`}`;
    told.push({ about: 'spelling', errors: spelling, of: total, sentence: `${sentence}${languages(spelled)}` });
  }
  const figures = sumOf(all, (counted) => counted.figures);
  if (figures > least * total) {
    told.push({
      ...{ about: 'figures', errors: figures, of: total },
      sentence: `${figures} of ${total} ${total === 1 ? 'error' : 'errors'} may be numbers, in figures in one text and in words in the other${languages((counted) => counted.figures)}`,
    });
  }
  return told;
}
