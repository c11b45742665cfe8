import { formatFixed } from '../base/number-format.ts';
import { limitText } from '../base/printable.ts';
import { clean } from '../model/trial.ts';
import { html, type Markup, trusted } from '../report/html/markup.ts';
import { findRun } from '../session/stored/which-run.ts';
import type { RunRecord, Store } from '../store/contract.ts';
import { createAudioAnswers } from './audio.ts';
import { compareAnswer } from './compare-page.ts';
import { exportLines } from './export-trials.ts';
import { type Answer, assetAt, notFound, pageText, viewStyle } from './frame.ts';
import { heardIn } from './heard.ts';
import { href, served } from './links.ts';
import { liveBox, tellProgress } from './live.ts';
import { runPage } from './run-page.ts';
import { runsPage } from './run-summary.ts';
import { answeredIn, indexOfRun, withRunsRead } from './stored-run.ts';
import { createWebThreads } from './threads.ts';
import type { TrialIndex } from './trial-index.ts';
import { type Heard, trialPage } from './trial-page.ts';
import { clipName, neighbourLinks, readQuery, skipToTrials, trialsPage, wordsPage, writeQuery } from './trials-page.ts';
import { createWorkersWatch, tellWorkersSeen, workersAnswer } from './workers-page.ts';

const runsPerPage = 50;

export interface SiteOptions {
  readonly store: Store;
  readonly storeFile: string;
  /** Whether audio may be made. */
  readonly audio: boolean;
  /** Is told now and then how many trials of a run are scored that are scored for the first time, and at its end. */
  scored?(done: number, of: number): void;
}

const scripts = ['report', 'explorer', 'player', 'search', 'live', 'again'] as const;

interface Site extends AsyncDisposable {
  /** @param url an address that the guard let pass */
  answer(url: URL): Promise<Answer>;
  /**
   * Answers what is asked first, to nobody: what is kept of a run is read by then, and the code of the pages compiled, which takes longer than
   * the answers of a million trials.
   *
   * @param first the page that is opened first
   */
  warmUp(first: URL): Promise<void>;
}

/** All pages, by their addresses. */
export function createSite({ store: given, storeFile, audio, scored }: SiteOptions): Site {
  const store = withRunsRead(given);
  const threads = createWebThreads(storeFile, { scored });
  const workers = createWorkersWatch(storeFile);
  const answeredKept = new Map<string, number>();
  const sounds = createAudioAnswers(threads, audio);

  const answeredOf = (run: RunRecord): number => {
    const key = `${run.id} ${run.finishedAtMs} ${run.forgottenAtMs}`;
    const count = answeredKept.get(key) ?? answeredIn(store, run.id);
    if (run.finishedAtMs !== null) answeredKept.set(key, count);
    return count;
  };
  const ofRun = (run: RunRecord) => indexOfRun(store, run, answeredOf(run));

  /** Of a run of another store it is named by somebody else's config. */
  const hasAudio = (run: RunRecord) =>
    !run.merged && store.utterances(run.id, { from: 0, limit: 50 }).some(({ sound }) => sound !== undefined);

  const runs = async (url: URL): Promise<Answer> => {
    const all = store.runs();
    const pages = Math.max(1, Math.ceil(all.length / runsPerPage));
    const page = pageNumber(url, pages);
    const shown = all.slice((page - 1) * runsPerPage, page * runsPerPage);
    const lines = await Promise.all(
      shown.map(async (run) => ({ run, summary: (await threads.summary(ofRun(run))).value })),
    );
    const waits = lines.some(({ summary }) => summary === null);
    return {
      page: { title: 'Runs', ...(waits && { again: true }) },
      content: html`${runsPage(lines, { page, pages, links: served })}${workers !== null && html`<p><a href="/workers">Workers</a></p>`}`,
    };
  };

  const found = async (run: RunRecord): Promise<Answer> => {
    const trail = [{ title: run.name, href: served.run(run.id) }];
    if (run.finishedAtMs === null) {
      const unfinished = html`${liveBox(run.id, workers !== null)}<p class="text">It is not finished. Verdicts stand here when every clip is answered: read before, they would be wrong more often than they say.</p>`;
      const content = runPage({
        run,
        summary: null,
        findings: null,
        warnings: [],
        parts: null,
        links: served,
        unfinished,
      });
      return { page: { title: run.name, trail, scripts: ['live.js'] }, content };
    }
    const { value, failed } = await threads.page(ofRun(run));
    // Whoever looks at findings looks at trials next.
    threads.index(ofRun(run)).catch(() => {});
    const place = { title: run.name, trail, scripts: ['report.js'] };
    if (value !== null) return { page: place, content: trusted(value) };
    return {
      page: { ...place, ...(failed === null && { again: true as const }) },
      content: notYet(failed, 'The page cannot be written', 'The page of this run is written for the first time.'),
    };
  };

  const withIndex = async (
    run: RunRecord,
    title: string,
    make: (index: TrialIndex, newer: boolean) => Answer | Promise<Answer>,
  ): Promise<Answer> => {
    const { value: index, making, failed } = await threads.index(ofRun(run));
    if (index !== null) return make(index, making !== null);
    const trail = [{ title: run.name, href: `/runs/${run.id}` }];
    const told = `Trials are scored for the first time: ${formatFixed(making ?? 0, 0)} done.`;
    const content = notYet(failed, 'The trials cannot be scored', told);
    return { page: { title, trail, ...(failed === null && { again: true as const }) }, content };
  };

  const trials = (run: RunRecord, url: URL) =>
    withIndex(run, 'Trials', (index, newer) => {
      const query = readQuery(url.searchParams);
      const page = pageNumber(url, Number.MAX_SAFE_INTEGER);
      const content = html`${run.finishedAtMs === null && liveBox(run.id, workers !== null)}${trialsPage({ run: run.id, links: served, index, query, page, newer, transcripts: true, audio: audio && hasAudio(run), ...heardIn(store, run.id, index), finished: run.finishedAtMs !== null })}`;
      const scripts = ['explorer.js', 'search.js', ...(run.finishedAtMs === null ? ['live.js'] : [])];
      return {
        page: {
          title: 'Trials',
          trail: [{ title: run.name, href: `/runs/${run.id}` }],
          ...{ scripts, wide: true, skip: skipToTrials },
        },
        content,
      };
    });

  const words = (run: RunRecord, url: URL) =>
    withIndex(run, 'Confused words', (index) => {
      const query = readQuery(url.searchParams);
      const list = href(`/runs/${run.id}/trials`, writeQuery(query));
      const trail = [
        { title: run.name, href: `/runs/${run.id}` },
        { title: 'Trials', href: list },
      ];
      return {
        page: { title: 'Confused words', trail },
        content: wordsPage(index.select(query), { run: run.id, query, links: served }),
      };
    });

  const exported = (run: RunRecord, url: URL, form: 'csv' | 'jsonl') =>
    withIndex(run, 'Export', (index) => {
      const selection = index.select(readQuery(url.searchParams));
      const type = form === 'csv' ? 'text/csv; charset=utf-8' : 'application/jsonl; charset=utf-8';
      return {
        type,
        name: `trials-${run.id}.${form}`,
        lines: exportLines(index, selection.all(), store, run, form),
      };
    });

  const trial = (run: RunRecord, name: string, url: URL) =>
    withIndex(run, 'Trial', (index) => {
      if (!/^\d{1,9}(\.\d{1,9}){3}$/.test(name)) return notFound('There is no such trial in this run.');
      const [position = 0, condition = 0, draw = 0, repeat = 0] = name.split('.').map(Number);
      const { columns, header } = index;
      const first = firstRow(columns.utterance, position);
      const [utterance] = store.utterances(run.id, { from: position, limit: 1 });
      const { heard } = heardIn(store, run.id, index);
      const [answers, before]: [Heard[], Heard[]] = [[], []];
      const others = new Map<string, string>();
      for (let row = first; row < header.rows && columns.utterance[row] === position; row++) {
        const conditionName = header.conditions[columns.condition[row]!]!;
        const called = header.called[columns.condition[row]!]!;
        if (!others.has(called)) others.set(called, served.trial(run.id, clipName(index, row), []));
        if (columns.repeat[row] !== repeat) continue;
        const isOwn = columns.condition[row] === condition && columns.draw[row] === draw;
        if (!isOwn && conditionName !== clean.name) continue;
        (isOwn ? answers : before).push(heard(row));
      }
      if (answers.length === 0 || utterance === undefined) return notFound('There is no such trial in this run.');
      const conditionName = header.conditions[condition]!;
      const query = readQuery(url.searchParams);
      const at = url.searchParams.has('at') ? Number(url.searchParams.get('at')) : null;
      const wanted = { position, conditionName, draw };
      const page = trialPage({
        about: [
          ...(utterance.speaker === undefined ? [] : [['speaker', utterance.speaker] as const]),
          ['language', utterance.language],
          ...Object.entries(utterance.attributes),
        ],
        ...{
          language: utterance.language,
          reference: utterance.reference ?? null,
          draw,
          repeat,
          answers,
          before,
          transcripts: true,
        },
        condition: store.conditions(run.id).find((one) => one.name === conditionName) ?? {
          ...clean,
          name: conditionName,
        },
        called: header.called[condition]!,
        audio: audio && utterance.sound !== undefined ? sounds.address(run.id, wanted) : null,
        withoutAudio: 'Only names and transcripts are known: there is no audio.',
        ...neighbourLinks(index, query, { at, run: run.id, links: served }),
        others: [...others].map(([name, href]) => ({ name, href })),
      });
      const trail = [
        { title: run.name, href: `/runs/${run.id}` },
        { title: 'Trials', href: `/runs/${run.id}/trials` },
      ];
      return {
        page: {
          title: `${utterance.id}, ${header.called[condition]!}`,
          trail,
          scripts: ['player.js'],
          wide: true as const,
        },
        content: page,
      };
    });

  /** From what an example is called to where its trial is. */
  const clipPage = (run: RunRecord, url: URL): Answer => {
    const wanted = url.searchParams;
    const condition = store.conditions(run.id).findIndex(({ name }) => name === wanted.get('condition'));
    const position = store.positionOf(run.id, wanted.get('utterance') ?? '');
    if (condition < 0 || position === null) return notFound('There is no such clip in this run.');
    return { to: served.trial(run.id, `${position}.${condition}.${Number(wanted.get('draw') ?? 0)}.0`, []) };
  };

  /** Every page searches: a run's own trials, and where there is no run those of the newest. */
  const answer = async (url: URL): Promise<Answer> => {
    const found = await answerTo(url);
    if (!('page' in found) || found.page.scripts?.includes('explorer.js')) return found;
    const own = store.runs().find(({ id }) => id === url.pathname.split('/')[2]) ?? null;
    const run = own ?? store.runs()[0];
    if (run === undefined) return found;
    const label = `Search the trials${own === null ? ` of ${limitText(run.name, 60)}` : ''}`;
    return { ...found, page: { ...found.page, search: { href: served.trials(run.id), label } } };
  };

  const answerTo = async (url: URL): Promise<Answer> => {
    const parts = url.pathname.split('/').slice(1).map(decoded);
    const [top, id = '', what, which] = parts;
    if (top === '' || (top === 'runs' && parts.length === 1)) return top === '' ? { to: '/runs' } : runs(url);
    if (top === 'compare' && parts.length === 1) return compareAnswer(url, { store, threads, ofRun });
    if (top === 'assets') return assetAt(url.pathname, viewStyle, scripts) ?? notFound('There is no such page.');
    if (top === 'audio' && parts.length <= 3) return sounds.answer(id, what);
    if (url.pathname === '/workers' && workers !== null) return workersAnswer(workers);
    if (url.pathname === '/workers/events' && workers !== null)
      return { events: (tell, ended) => tellWorkersSeen(workers, tell, ended) };
    if (top !== 'runs' || parts.length > 4) return notFound('There is no such page.');
    const run = id === 'last' ? findRun(store, 'last') : store.run(id);
    if (run === null || (id !== 'last' && run.id !== id)) return notFound('There is no such run in this store.');
    if (what === undefined) return found(run);
    if (parts.length === 4) return what === 'trials' ? trial(run, which!, url) : notFound('There is no such page.');
    if (what === 'clip') return clipPage(run, url);
    if (what === 'trials') return trials(run, url);
    if (what === 'words') return words(run, url);
    if (what === 'trials.csv' || what === 'trials.jsonl')
      return exported(run, url, what === 'trials.csv' ? 'csv' : 'jsonl');
    if (what === 'events')
      return { events: (tell, ended) => tellProgress({ store, storeFile, threads, workers }, run.id, tell, ended) };
    return notFound('There is no such page.');
  };

  return {
    answer,
    async warmUp(first) {
      const run = store.runs().at(0)?.id;
      const wanted = first.pathname === '/runs' ? run : first.pathname.split('/')[2];
      const list = `/runs/${wanted}/trials`;
      const paths =
        wanted === undefined
          ? []
          : [
              `/runs/${wanted}`,
              list,
              `${list}?sort=wer`,
              `${list}?search=e`,
              `${list}/0.0.0.0`,
              `/runs/${wanted}/words`,
            ];
      for (const path of [first.pathname, ...paths]) {
        const shown = await answer(new URL(path, first));
        if ('page' in shown) pageText(shown.page, shown.content);
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([threads[Symbol.asyncDispose](), workers?.close()]);
    },
  };
}

/** What a page says that waits for what it shows. */
function notYet(failed: string | null, cannot: string, told: string): Markup {
  return failed === null
    ? html`<p role="status">${told} This page reloads by itself.</p>`
    : html`<p class="text">${cannot}: <bdi>${limitText(failed, 1000)}</bdi></p>`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

function pageNumber(url: URL, pages: number): number {
  const page = Number(url.searchParams.get('page') ?? 1);
  return Number.isInteger(page) && page >= 1 ? Math.min(page, pages) : 1;
}

function firstRow(utterances: Uint32Array, position: number): number {
  let [low, high] = [0, utterances.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (utterances[middle]! < position) low = middle + 1;
    else high = middle;
  }
  return low;
}
