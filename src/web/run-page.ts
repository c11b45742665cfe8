import { minuteInUtc } from '../base/clock.ts';
import type { JsonObject } from '../base/json.ts';
import { isInLanguage } from '../base/language-tag.ts';
import { formatFixed, moneyText } from '../base/number-format.ts';
import { limitText } from '../base/printable.ts';
import type { About, Finding } from '../model/finding.ts';
import { failureKinds, failuresInWords } from '../model/observation.ts';
import { clean } from '../model/trial.ts';
import { createAnchors, placeFindings } from '../report/html/anchors.ts';
import { answerSection } from '../report/html/answer.ts';
import { findingSection } from '../report/html/finding.ts';
import { html, type Markup, type Ways } from '../report/html/markup.ts';
import { type Called, findingInWords, sentencesInWords } from '../report/prepare/in-words.ts';
import { foremostWarning, warningsOf } from '../report/prepare/report-parts.ts';
import type { RunRecord } from '../store/contract.ts';
import { attributeReader } from '../studies/shared/attributes.ts';
import { facetName } from './index-columns.ts';
import { href, type Links } from './links.ts';
import type { RunSummary } from './run-summary.ts';

/** Tables of a run are shown up to so many rows; all are in the report. */
const detail = { rows: 200, examples: 30, charts: true } as const;

/** What a run is made of, as the ways to its trials. */
export interface RunParts {
  /** Where its trials are. */
  readonly trials: string;
  /** Attributes that the trials do not show, with their values: no number of their groups has a way. */
  readonly left?: ReadonlyMap<string, ReadonlySet<string>>;
  /** Where the trials of one clip are; null: on no page. */
  clip(utterance: string, condition: string, draw: number): string | null;
  readonly recognizers: readonly string[];
  readonly conditions: readonly string[];
  /** What people call them and their families, by their names; absent: by these. */
  readonly called?: Called;
  /** Values of attributes, by attribute. */
  readonly groups: ReadonlyMap<string, ReadonlySet<string>>;
  readonly languages: ReadonlySet<string>;
  /** Whether trials can be chosen by a word that was taken for another. */
  readonly confusions?: boolean;
}

export interface RunPage {
  readonly run: Pick<RunRecord, 'id' | 'startedAtMs'>;
  readonly summary: RunSummary | null;
  /** Null: it is not finished. */
  readonly findings: readonly Finding[] | null;
  /** Of the run as a whole. */
  readonly warnings: readonly string[];
  /** Null: no number has a way. */
  readonly parts: RunParts | null;
  readonly links: Links;
  /** What stands in place of findings. */
  readonly unfinished?: Markup;
}

/** What is known of a run, and the ways to its trials. */
export function runPage({ run, summary, findings, warnings: own, parts, links, unfinished }: RunPage): Markup {
  const trials = links.trials(run.id);
  const given = warningsOf({ warnings: own, findings: findings ?? [] });
  const warnings = [...new Set(given.map(sentencesInWords(parts?.called ?? {})))];
  const foremost = foremostWarning(warnings);
  const warned =
    warnings.length === 0
      ? null
      : html`<section id="warnings" class="warnings" aria-labelledby="warnings.title"><h2 id="warnings.title">Warnings</h2><ul>${warnings.slice(0, 100).map((warning) => html`<li><bdi>${limitText(warning, 1000)}</bdi></li>`)}</ul></section>\n`;
  const nextTrials = html`<p class="next">Next: <a href="${href(trials, [['sort', 'loss']])}">the trials where WER rises most from clean</a>, word by word.</p>`;
  return html`<div class="told"><p class="controls"><a class="button" href="${trials}">All trials</a> <a class="button" href="${href(trials, [['sort', 'loss']])}">Largest rise from clean</a>${parts?.recognizers.length !== 1 && html` <a class="button" href="${href(trials, [['sort', 'disagreement']])}">Recognizers differ most</a>`}</p>
<dl class="numbers"><div><dt>Begun (UTC)</dt><dd>${minuteInUtc(run.startedAtMs)}</dd></div>${
    summary &&
    html`<div><dt>Trials</dt><dd>${formatFixed(summary.answered + summary.failed, 0)}</dd></div><div><dt>Failed</dt><dd>${formatFixed(summary.failed, 0)}</dd></div>${Object.keys(summary.money).length > 0 && html`<div><dt>Price</dt><dd>${moneyText(summary.money)}</dd></div>`}`
  }</dl>${foremost !== null && html`<p><a class="small warned" href="#warnings"><span aria-hidden="true">⚠ </span><bdi>${limitText(foremost, 300)}</bdi></a></p>`}</div>
${findings === null ? unfinished : findingsMarkup(findings, parts && waysOf(parts), warned, nextTrials)}`;
}

/**
 * What a run found, as in its report.
 *
 * @param ways from its numbers to the trials behind them; null: there are none
 * @param behind what stands behind the answer
 * @param next where a reader goes on
 */
export function findingsMarkup(
  findings: readonly Finding[],
  ways: Ways | null,
  behind: Markup | null = null,
  next?: Markup,
): Markup {
  const anchors = createAnchors(['answer', 'warnings']);
  const placed = placeFindings(findings.map(findingInWords), anchors);
  const options = { anchors, detail, sounds: new Map(), language: '', ...(ways && { ways }) };
  return html`${answerSection({ placed, ...options, ...(next && { next }) })}${behind}
${placed.map((one) => findingSection(one, options))}`;
}

/**
 * From numbers to trials: from a rate only where the texts around it name one condition, and one recognizer or the pair that is compared;
 * from a row where they name anything.
 */
export function waysOf(parts: RunParts): Ways {
  const isLeft = (texts: readonly string[]) =>
    [...(parts.left ?? [])].some(([attribute, values]) =>
      texts.some((text) => values.has(text) || isOfAttribute(text, attribute)),
    );
  return {
    toTrials(texts, about = 'one') {
      if (isLeft(texts)) return null;
      const query = withOnlyOnes(trialsOf(texts, parts), parts);
      const named = (facet: string) => query.filter(([key]) => key === facet).length;
      const isWhole = named('recognizer') === (about === 'one' ? 1 : 2) && named('condition') === 1;
      return isWhole ? href(parts.trials, query) : null;
    },
    toRow(texts, utteranceId, confused = null) {
      const query = trialsOf(texts, parts);
      if (utteranceId !== null) {
        const named = query.find(([key]) => key === 'condition')?.[1];
        const condition = named ?? parts.conditions.find((one) => one === clean.name) ?? parts.conditions[0] ?? '';
        return parts.clip(utteranceId, condition, 0);
      }
      if (query.length === 0 || query.length > maxFilters || isLeft(texts) || isUnnamed(texts, parts)) return null;
      return href(parts.trials, [
        ...query,
        ...(confused !== null && parts.confusions ? [['confused', confused.join(' ')] as const] : []),
      ]);
    },
    toClaim: (about, settings) => claimWay(about, settings, parts),
    toTrial: parts.clip,
  };
}

/** Whether a label is of an attribute: `accent`, `accent Scottish`, `accent: Scottish`, `Clips by accent`, `accent × sex`. */
export function isOfAttribute(label: string, attribute: string): boolean {
  return label
    .split(/ × |, /)
    .some(
      (part) =>
        part === attribute ||
        part.startsWith(`${attribute} `) ||
        part.startsWith(`${attribute}:`) ||
        part.endsWith(` ${attribute}`),
    );
}

/** A row of a table of averages whose name stands for conditions that are not known by it: `white noise`. */
function isUnnamed(texts: readonly string[], parts: RunParts): boolean {
  const [name = ''] = texts;
  return /^By /.test(texts.at(-1)!) && !/^all /.test(name) && trialsOf([name], parts).length === 0;
}

/** More filters make no address. */
const maxFilters = 60;

/** The trials that a claim is about, those that show it most first; null where there is no filter for them. */
function claimWay(about: About, settings: JsonObject, parts: RunParts): string | null {
  const { recognizer, conditions = [], group = {}, language, than, by = 'errors' } = about;
  const read = attributeReader((settings.bins ?? {}) as Parameters<typeof attributeReader>[0]);
  const isAll = conditions.length === parts.conditions.length;
  const filters = [
    recognizer === undefined ? null : { key: 'recognizer', values: [recognizer] },
    conditions.length === 0 || isAll ? null : { key: 'condition', values: conditions },
    ...Object.entries(group).map(([name, wanted]) => {
      const ofUtterance = name === 'language' && !parts.groups.has(facetName(name));
      const values = ofUtterance ? parts.languages : (parts.groups.get(facetName(name)) ?? []);
      return {
        key: ofUtterance ? 'is.language' : `is.${facetName(name)}`,
        values: [...values].filter((value) => read({ attributes: { [name]: value } }, name) === wanted),
      };
    }),
    language === undefined
      ? null
      : { key: 'is.language', values: [...parts.languages].filter((one) => isInLanguage(one, language)) },
    by === 'failures' ? { key: 'outcome', values: failureKinds } : null,
  ].filter((filter) => filter !== null);
  const query = filters.flatMap(({ key, values }) => values.map((value): [string, string] => [key, value]));
  if (filters.some(({ values }) => values.length === 0) || query.length > maxFilters) return null;
  const sort = {
    errors: than?.recognizer !== undefined ? 'disagreement' : than === undefined ? 'wer' : 'loss',
    ...{ words: 'insertions', change: 'loss', failures: null, 'failed tests': 'disagreement' },
  }[by];
  return href(parts.trials, sort === null ? query : [...query, ['sort', sort]]);
}

/**
 * The facets that texts name, or parts of them (`Groups, clean`): recognizers, conditions, all conditions of a ladder's family, groups (those
 * first whose attribute is named too) and languages.
 */
function trialsOf(
  given: readonly string[],
  { recognizers, conditions, called = {}, groups, languages }: RunParts,
): [string, string][] {
  const names = new Map(Object.entries(called).map(([name, words]) => [words, name]));
  const texts = given
    .flatMap((text) => [text, ...(text.includes(', ') ? text.split(', ') : [])])
    .map((text) => (recognizers.includes(text) ? text : (names.get(text) ?? text)));
  const query = new Map<string, [string, string]>();
  const add = (key: string, value: string) => query.set(JSON.stringify([key, value]), [key, value]);
  const isNamed = ([attribute]: readonly [string, unknown]) => texts.includes(attribute);
  const isOfFailures = texts.some((text) => /^Failure/.test(text));
  const attributes = [...groups].sort((a, b) => Number(isNamed(b)) - Number(isNamed(a)));
  for (const text of texts) {
    const family = text.includes('/') ? conditions.filter((name) => name.startsWith(`${text}:`)) : [];
    if (recognizers.includes(text)) add('recognizer', text);
    else if (conditions.includes(text)) add('condition', text);
    else if (family.length > 0) for (const one of family) add('condition', one);
    else if (/\bclean\b/i.test(text) && conditions.includes('clean')) add('condition', 'clean');
    else if (isOfFailures && failureOf(text) !== undefined) add('outcome', failureOf(text)!);
    else {
      const [, corpus, of] = /^(?:corpus )?(.+) \(([a-z]{2,3})\)$/.exec(text) ?? [];
      const spoken = of ?? /^language ([a-z]{2,3}(?:-[A-Za-z0-9]+)*)$/.exec(text)?.[1] ?? text;
      for (const one of languages) if (isInLanguage(one, spoken)) add('is.language', one);
      if (corpus !== undefined && groups.get('corpus')?.has(corpus)) add('is.corpus', corpus);
      for (const [attribute, values] of attributes) {
        const value = [text, text.replace(`${attribute} `, ''), text.replace(`${attribute}: `, '')].find((one) =>
          values.has(one),
        );
        if (value === undefined) continue;
        add(`is.${attribute}`, value);
        break;
      }
    }
  }
  return [...query.values()];
}

const failureOf = (words: string) => failureKinds.find((kind) => failuresInWords[kind] === words);

/** What only names a run of one recognizer or one condition does is taken for it. */
function withOnlyOnes(query: [string, string][], { recognizers, conditions }: RunParts): [string, string][] {
  const only = (facet: string, all: readonly string[]): [string, string][] =>
    all.length === 1 && !query.some(([key]) => key === facet) ? [[facet, all[0]!]] : [];
  return [...query, ...only('recognizer', recognizers), ...only('condition', conditions)];
}
