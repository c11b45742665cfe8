import { EarwitnessError } from '../../base/errors.ts';
import { limitText } from '../../base/limit-text.ts';
import { createIdRegister, type IdRegister } from '../../corpora/shared/id-register.ts';
import { readTextLines } from '../../corpora/shared/text-lines.ts';
import { foldCase } from '../../scoring/transcript-files/fold-case.ts';
import { readTrn, type TrnUtterance } from '../../scoring/transcript-files/read-trn.ts';
import { shown } from './pairs-of-segments.ts';
import { createLeftovers, type PairSource, plainText, type ScoringPair, type ScoringText } from './scoring-pair.ts';

/**
 * The pairs of two trn files, put together by id without regard to letter case (as NIST's sclite does), in the order of the
 * reference. Files in the same order are read side by side, and only what is out of order waits in memory.
 */
export function pairsOfTrn(reference: string, hypothesis: string): PairSource {
  const { missing, strangers, leftovers } = createLeftovers();
  return { pairs: readPairs(), leftovers };

  async function* readPairs(): AsyncGenerator<ScoringPair> {
    const hypotheses = withOwnIds(hypothesis);
    const waiting = new Map<string, TrnUtterance>();
    let matched = 0;
    let references = 0;

    const hypothesisOf = async (key: string): Promise<TrnUtterance | null> => {
      const before = waiting.get(key);
      if (before !== undefined) {
        waiting.delete(key);
        return before;
      }
      for (;;) {
        const next = await hypotheses.next();
        if (next.done) return null;
        if (foldCase(next.value.id) === key) return next.value;
        waiting.set(foldCase(next.value.id), next.value);
      }
    };

    for await (const utterance of withOwnIds(reference)) {
      references++;
      const found = await hypothesisOf(foldCase(utterance.id));
      if (found === null) missing.add(utterance.id);
      else matched++;
      const { id, speaker } = utterance;
      yield {
        id,
        reference: textOf(utterance, reference),
        hypothesis: found === null ? plainText('') : textOf(found, hypothesis),
        ...(found === null ? { missing: true } : {}),
        values: (attribute) => (attribute === 'speaker' && speaker !== null ? [speaker] : []),
        attributes: () => (speaker === null ? {} : { speaker }),
      };
    }
    for (const { id } of waiting.values()) strangers.add(id);
    for await (const { id } of hypotheses) strangers.add(id);
    if (references === 0)
      throw new EarwitnessError('bad-input', `${reference}: expected at least one utterance, but the file has none`);
    if (matched === 0 && strangers.count > 0) {
      throw new EarwitnessError(
        'bad-input',
        `${hypothesis}: expected the ids of ${reference} (such as ${shown(missing.first[0] ?? '')}), but none of them is there (it has ${shown(strangers.first[0]!)}); do the files belong together?`,
      );
    }
  }
}

function textOf({ text, line, column }: TrnUtterance, file: string): ScoringText {
  return { text, alternatives: true, place: () => ({ where: `${file}:${line}`, column }) };
}

async function* withOwnIds(file: string): AsyncGenerator<TrnUtterance> {
  const ids: IdRegister = createIdRegister();
  for await (const utterance of readTrn(readTextLines(file, file), file)) {
    const before = ids.add(foldCase(utterance.id), utterance.line);
    if (before !== null) {
      throw new EarwitnessError(
        'bad-input',
        `${file}:${utterance.line}:1: expected different ids, but ${JSON.stringify(limitText(utterance.id, 100))} stands in line ${before} too (letter case does not count); rename one or take it out`,
      );
    }
    yield utterance;
  }
}
