import { badInput } from '../base/errors.ts';
import type { Corpus } from '../corpora/contract.ts';
import type { Utterance } from '../model/utterance.ts';
import type { Journal, RunReader } from '../store/contract.ts';

const chunkSize = 500;

/** Copies the corpus's list of utterances into the run, so that it can be reported without the corpus. Goes on where it was. */
export async function snapshotUtterances(
  store: Journal & RunReader,
  runId: string,
  corpus: Corpus,
  signal: AbortSignal,
): Promise<void> {
  const run = store.run(runId)!;
  if (run.utterancesComplete) return;
  let position = 0;
  let chunk: Utterance[] = [];
  const flush = () => {
    store.addUtterances(runId, position - chunk.length, chunk);
    chunk = [];
  };
  for await (const utterance of corpus.utterances()) {
    signal.throwIfAborted();
    if (position++ < run.utteranceCount) continue;
    chunk.push(utterance);
    if (chunk.length === chunkSize) flush();
  }
  flush();
  if (position === 0) {
    throw badInput('expected a corpus with utterances, but it has none; check its file or folder and `select`');
  }
  store.completeUtterances(runId);
}

/** The collected utterances of a run, in order, a page at a time. */
export async function* storedUtterances(store: RunReader, runId: string): AsyncGenerator<Utterance> {
  const count = store.run(runId)!.utteranceCount;
  for (let from = 0; from < count; from += chunkSize) {
    yield* store.utterances(runId, { from, limit: Math.min(chunkSize, count - from) });
  }
}

/** Utterances by their position, and positions by their ids, with a few pages kept. */
export interface UtteranceIndex {
  at(position: number): Utterance;
  position(id: string): number;
  /** The same of an utterance that a study asks about: one that the study made gets a place behind the others. */
  place(utterance: Utterance): number;
  /** Keeps those that got a place since; said before anything that names their positions is kept. */
  keepMade(): void;
}

const keptPages = 16;

export function createUtteranceIndex(store: Journal & RunReader, runId: string): UtteranceIndex {
  const pages = new Map<number, readonly Utterance[]>();
  const positions = new Map<string, number>();
  for (let from = 0; ; from += chunkSize) {
    const page = store.utterances(runId, { from, limit: chunkSize });
    page.forEach(({ id }, index) => {
      positions.set(id, from + index);
    });
    if (page.length < chunkSize) break;
  }

  let made: Utterance[] = [];
  const position = (id: string): number => {
    const known = positions.get(id);
    if (known === undefined) throw new Error(`a study asked about ${id}, which is not in the run`);
    return known;
  };

  return {
    position,
    place(utterance) {
      const known = positions.get(utterance.id);
      if (utterance.made === undefined || known !== undefined) return known ?? position(utterance.id);
      position(utterance.made.from);
      positions.set(utterance.id, positions.size);
      made.push(utterance);
      return positions.size - 1;
    },
    keepMade() {
      if (made.length === 0) return;
      const first = positions.size - made.length;
      store.addUtterances(runId, first, made);
      // Pages that ended there are longer now.
      for (const number of [...pages.keys()]) if (number >= Math.floor(first / chunkSize)) pages.delete(number);
      made = [];
    },
    at(position) {
      const number = Math.floor(position / chunkSize);
      let page = pages.get(number);
      if (!page) {
        page = store.utterances(runId, { from: number * chunkSize, limit: chunkSize });
        pages.set(number, page);
        if (pages.size > keptPages) pages.delete(pages.keys().next().value!);
      }
      return page[position - number * chunkSize]!;
    },
  };
}
