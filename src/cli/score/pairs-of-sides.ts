import { EarwitnessError } from '../../base/errors.ts';
import { limitText } from '../../base/printable.ts';
import { createIdRegister } from '../../corpora/shared/utterance-id.ts';
import { listed } from '../../studies/shared/wording.ts';
import { shown } from './pairs-of-segments.ts';
import { createLeftovers, type PairSource, plainText, type ScoringPair } from './scoring-pair.ts';
import type { Side, SideText } from './side.ts';
import { speakersIn } from './table.ts';

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
  const compared = () =>
    `${reference.name} with ${hypothesis.name}, ${byId ? 'by id' : reference.unit === 'lines' ? 'line by line' : 'row by row'}${speakersIn(reference.speakerColumn())}`;
  return { pairs: readPairs(), leftovers: () => (byId ? left.leftovers() : null), compared, hints };

  function hints(): readonly string[] {
    const differ = byId ? differenceOf(left.missing.first, left.unmatched.first) : null;
    return [...ids.hints(), ...(differ === null ? [] : [`${differ}: write them alike in both files`])];
  }

  async function* readPairs(): AsyncGenerator<ScoringPair> {
    const texts = [reference.texts(), hypothesis.texts()] as const;
    try {
      const said = await peeked(texts[0]);
      const heard = await peeked(texts[1]);
      if (said.first === null && (heard.first === null || heard.first.id !== null)) {
        throw new EarwitnessError(
          'bad-input',
          `${reference.name}: expected at least one ${{ lines: 'line', rows: 'row', utterances: 'utterance' }[reference.unit]}, but the file has none`,
        );
      }
      byId = said.first !== null && said.first.id !== null && (heard.first === null || heard.first.id !== null);
      const apart = said.first?.channel !== undefined && heard.first?.channel !== undefined;
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
    const hypotheses = withOwnIds(heard, hypothesis);
    const waiting = new Map<string, SideText>();
    let matched = 0;

    const hypothesisOf = async (key: string): Promise<SideText | null> => {
      const before = waiting.get(key);
      if (before !== undefined) {
        waiting.delete(key);
        return before;
      }
      for (;;) {
        const next = await hypotheses.next();
        if (next.done) return null;
        if (reference.key(next.value.id!) === key) return next.value;
        waiting.set(reference.key(next.value.id!), next.value);
      }
    };

    for await (const { id, text, values, attributes } of withOwnIds(said, reference)) {
      const found = await hypothesisOf(reference.key(id!));
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
        `${hypothesis.name}: expected the ids of ${reference.name} (such as ${shown(left.missing.first[0] ?? '')}), but none of them is there (it has ${shown(left.unmatched.first[0]!)}); ${differenceOf(left.missing.first, left.unmatched.first) ?? 'do the files belong together?'}`,
      );
    }
  }
}

/** Ways in which ids that mean the same are written differently, as people say them. */
const writings: readonly (readonly [difference: string, plain: (id: string) => string])[] = [
  ['the form of their letters (Unicode NFC and NFD)', (id) => id.normalize('NFC')],
  ['letter case', (id) => id.toLowerCase()],
  ['an ending of audio files', (id) => id.replace(/\.(?:wav|flac|mp3|ogg|opus|m4a|webm)$/i, '')],
];

/**
 * In what ids of one file that the other lacks differ from its own; null where they differ in more than writing.
 *
 * @example differenceOf(['a1'], ['a1.wav']) // '"a1" and "a1.wav" differ only in an ending of audio files'
 */
function differenceOf(missing: readonly string[], unmatched: readonly string[]): string | null {
  const plain = (id: string) => writings.reduce((text, [, change]) => change(text), id);
  const others = new Map(unmatched.map((id) => [plain(id), id]));
  const pairs = missing.flatMap((id) => (others.has(plain(id)) ? [[id, others.get(plain(id))!] as const] : []));
  const [first] = pairs;
  if (first === undefined) return null;
  const ways = writings.filter(([, change]) => {
    const others = writings.filter(([, other]) => other !== change);
    const without = (id: string) => others.reduce((text, [, other]) => other(text), id);
    return pairs.some(([one, other]) => without(one) !== without(other));
  });
  return `${shown(first[0])} and ${shown(first[1])} differ only in ${listed(ways.map(([difference]) => difference))}`;
}

type Texts = AsyncGenerator<SideText>;

/** Where both files say the channel, it is a part of the id. */
async function* withChannels(texts: Texts): Texts {
  for await (const text of texts) {
    const { id, channel } = text;
    yield id === null || channel === undefined ? text : { ...text, id: `${id}#${channel}` };
  }
}

async function peeked(texts: Texts): Promise<{ readonly first: SideText | null; readonly all: Texts }> {
  const { done, value } = await texts.next();
  const first = done ? null : value;
  async function* all(): Texts {
    if (first !== null) yield first;
    yield* texts;
  }
  return { first, all: all() };
}

async function* withOwnIds(texts: Texts, { name, key }: Side): Texts {
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
