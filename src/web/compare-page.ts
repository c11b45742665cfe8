import { messageOf } from '../base/errors.ts';
import { formatFixed } from '../base/number-format.ts';
import { limitText } from '../base/printable.ts';
import { html, trusted } from '../report/html/markup.ts';
import { findRun } from '../session/stored/which-run.ts';
import type { RunReader, RunRecord } from '../store/contract.ts';
import type { Answer } from './frame.ts';
import type { IndexOf } from './index-columns.ts';
import type { WebThreads } from './threads.ts';

const maxOffered = 200;

interface Compared {
  readonly store: RunReader;
  readonly threads: Pick<WebThreads, 'comparison'>;
  /** What is made of a run as it is now. */
  ofRun(run: RunRecord): IndexOf;
}

/** The page that asks for two sides, with what they differ in once both are named. */
export async function compareAnswer(url: URL, { store, threads, ofRun }: Compared): Promise<Answer> {
  const [a, b] = [url.searchParams.get('a') ?? '', url.searchParams.get('b') ?? ''];
  const form = sidesForm(store.runs().slice(0, maxOffered), a, b);
  if (a === '' || b === '') return { page: { title: 'Compare' }, content: form };
  const sideOf = (text: string) => {
    const [wanted = '', ...recognizer] = text.split(':');
    const run = findRun(store, wanted);
    return { of: ofRun(run), side: [run.id, ...recognizer].join(':') };
  };
  try {
    const [before, after] = [sideOf(a), sideOf(b)];
    const of: IndexOf = {
      ...before.of,
      run: `${before.side} ${after.side}`,
      answered: before.of.answered + after.of.answered,
      state: `${before.of.answered} ${before.of.state} ${after.of.state}`,
    };
    const sides = { before: before.side, after: after.side };
    const { value, making, failed } = await threads.comparison(of, sides);
    if (value !== null)
      return { page: { title: 'Compare', scripts: ['report.js'] }, content: html`${form}${trusted(value)}` };
    if (failed !== null) throw new Error(failed);
    const told = `The two are compared for the first time: ${formatFixed(making ?? 0, 0)} pairs of answers are read.`;
    return {
      page: { title: 'Compare', again: true },
      content: html`${form}<p role="status">${told} This page reloads by itself.</p>`,
    };
  } catch (error) {
    const content = html`${form}<p class="text"><bdi>${limitText(messageOf(error), 1000)}</bdi></p>`;
    return { page: { title: 'Compare' }, content, status: 400 };
  }
}

function sidesForm(runs: readonly RunRecord[], a: string, b: string) {
  const choice = (name: string, chosen: string, label: string) =>
    html`<label>${label} <select name="${name}">${runs.flatMap((run) => [
      html`<option value="${run.id}"${chosen === run.id && html` selected`}>${limitText(run.name, 60)}, ${run.id}</option>`,
      ...run.recognizers.map(
        (one) =>
          html`<option value="${run.id}:${one.name}"${chosen === `${run.id}:${one.name}` && html` selected`}>${limitText(run.name, 60)}, ${run.id}: ${limitText(one.name, 60)}</option>`,
      ),
    ])}</select></label>`;
  return html`<form method="get" action="/compare" class="controls">${choice('a', a, 'Before')} ${choice('b', b, 'after')} <button>Compare</button></form>`;
}
