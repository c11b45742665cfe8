import { createClosing } from '../../base/closing.ts';
import { badConfig, badInput, type EarwitnessError } from '../../base/errors.ts';
import { printable } from '../../base/printable.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Corpus } from '../contract.ts';
import { createIdRegister } from './utterance-id.ts';

/**
 * Several corpora as one: all utterances of the first, then all of the second, and so on. Sounds are asked of the corpus
 * that an utterance came from, which is remembered in 16 bytes for each.
 *
 * @throws EarwitnessError `bad-config`, while utterances are read: an id that two of them have
 * @example joinCorpora([recordings, select(spoken, { sample: 20 })])
 */
export function joinCorpora(corpora: readonly Corpus[]): Corpus {
  const origins = createIdRegister();
  let wholePass: Promise<void> | null = null;

  async function* utterances(): AsyncGenerator<Utterance> {
    for (const [number, corpus] of corpora.entries()) {
      for await (const utterance of corpus.utterances()) {
        const before = origins.add(utterance.id, number);
        if (before !== null && before !== number) throw doubled(utterance.id, before, number);
        yield utterance;
      }
    }
  }

  /** A run that goes on knows its utterances without having read the corpora: then they are read once for this. */
  async function origin({ id: own, made }: Utterance): Promise<Corpus> {
    const id = made?.from ?? own;
    const known = origins.find(id);
    if (known !== null) return corpora[known]!;
    wholePass ??= (async () => {
      for await (const _ of utterances());
    })();
    await wholePass;
    const found = origins.find(id);
    if (found !== null) return corpora[found]!;
    throw badInput(
      `${printable(id)}: expected an utterance of one of the ${corpora.length} corpora, but none has it any more; start a new run with --new`,
    );
  }

  return {
    utterances,
    soundIdentity: async (utterance) => (await origin(utterance)).soundIdentity(utterance),
    clip: async (utterance) => (await origin(utterance)).clip(utterance),
    async close() {
      await using closing = createClosing();
      for (const corpus of corpora) closing.defer(() => corpus.close());
    },
  };
}

function doubled(id: string, first: number, second: number): EarwitnessError {
  return badConfig(
    `corpus[${second}]: expected ids that no other corpus has, but ${printable(id)} is in corpus[${first}] too; leave it out of one with \`select\`, or give each corpus a folder or list of its own`,
  );
}

/**
 * A corpus whose utterances have attributes in common, over their own: which corpus they are of, where they were recorded.
 *
 * @example withAttributes(meetings, { corpus: 'ami', microphone: 'far' })
 */
export function withAttributes(corpus: Corpus, attributes: Readonly<Record<string, string>>): Corpus {
  return {
    async *utterances() {
      for await (const utterance of corpus.utterances()) {
        yield { ...utterance, attributes: { ...utterance.attributes, ...attributes } };
      }
    },
    soundIdentity: (utterance) => corpus.soundIdentity(utterance),
    clip: (utterance) => corpus.clip(utterance),
    close: () => corpus.close(),
  };
}
