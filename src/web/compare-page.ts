import { messageOf } from '../base/errors.ts';
import { canonicalJson } from '../base/json.ts';
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

/** The page that asks for two sides, with what they differ in; of nobody's choice the two newest runs that differ. */
export async function compareAnswer(url: URL, { store, threads, ofRun }: Compared): Promise<Answer> {
  const [a = '', b = ''] =
    url.searchParams.has('a') || url.searchParams.has('b')
      ? ['a', 'b'].map((side) => url.searchParams.get(side) ?? '')
      : (newestSides(store.runs()) ?? []);
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

/**
 * The newest finished run and the newest before it that asks other recognizers or otherwise, of which both have one by the same name; where
 * there is none, two recognizers of the newest.
 *
 * @param runs newest first
 * @returns null where there are no two sides
 */
export function newestSides(runs: readonly RunRecord[]): readonly [before: string, after: string] | null {
  const [newest, ...older] = runs.filter(({ finishedAtMs }) => finishedAtMs !== null);
  if (newest === undefined) return null;
  const asked = ({ purpose, recognizers }: RunRecord) => canonicalJson({ purpose, recognizers: recognizers as never });
  const names = newest.recognizers.map(({ name }) => name);
  const other = older.find(
    (run) => asked(run) !== asked(newest) && run.recognizers.some(({ name }) => names.includes(name)),
  );
  if (other !== undefined) return [other.id, newest.id];
  const [one, two] = names.map((name) => `${newest.id}:${name}`);
  return one === undefined || two === undefined ? null : [one, two];
}
