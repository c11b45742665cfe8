import { badInput, type EarwitnessError } from '../../base/errors.ts';
import { firstOf } from '../../base/first-of.ts';
import { limitText } from '../../base/printable.ts';
import { createIdRegister } from '../../corpora/shared/utterance-id.ts';
import { channelsIn, type IdKey, keyFor, peeked } from './looked-at.ts';
import { numberedLines, refuseOtherRows, refuseOtherWords, rowsLookedAt } from './other-order.ts';
import { channelsCalled, shown } from './pairs-of-segments.ts';
import { createLeftovers, type PairSource, plainText, type ScoringPair } from './scoring-pair.ts';
import { sharedId } from './shared-id.ts';
import type { Side } from './side.ts';
import { alone, type SideText } from './side-text.ts';
import { speakersIn } from './table-row.ts';
import { nameOfPath } from './text-file.ts';
import { type WordsAlone, wordsAlone } from './words-alone.ts';

/**
 * The pairs of two files: by id where both name their texts, in the order of the reference; else, of tables, by the column that names the same in both,
 * whatever it is called; else the first with the first, the second with the second, and as many of one as of the other.
 *
 * @param idColumn what the options call the column of ids
 * @throws EarwitnessError `bad-input`: no texts, not as many of one as of the other, few ids in common, an id twice; tables that would be paired by
 *   position, where what stands beside the texts says otherwise
 */
export function pairsOfSides(reference: Side, hypothesis: Side, idColumn?: string): PairSource {
  const names = { reference: reference.name, hypothesis: hypothesis.name };
  const left = createLeftovers();
  let byId = false;
  let found: string | null = null;
  let channels: string | null = null;
  let common = 0;
  let key: IdKey = { told: '', said: reference.key, heard: reference.key, byPath: [false, false] };
  const put = () => {
    if (found !== null && !byId) return `by ${found}`;
    const called = channels === null ? '' : ` (${channels})`;
    if (byId) return `by ${found ?? `${key.byPath.includes(true) ? 'path' : 'id'}${key.told}`}${called}`;
    if (reference.unit === 'recordings' || hypothesis.unit === 'recordings') return 'as one text';
    return reference.unit === 'lines' && hypothesis.unit === 'lines'
      ? 'line by line'
      : 'paired by position, row by row';
  };
  const words: { reference: WordsAlone | null; hypothesis: WordsAlone | null } = { reference: null, hypothesis: null };
  const speakers = () => speakersIn(reference.speakerColumn());
  const compared = () => {
    const told = [...new Set([toldOf(reference, words.reference), toldOf(hypothesis, words.hypothesis)])].filter(
      (one) => one !== null,
    );
    const other = reference.name === hypothesis.name ? 'itself' : hypothesis.name;
    return `${reference.name} with ${other}, ${put()}${told.length === 0 ? '' : ` (${told.join(', ')})`}${speakers()}`;
  };
  const taken = () => ({
    how: `${put()}${speakers()}`,
    reference: reference.columns()?.text ?? toldOf(reference, words.reference),
    hypothesis: hypothesis.columns()?.text ?? toldOf(hypothesis, words.hypothesis),
  });
  return {
    pairs: lookedAt(),
    leftovers: () => (byId || left.unmatched.count > 0 ? left.leftovers() : null),
    compared,
    taken,
  };

  async function* lookedAt(): AsyncGenerator<ScoringPair> {
    const pairs = readPairs();
    try {
      const first: ScoringPair[] = [];
      for (let next = await pairs.next(); !next.done; next = await pairs.next())
        if (first.push(next.value) === rowsLookedAt) break;
      refuseOtherWords(first, { reference, hypothesis, way: byId ? put().slice('by '.length) : found });
      yield* first;
      yield* pairs;
    } finally {
      await pairs.return(undefined);
    }
  }

  async function* readPairs(): AsyncGenerator<ScoringPair> {
    const texts = [reference.texts(), hypothesis.texts()] as const;
    try {
      const looked = (side: Texts) => firstOf(side, (_, count) => count === rowsLookedAt);
      const [one, other] = [await looked(texts[0]), await looked(texts[1])];
      const [first, second] = [one, other].map((side) => side.first.map(({ text }) => text.text));
      words.reference = wordsAlone(first!, second!, reference.name);
      words.hypothesis = wordsAlone(second!, first!, hypothesis.name);
      const said = await peeked(wordsOf(one.all, words.reference));
      const heard = await peeked(wordsOf(other.all, words.hypothesis));
      if (said.first === null && (heard.first === null || heard.first.id !== null)) {
        throw badInput(
          `${reference.name}: expected at least one ${reference.unit.slice(0, -1)}, but the file has none`,
        );
      }
      byId = said.first !== null && said.first.id !== null && (heard.first === null || heard.first.id !== null);
      if (idColumn !== undefined && !byId) {
        const without = said.first?.id === null ? reference : hypothesis;
        throw badInput(
          `${without.name}: expected ids, since --id-column asks to pair by them, but no column is known to have them; call it ${shown(idColumn)} there too, or leave --id-column out`,
        );
      }
      const apart = said.first?.channel !== undefined && heard.first?.channel !== undefined;
      if (byId) ({ common, ...key } = keyFor(said, heard, reference.key, names));
      const hasRows = [said, heard].some(({ first }) => first?.row !== undefined);
      const isNamed = [said, heard].some(({ first }) => first !== null && first.id !== null);
      const isCounted = [said, heard].every(({ some }) => some.every((id, row) => +id === +some[0]! + row));
      const hasTwice = [said, heard].some(({ some, sides }) => new Set(apart ? sides : some).size < some.length);
      const mayDiffer = !byId || (hasRows && (isCounted || hasTwice));
      if ((hasRows || isNamed) && idColumn === undefined && mayDiffer) return yield* pairsOfRows(said.all, heard.all);
      const [own, others] = [byPaths(said.all, key.byPath[0]), byPaths(heard.all, key.byPath[1])];
      const called = apart ? channelsCalled(heard.channels, said.channels, names) : null;
      channels = called?.told ?? null;
      const [saids, heards] = apart ? [withChannels(own), withChannels(others, called?.names)] : [own, others];
      yield* byId ? pairsById(saids, heards) : pairsByOrder(saids, heards);
    } finally {
      // Wherever reading stopped, neither file stays open.
      for (const side of texts) await side.return(undefined);
    }
  }

  /** Tables that no column is known to name: what does is found by all of their values. */
  async function* pairsOfRows(said: Texts, heard: Texts): AsyncGenerator<ScoringPair> {
    const [one, other]: [SideText[], SideText[]] = [[], []];
    for await (const text of said) one.push(text);
    for await (const text of heard) other.push(text);
    const called = channelsCalled(channelsIn(other), channelsIn(one), names);
    const shared = sharedId(one, other, hypothesis.columns()?.text ?? null, called.names);
    if (shared === undefined && byId && common === 0)
      throw otherIds('none of them is', one[0]?.id ?? undefined, other[0]?.id ?? undefined);
    if (shared === undefined && byId) return yield* pairsById(given(one), given(other));
    if (shared === undefined) {
      const numbered = numberedLines(one, other);
      if (numbered !== null) {
        found = numbered.told;
        return yield* pairsByOrder(given(numbered.said), given(numbered.heard));
      }
      refuseOtherRows(one, other, {
        reference: reference.name,
        hypothesis: hypothesis.name,
        text: hypothesis.columns()?.text ?? null,
      });
      return yield* pairsByOrder(given(one), given(other));
    }
    byId = true;
    found = shared.told;
    if (shared.bySide === true) channels = called.told;
    key = { ...key, said: shared.of, heard: shared.of };
    yield* pairsById(given(one, shared.said), given(other, shared.heard));
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
      if (first.isUnknown) {
        left.unmatched.add(first.id ?? `line ${first.line}`);
        continue;
      }
      yield {
        id: first.id ?? second.id,
        line: first.line,
        reference: first.text,
        hypothesis: second.text,
        ...(second.ownReference !== undefined && { ownReference: second.ownReference }),
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
        : hypothesis.unit === 'rows' || reference.unit === 'rows'
          ? 'no column has the same ids in both: name it with --id-column, or leave a text empty where nothing was recognized'
          : counts.heard === 1 || counts.said === 1
            ? `write each utterance on a line of its own${words.reference?.told == null && words.hypothesis?.told == null ? ', or put all of both on one line to compare them as one text' : ' in both'}`
            : 'leave a line blank where nothing was recognized (lines that begin with ids: --ids)';
    throw badInput(
      `expected as many ${hypothesis.unit} in ${hypothesis.name} as in ${reference.name}, since they are compared one by one, but it has ${counts.heard} and ${reference.name} has ${counts.said}; ${hint}`,
    );
  }

  function otherIds(there: string, missed: string | undefined, other: string | undefined): EarwitnessError {
    const columnOf = (side: Side) =>
      typeof side.columns()?.id === 'string' ? ` in ${shown(side.columns()!.id!)}` : '';
    return badInput(
      `${hypothesis.name}: expected the ids of ${reference.name} (such as ${shown(missed ?? '')}${columnOf(reference)}), but ${there} there${other === undefined ? '' : ` (it has ${shown(other)}${columnOf(hypothesis)})`}; do the files belong together?`,
    );
  }

  /** Files in the same order are read side by side, and only what is out of order waits in memory. */
  async function* pairsById(said: Texts, heard: Texts): AsyncGenerator<ScoringPair> {
    const hypotheses = withOwnIds(heard, hypothesis.name, key.heard);
    const waiting = new Map<string, SideText>();
    let matched = 0;
    let wanted = 0;

    const hypothesisOf = async (wanted: string): Promise<SideText | null> => {
      const before = waiting.get(wanted);
      if (before !== undefined) {
        waiting.delete(wanted);
        return before;
      }
      for (;;) {
        const next = await hypotheses.next();
        if (next.done) return null;
        if (key.heard(next.value.id!) === wanted) return next.value;
        waiting.set(key.heard(next.value.id!), next.value);
      }
    };

    for await (const one of withOwnIds(said, reference.name, key.said)) {
      const { id, line, text, values, attributes } = one;
      const found = await hypothesisOf(key.said(id!));
      const problem = one.problem ?? found?.problem;
      if (problem !== undefined) throw problem;
      if (one.isUnknown) {
        left.unmatched.add(id!);
        continue;
      }
      wanted++;
      if (found === null) left.missing.add(id!);
      else matched++;
      yield {
        id,
        line,
        reference: text,
        hypothesis: found === null ? plainText('') : found.text,
        ...(found === null ? { missing: true } : {}),
        ...(found?.ownReference !== undefined && { ownReference: found.ownReference }),
        values,
        attributes,
      };
    }
    for (const { id, problem } of waiting.values()) if (problem === undefined) left.unmatched.add(id!);
    for await (const { id, problem } of hypotheses) if (problem === undefined) left.unmatched.add(id!);
    const [missed, other] = [left.missing.first[0], left.unmatched.first[0]];
    const isOneLeft = left.missing.count === 1 && left.unmatched.count === 1;
    if (isOneLeft && idColumn === undefined && isCountedFrom(missed!, other!, wanted)) {
      throw badInput(
        `${hypothesis.name}: expected ids that count as those of ${reference.name}, but of ${wanted} here ${shown(other!)} is not there, and ${shown(missed!)} there is not here, as if one counted from 0 and the other from 1; give both the same ids, or name their column with --id-column`,
      );
    }
    if (matched === 0 ? other !== undefined : matched < minAnswered * wanted)
      throw otherIds(matched === 0 ? 'none of them is' : `only ${matched} of ${wanted} are`, missed, other);
  }
}

/** Whether the number that a name ends in is so much more than in another, and all else the same. */
function isCountedFrom(name: string, other: string, more: number): boolean {
  const [one, two] = [name, other].map((id) => /^(.*?)(\d+)$/.exec(nameOfPath(id)));
  if (one == null || two == null || one[1] !== two[1]) return false;
  return Math.abs(Number(one[2]) - Number(two[2])) === more;
}

const toldOf = (side: Side, words: WordsAlone | null) =>
  [side.told(), words?.told ?? null].filter((one) => one !== null).join(', ') || null;

type Texts = AsyncGenerator<SideText>;

/** Without what is no word in them. */
async function* wordsOf(texts: Texts, words: WordsAlone): Texts {
  if (words.told === null) return yield* texts;
  for await (const text of texts) yield alone(text, words);
}

/** So many references must have a hypothesis. */
const minAnswered = 0.5;

/** Texts that were read, by other ids where these are given. */
async function* given(texts: readonly SideText[], ids?: readonly string[]): Texts {
  for (const [row, text] of texts.entries()) yield ids === undefined ? text : { ...text, id: ids[row]! };
}

/** Where both files say the channel, it is a part of the id, as the references call it. */
async function* withChannels(texts: Texts, names?: ReadonlyMap<string, string>): Texts {
  for await (const text of texts) {
    const { id, channel } = text;
    yield id === null || channel === undefined ? text : { ...text, id: `${id}#${names?.get(channel) ?? channel}` };
  }
}

/** Texts by the paths of their sounds, where their ids are known to nobody else. */
async function* byPaths(texts: Texts, wanted: boolean): Texts {
  for await (const text of texts) yield wanted && text.path !== undefined ? { ...text, id: text.path } : text;
}

/** @throws EarwitnessError `bad-input`: an id comes again, which then names nothing */
async function* withOwnIds(texts: Texts, name: string, key: (id: string) => string): Texts {
  const ids = createIdRegister();
  for await (const text of texts) {
    const before = ids.add(key(text.id!), text.line);
    if (before !== null) {
      const more =
        text.row === undefined ? '' : ', or give both files another column that tells them apart (speaker, take)';
      throw badInput(
        `${name}:${text.line}:1: expected different ids, but ${JSON.stringify(limitText(text.id!, 100))} stands in line ${before} too${key('A') === 'A' ? '' : ' (letter case does not count)'}; rename one or take it out${more}`,
      );
    }
    yield text;
  }
}
