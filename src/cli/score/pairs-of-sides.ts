import { EarwitnessError } from '../../base/errors.ts';
import { limitText } from '../../base/printable.ts';
import { createIdRegister } from '../../corpora/shared/utterance-id.ts';
import { shown } from './pairs-of-segments.ts';
import { createLeftovers, type PairSource, plainText, type ScoringPair } from './scoring-pair.ts';
import type { Side, SideText } from './side.ts';
import { speakersIn } from './table.ts';
import { idKeys } from './text-file.ts';

/**
 * The pairs of two files: by id where both name their texts, in the order of the reference; else the first with the first,
 * the second with the second, and as many of one as of the other.
 *
 * @throws EarwitnessError `bad-input`: no texts, not as many of one as of the other, no id in common, an id twice
 */
export function pairsOfSides(reference: Side, hypothesis: Side): PairSource {
  const left = createLeftovers();
  const ids = createIdWatch();
  let byId = false;
  let key: ReturnType<typeof keyFor> = { told: '', of: reference.key };
  const compared = () => {
    const one = reference.unit === 'recordings' || hypothesis.unit === 'recordings';
    const how = byId
      ? `by id${key.told}`
      : one
        ? 'as one text'
        : reference.unit === 'lines'
          ? 'line by line'
          : 'row by row';
    const told = [reference.told(), hypothesis.told()].filter((one) => one !== null);
    return `${reference.name} with ${hypothesis.name}, ${how}${told.length === 0 ? '' : ` (${told.join(', ')})`}${speakersIn(reference.speakerColumn())}`;
  };
  return { pairs: readPairs(), leftovers: () => (byId ? left.leftovers() : null), compared, hints: ids.hints };

  async function* readPairs(): AsyncGenerator<ScoringPair> {
    const texts = [reference.texts(), hypothesis.texts()] as const;
    try {
      const said = await peeked(texts[0]);
      const heard = await peeked(texts[1]);
      if (said.first === null && (heard.first === null || heard.first.id !== null)) {
        throw new EarwitnessError(
          'bad-input',
          `${reference.name}: expected at least one ${reference.unit.slice(0, -1)}, but the file has none`,
        );
      }
      byId = said.first !== null && said.first.id !== null && (heard.first === null || heard.first.id !== null);
      const apart = said.first?.channel !== undefined && heard.first?.channel !== undefined;
      if (byId) key = keyFor(said.some, heard.some, reference.key);
      const [first, second] = apart ? [withChannels(said.all), withChannels(heard.all)] : [said.all, heard.all];
      yield* byId ? pairsById(first, second) : pairsByOrder(first, second);
    } finally {
      // Wherever reading stopped, neither file stays open.
      for (const side of texts) await side.return(undefined);
    }
  }

  async function* pairsByOrder(said: Texts, heard: Texts): AsyncGenerator<ScoringPair> {
    const counts = { said: 0, heard: 0, saidBlank: 0, heardBlank: 0 };
    const next = async (texts: Texts, side: 'said' | 'heard'): Promise<SideText | null> => {
      const result = await texts.next();
      if (result.done) return null;
      counts[side]++;
      if (result.value.text.text.trim() === '') counts[`${side}Blank`]++;
      return result.value;
    };
    for (;;) {
      const [first, second] = [await next(said, 'said'), await next(heard, 'heard')];
      if (first === null && second === null) return;
      if (first === null || second === null) break;
      ids.see(first.text.text, second.text.text);
      yield {
        id: first.id ?? second.id,
        reference: first.text,
        hypothesis: second.text,
        values: first.values,
        attributes: first.attributes,
      };
    }
    while ((await next(said, 'said')) !== null);
    while ((await next(heard, 'heard')) !== null);
    const withText = [counts.said - counts.saidBlank, counts.heard - counts.heardBlank];
    const hint =
      withText[0] === withText[1]
        ? `without blank lines both have ${withText[0]}: take those out`
        : ids.hints().length > 0
          ? 'if each line begins with an id, --ids puts them together by it'
          : 'leave a line blank where nothing was recognized';
    throw new EarwitnessError(
      'bad-input',
      `expected as many ${hypothesis.unit} in ${hypothesis.name} as in ${reference.name}, since they are compared one by one, but it has ${counts.heard} and ${reference.name} has ${counts.said}; ${hint}`,
    );
  }

  /** Files in the same order are read side by side, and only what is out of order waits in memory. */
  async function* pairsById(said: Texts, heard: Texts): AsyncGenerator<ScoringPair> {
    const hypotheses = withOwnIds(heard, hypothesis.name, key.of);
    const waiting = new Map<string, SideText>();
    let matched = 0;

    const hypothesisOf = async (wanted: string): Promise<SideText | null> => {
      const before = waiting.get(wanted);
      if (before !== undefined) {
        waiting.delete(wanted);
        return before;
      }
      for (;;) {
        const next = await hypotheses.next();
        if (next.done) return null;
        if (key.of(next.value.id!) === wanted) return next.value;
        waiting.set(key.of(next.value.id!), next.value);
      }
    };

    for await (const { id, text, values, attributes } of withOwnIds(said, reference.name, key.of)) {
      const found = await hypothesisOf(key.of(id!));
      if (found === null) left.missing.add(id!);
      else matched++;
      yield {
        id,
        reference: text,
        hypothesis: found === null ? plainText('') : found.text,
        ...(found === null ? { missing: true } : {}),
        values,
        attributes,
      };
    }
    for (const { id } of waiting.values()) left.unmatched.add(id!);
    for await (const { id } of hypotheses) left.unmatched.add(id!);
    if (matched === 0 && left.unmatched.count > 0) {
      throw new EarwitnessError(
        'bad-input',
        `${hypothesis.name}: expected the ids of ${reference.name} (such as ${shown(left.missing.first[0] ?? '')}), but none of them is there (it has ${shown(left.unmatched.first[0]!)}); do the files belong together?`,
      );
    }
  }
}

type Texts = AsyncGenerator<SideText>;

/** Where both files say the channel, it is a part of the id. */
async function* withChannels(texts: Texts): Texts {
  for await (const text of texts) {
    const { id, channel } = text;
    yield id === null || channel === undefined ? text : { ...text, id: `${id}#${channel}` };
  }
}

/** So many ids tell how those of two files are to be compared. */
const maxPeeked = 1000;

interface Peeked {
  readonly first: SideText | null;
  /** Some ids, the first of the file. */
  readonly some: readonly string[];
  readonly all: Texts;
}

async function peeked(texts: Texts): Promise<Peeked> {
  const first: SideText[] = [];
  for (let next = await texts.next(); !next.done; next = await texts.next()) {
    first.push(next.value);
    // By order nothing is to be known beforehand.
    if (first.length === maxPeeked || next.value.id === null) break;
  }
  async function* all(): Texts {
    yield* first;
    yield* texts;
  }
  return { first: first[0] ?? null, some: first.flatMap(({ id }) => id ?? []), all: all() };
}

/**
 * The strictest way to compare ids by which two files have most in common, and each has them once.
 *
 * @param same what makes ids of this kind of file the same
 */
function keyFor(
  said: readonly string[],
  heard: readonly string[],
  same: (id: string) => string,
): { readonly told: string; of(id: string): string } {
  const ways = idKeys.map(({ told, of }) => ({ told, of: (id: string) => same(of(id)) }));
  const common = ({ of }: (typeof ways)[number]) => {
    const [one, other] = [new Set(said.map(of)), new Set(heard.map(of))];
    const areDistinct = one.size === new Set(said).size && other.size === new Set(heard).size;
    return areDistinct ? one.intersection(other).size : -1;
  };
  return ways.reduce((best, way) => (common(way) > common(best) ? way : best));
}

async function* withOwnIds(texts: Texts, name: string, key: (id: string) => string): Texts {
  const ids = createIdRegister();
  for await (const text of texts) {
    const before = ids.add(key(text.id!), text.line);
    if (before !== null) {
      throw new EarwitnessError(
        'bad-input',
        `${name}:${text.line}:1: expected different ids, but ${JSON.stringify(limitText(text.id!, 100))} stands in line ${before} too${key('A') === 'A' ? '' : ' (letter case does not count)'}; rename one or take it out`,
      );
    }
    yield text;
  }
}

/** So many first words tell whether they are ids. */
const maxWatched = 1000;

/** Looks out for files whose lines begin with ids: words with a digit, none of them twice, the same in both. */
function createIdWatch(): { see(reference: string, hypothesis: string): void; hints(): readonly string[] } {
  const said = new Set<string>();
  const heard = new Set<string>();
  let seen = 0;
  let possible = true;
  return {
    see(reference, hypothesis) {
      if (!possible || seen === maxWatched) return;
      seen++;
      const [first, second] = [reference, hypothesis].map((line) => /^\S*\d\S*/.exec(line)?.[0]);
      if (first === undefined || second === undefined) possible = false;
      else {
        said.add(first);
        heard.add(second);
        possible = said.size === seen && heard.size === seen;
      }
    },
    hints() {
      const common = possible && seen > 1 ? [...said].filter((id) => heard.has(id)).length : 0;
      if (common * 2 < seen || common === 0) return [];
      const [example] = said;
      return [
        `every line begins with a word of its own, such as ${shown(example!)}, and both files have the same: counted as words here; if they are ids, --ids leaves them out and puts the files together by them`,
      ];
    },
  };
}
