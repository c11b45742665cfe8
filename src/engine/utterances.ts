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

/** Utterances by their position, and positions by their ids, with a few pages kept: memory does not grow with the corpus. */
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
  /** Of the utterances of those pages. */
  const positions = new Map<string, number>();
  const forget = (number: number) => {
    for (const { id } of pages.get(number) ?? []) positions.delete(id);
    pages.delete(number);
  };
  const pageOf = (number: number): readonly Utterance[] => {
    const known = pages.get(number);
    if (known !== undefined) return known;
    const page = store.utterances(runId, { from: number * chunkSize, limit: chunkSize });
    pages.set(number, page);
    page.forEach(({ id }, index) => {
      positions.set(id, number * chunkSize + index);
    });
    if (pages.size > keptPages) forget(pages.keys().next().value!);
    return page;
  };

  // Made ones stand behind those that were collected.
  let size = store.run(runId)!.utteranceCount;
  for (let page = chunkSize; page === chunkSize; size += page)
    page = store.utterances(runId, { from: size, limit: chunkSize }).length;
  let made: Utterance[] = [];
  const placed = new Map<string, number>();
  let last = { id: '', position: -1 };
  const known = (id: string): number | null => {
    if (last.id === id) return last.position;
    const found = placed.get(id) ?? positions.get(id) ?? store.positionOf(runId, id);
    if (found === null) return null;
    // Whoever asks in their order asks about those of its page next.
    if (found === last.position + 1 && !positions.has(id)) pageOf(Math.floor(found / chunkSize));
    last = { id, position: found };
    return found;
  };
  const position = (id: string): number => {
    const found = known(id);
    if (found === null) throw new Error(`a study asked about ${id}, which is not in the run`);
    return found;
  };

  return {
    position,
    place(utterance) {
      if (utterance.made === undefined) return position(utterance.id);
      const found = known(utterance.id);
      if (found !== null) return found;
      position(utterance.made.from);
      placed.set(utterance.id, size);
      made.push(utterance);
      return size++;
    },
    keepMade() {
      if (made.length === 0) return;
      const first = size - made.length;
      store.addUtterances(runId, first, made);
      // Pages that ended there are longer now.
      for (const number of [...pages.keys()]) if (number >= Math.floor(first / chunkSize)) forget(number);
      made = [];
      placed.clear();
    },
    at: (position) => pageOf(Math.floor(position / chunkSize))[position % chunkSize]!,
  };
}
