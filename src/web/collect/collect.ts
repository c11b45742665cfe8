import { messageOf } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import { limitText, printable } from '../../base/printable.ts';
import { type Answer, json, notFound } from '../frame.ts';
import type { Asked } from '../listen.ts';
import { fieldsOf } from '../people/clip-session.ts';
import type { PeopleStore, Person } from '../people/people-store.ts';
import type { PeoplePages } from '../people/serve-people.ts';
import { kept, notTaken, takePartAsset, takePartFrame } from '../people/take-part.ts';
import { type Announced, announcedShape, type RecordingPlace } from './announced.ts';
import {
  aboutContent,
  checkContent,
  consentContent,
  doneContent,
  itemContent,
  overviewContent,
  withdrawContent,
  withdrawnContent,
  wordsContent,
} from './collect-pages.ts';
import { type CollectionItem, type CollectionPlan, itemsOf, type Pair } from './collection-plan.ts';
import { type About, quotaOf } from './recording.ts';
import { removeVoice } from './remove-voice.ts';
import type { Taken, Voices } from './voices.ts';

export interface CollectingOptions {
  readonly plan: CollectionPlan;
  readonly people: PeopleStore;
  readonly voices: Voices;
  readonly pairs: readonly Pair[];
  /** In UTC. */
  now(): Date;
  problem(sentence: string): void;
}

/** Pages for those who record, and counts for whoever asked them to. */
export interface Collecting extends PeoplePages {
  readonly recordings: { readonly pieceBytes: number };
  /** What somebody is asked for, and how much of it is there. */
  share(person: string): { readonly clips: number; readonly recorded: number };
}

/** Of each request that carries sound: small enough for a slow telephone network. */
const pieceBytes = 256 * 1024;
const longestWords = 5000;
const longestOwn = 100;
const frame = { ...takePartFrame, scripts: [...(takePartFrame.scripts ?? []), 'recorder.js'] };
const takeName = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The code that stands for somebody in everything that is kept of their voice: it follows from a secret of the database, and says nothing. */
export function speakerCode(people: Pick<PeopleStore, 'alias'>, name: string): string {
  return sha256(people.alias('speaker', name)).slice(0, 12);
}

/**
 * Lets people agree, tell about themselves as far as they want, test their microphone, and record what the plan asks for.
 *
 * Names are in the database of invitations and nowhere else; voices and what people told lie in files under a code.
 */
export function openCollecting({ plan, people, voices, pairs, now, problem }: CollectingOptions): Collecting {
  const order = () => people.people().map(({ name }) => name);
  const roleOf = (name: string) =>
    pairs.some(({ a }) => a === name) ? 'A' : pairs.some(({ b }) => b === name) ? 'B' : null;
  const pairOf = (name: string) => {
    const pair = pairs.find(({ a, b }) => a === name || b === name);
    return pair === undefined ? null : sha256(people.alias('pair', `${pair.a}\n${pair.b}`)).slice(0, 8);
  };
  const itemsFor = (name: string) => itemsOf(plan, order().indexOf(name), roleOf(name));
  const codeOf = (name: string) => speakerCode(people, name);
  const placeOf = (name: string) => people.answer(name, 'session', 'place') as RecordingPlace | null;
  const isWithdrawn = (name: string) => people.answer(name, 'session', 'withdrawn') !== null;
  const skipped = (name: string, item: string) => people.answer(name, item, 'skipped') !== null;
  const isOpen = (name: string, item: CollectionItem) => {
    const recording = voices.recordings(codeOf(name)).get(item.id);
    if (recording === undefined) return !skipped(name, item.id);
    return needsWords(item) && recording.text === null;
  };
  const needsWords = ({ type, script }: CollectionItem) =>
    type === 'free' && plan.scripts.some((one) => one.name === script && one.type === 'free' && one.transcribe);
  const pathOf = (name: string, item: CollectionItem) =>
    voices.recordings(codeOf(name)).has(item.id) ? `/items/${item.id}/words` : `/items/${item.id}`;
  const next = (name: string): string => {
    if (agreed(name) === null) return '/consent';
    if (voices.about(codeOf(name)) === null) return '/about';
    if (placeOf(name) === null) return '/check';
    const open = itemsFor(name).find((item) => isOpen(name, item));
    return open === undefined ? '/done' : pathOf(name, open);
  };
  /** To the text as it is now: where it was changed, people are asked again before they record more. */
  const agreed = (name: string) => {
    const consent = people.answer(name, 'session', 'consent') as About['consent'] | null;
    return consent?.sha256 === plan.consentSha256 ? consent : null;
  };
  const lists = () => void voices.writeLists().catch((error: unknown) => problem(messageOf(error)));

  const answer = async ({ url, who, sent }: Asked<Person>): Promise<Answer> => {
    const { name, home } = who;
    const [top = '', id = '', what = '', take = '', ...rest] = url.pathname.split('/').slice(1);
    if (rest.length > 0) return notFound('There is no such page.');
    if (isWithdrawn(name)) {
      if (sent !== undefined) return refusedTake('You have withdrawn: nothing is recorded any more.');
      const content = withdrawnContent(plan, home, codeOf(name));
      return { page: { ...frame, title: 'You have withdrawn' }, content };
    }
    if (id === '') return sent === undefined ? step(name, home, top) : await keepStep(name, home, top, sent);
    const item = itemsFor(name).find((one) => one.id === id);
    if (top !== 'items' || item === undefined)
      return sent === undefined
        ? notFound('There is no such page.')
        : refusedTake('This is not asked of you any more.');
    if (agreed(name) === null || voices.about(codeOf(name)) === null || placeOf(name) === null)
      return sent === undefined
        ? { to: home + next(name) }
        : notTaken('First comes what stands before the recordings.', 409, home + next(name));
    if (sent === undefined) return await itemPage(name, home, item, what);
    if (what === 'takes' && takeName.test(take)) return await keepTake(name, home, item, take, url, sent);
    if (what === 'words') return await keepWords(name, home, item, sent);
    if (what === 'skipped') {
      people.keep({ person: name, task: item.id, question: 'skipped', value: now().toISOString() });
      return kept(home + next(name));
    }
    return notTaken('There is no such question.', 404);
  };

  const step = (name: string, home: string, top: string): Answer => {
    const about = voices.about(codeOf(name));
    if (top === '') return { to: home + next(name) };
    if (top === 'consent')
      return {
        page: { ...takePartFrame, title: plan.title },
        content: consentContent(plan, home, agreed(name) !== null),
      };
    if (agreed(name) === null && top !== 'done' && top !== 'withdraw') return { to: `${home}/consent` };
    if (top === 'about')
      return { page: { ...takePartFrame, title: 'About you' }, content: aboutContent(plan, home, about) };
    if (about === null) return { to: `${home}/about` };
    if (top === 'check') {
      const content = checkContent(plan, home, {
        place: placeOf(name),
        isPaired: pairOf(name) !== null,
        next: home + next(name),
      });
      return { page: { ...frame, title: 'Your microphone' }, content };
    }
    if (top === 'done') {
      const items = itemsFor(name);
      const open = next(name);
      const content = doneContent(plan, home, {
        ...{ code: codeOf(name), of: items.length, next: open === '/done' ? null : home + open },
        items: items.map((item) => ({ ...item, isThere: voices.recordings(codeOf(name)).has(item.id) })),
      });
      return { page: { ...frame, title: open === '/done' ? 'Thank you' : 'Your recordings' }, content };
    }
    if (top === 'withdraw')
      return {
        page: { ...frame, title: 'Withdraw' },
        content: withdrawContent(home, voices.recordings(codeOf(name)).size),
      };
    return notFound('There is no such page.');
  };

  const keepStep = async (name: string, home: string, top: string, sent: unknown): Promise<Answer> => {
    const fields = fieldsOf(sent) ?? {};
    if (top === 'consent') {
      if (fields.agree !== 'yes') return notTaken('Tick the box if you agree. Without it nothing is recorded.');
      if (fields.sha256 !== plan.consentSha256)
        return notTaken('The text was changed since: read it again.', 409, `${home}/consent`);
      const consent = agreed(name) ?? { sha256: plan.consentSha256, at: now().toISOString() };
      people.keep({ person: name, task: 'session', question: 'consent', value: consent });
      const about = voices.about(codeOf(name));
      if (about !== null) await voices.tell(codeOf(name), { ...about, consent });
      return kept(home + next(name));
    }
    const consent = agreed(name);
    if (consent === null && top !== 'withdraw')
      return notTaken('First comes the text that you agree to.', 409, `${home}/consent`);
    if (top === 'about') {
      await voices.tell(codeOf(name), { consent: consent!, ...told(plan, fields) });
      people.keep({ person: name, task: 'session', question: 'told', value: now().toISOString() });
      lists();
      return kept(home + next(name));
    }
    if (top === 'check') {
      const place = { environment: fields.environment ?? '', device: fields.device ?? '', rooms: fields.rooms ?? '' };
      const isKnown = (value: string, among: readonly string[]) =>
        among.length === 0 ? value === '' : among.includes(value);
      if (!isKnown(place.environment, plan.environments)) return notTaken('Say where you are.');
      if (!isKnown(place.device, plan.devices)) return notTaken('Say what you record with.');
      if (pairOf(name) === null ? place.rooms !== '' : place.rooms !== 'one' && place.rooms !== 'two')
        return notTaken('Say whether both of you are in one room.');
      people.keep({ person: name, task: 'session', question: 'place', value: place });
      return kept(home + next(name));
    }
    if (top === 'withdraw') {
      if (fields.sure !== 'yes') return notTaken('Tick the box if you are sure.');
      people.keep({ person: name, task: 'session', question: 'withdrawn', value: now().toISOString() });
      await removeVoice(people, voices, { name, code: codeOf(name) });
      problem(
        `${name} has withdrawn: clips and answers are removed here. From stores of runs: earwitness forget --speaker ${codeOf(name)}`,
      );
      return kept(`${home}/`);
    }
    return notTaken('There is no such page.', 404);
  };

  const itemPage = async (name: string, home: string, item: CollectionItem, what: string): Promise<Answer> => {
    const recording = voices.recordings(codeOf(name)).get(item.id) ?? null;
    if (what === 'audio') {
      const body = await voices.audio(codeOf(name), item.id);
      return body === null ? notFound('There is no such clip.') : { type: 'audio/wav', body };
    }
    const items = itemsFor(name);
    const at = items.findIndex(({ id }) => id === item.id);
    const done = items.filter((one) => !isOpen(name, one)).length;
    const around = {
      ...{ path: `${home}/items/${item.id}`, done, of: items.length },
      before: at > 0 ? `${home}/items/${items[at - 1]!.id}` : null,
      after: at + 1 < items.length ? `${home}/items/${items[at + 1]!.id}` : `${home}/done`,
    };
    const title = `Recording ${at + 1} of ${items.length}`;
    if (what === 'words' && needsWords(item) && recording !== null)
      return { page: { ...frame, title }, content: wordsContent(plan, item, around, recording.text) };
    if (what !== '') return notFound('There is no such page.');
    const place = placeOf(name)!;
    return { page: { ...frame, title }, content: itemContent(plan, item, { ...around, home, place, recording }) };
  };

  const keepTake = async (
    name: string,
    home: string,
    item: CollectionItem,
    take: string,
    url: URL,
    sent: unknown,
  ): Promise<Answer> => {
    const speaker = codeOf(name);
    const { data } = announcedShape.safeParse(sent);
    const isPiece = sent instanceof Uint8Array;
    if (!isPiece && data === undefined) return refusedTake('Expected what a clip is before its bytes.');
    const from = Number(url.searchParams.get('from') ?? Number.NaN);
    const found: Taken = isPiece
      ? await voices.piece(speaker, take, { from, bytes: sent, item, pair: pairOf(name) })
      : await voices.begin(speaker, item.id, take, declared(data!, name));
    if ('refused' in found) return refusedTake(found.refused);
    // Started again since: the page says once more what the clip is, and goes on where it was.
    if ('unknown' in found) return notTaken('Expected what a clip is before its bytes.', 409);
    if ('have' in found) return json(found);
    // Also of a clip that was kept just before a kill: an entry that is there already is not made twice.
    const { sha256: hash, bytes } = found;
    people.keep({ person: name, task: item.id, question: 'recorded', value: { take, sha256: hash, bytes } });
    lists();
    return json({ kept: true, next: home + next(name) });
  };
  /** Places that the plan does not name (any more) are not declared: a clip that waited in a browser is kept all the same. */
  const declared = (what: Announced, name: string): Announced => ({
    ...what,
    environment: plan.environments.includes(what.environment) ? what.environment : '',
    device: plan.devices.includes(what.device) ? what.device : '',
    rooms: pairOf(name) === null ? '' : what.rooms,
  });

  const keepWords = async (name: string, home: string, item: CollectionItem, sent: unknown): Promise<Answer> => {
    if (!needsWords(item) || !voices.recordings(codeOf(name)).has(item.id))
      return notTaken('There is nothing to write down.', 404);
    const text = limitText((fieldsOf(sent)?.words ?? '').replace(/\s+/gu, ' ').trim(), longestWords);
    if (text === '') return notTaken('Write down what you said.');
    await voices.write(codeOf(name), item.id, text);
    people.keep({ person: name, task: item.id, question: 'written', value: now().toISOString() });
    lists();
    return kept(home + next(name));
  };

  return {
    answer,
    problem,
    recordings: { pieceBytes },
    assets: (path) => takePartAsset(path, 'recorder', 'recorder-worklet'),
    share: (name) => ({ clips: itemsFor(name).length, recorded: voices.recordings(codeOf(name)).size }),
    async overview({ url }) {
      if (url.pathname !== '/') return notFound('There is no such page.');
      const everyone = people.people().map(({ name, revoked }) => {
        const own = [...voices.recordings(codeOf(name)).values()];
        return {
          ...{ name, of: itemsFor(name).length, recorded: own.length },
          seconds: own.reduce((sum, { check }) => sum + check.durationSeconds, 0),
          doubtful: own.filter(({ check }) => check.problems.length > 0).length,
          state: isWithdrawn(name)
            ? 'withdrawn'
            : revoked
              ? 'revoked'
              : voices.about(codeOf(name)) === null
                ? 'invited'
                : 'takes part',
        };
      });
      const content = overviewContent(everyone, quotaOf(plan, voices.everything()), people.path);
      return { page: { ...takePartFrame, title: plan.title, again: true }, content };
    },
  };
}

/** A clip that is not taken whatever is done: the browser keeps it no longer. */
function refusedTake(problem: string): Answer {
  return { type: 'application/json', body: JSON.stringify({ problem, refused: true }), status: 400 };
}

/** What somebody chose and wrote, by attribute; nothing is inferred from silence. */
function told(
  plan: CollectionPlan,
  fields: Readonly<Record<string, string | undefined>>,
): Pick<About, 'attributes' | 'declined'> {
  const attributes: Record<string, string> = {};
  const declined: string[] = [];
  for (const { name, choices, several, ownWords } of plan.attributes) {
    if (fields[name] === 'declined' || fields[`${name}.declined`] === 'yes') {
      declined.push(name);
      continue;
    }
    const chosen = choices.filter((_, at) =>
      several ? fields[`${name}.${at}`] === 'yes' : fields[name] === String(at),
    );
    // What a spreadsheet would run as a formula begins so; words do not.
    const own = ownWords
      ? limitText(
          printable(fields[`${name}.own`] ?? '')
            .replace(/\s+/gu, ' ')
            .replace(/^[\s=+@-]+/u, '')
            .trim(),
          longestOwn,
        )
      : '';
    const all = several ? [...chosen, ...(own === '' ? [] : [own])] : own === '' ? chosen : [own];
    if (all.length > 0) attributes[name] = all.join('; ');
  }
  return { attributes, declined };
}
