import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { badUsage } from '../../base/errors.ts';
import { asJson } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { writePersonal } from '../../session/export/write-whole.ts';
import { openCollecting, speakerCode } from '../../web/collect/collect.ts';
import {
  type CollectionPlan,
  itemsOf,
  type Pair,
  planFile,
  readCollectionPlan,
  template,
} from '../../web/collect/collection-plan.ts';
import { removeVoice } from '../../web/collect/remove-voice.ts';
import { openVoices, type Voices } from '../../web/collect/voices.ts';
import { openPeopleStore, type PeopleStore } from '../../web/people/people-store.ts';
import type { CliCommand } from '../command.ts';
import type { Flag, FlagsOf } from '../flags.ts';
import { printLine, say } from '../output.ts';
import { addressOf, inviteAndRevoke, peopleFlags, serveUntilEnded } from '../people-options.ts';

const flags = [
  ['--new', 'write a plan to begin with, what people agree to, and texts'],
  [
    '--pair <a+b>',
    'two people who read the dialogues together: the first is A; may be repeated',
    { read: pairs, default: [], shownDefault: 'nobody' },
  ],
  ['--withdraw <code>', 'remove the voice and the answers of whoever has this code, and stop'],
  ...peopleFlags,
] as const satisfies readonly Flag[];

type Options = FlagsOf<typeof flags>;

/** `collect FOLDER --person NAME` */
export const collect: CliCommand = {
  examples: [
    'collect voices --new',
    'collect voices --person anna --person ben --pair anna+ben',
    'collect voices --withdraw 7f3a19c2d0e4',
  ],
  notes: `Records people in their browsers: consent, what they tell about themselves, a test of the microphone, then the scripts of ${planFile} in the folder. What comes of it is a corpus: utterances.tsv with the clips beside it, and card.md. Names are in people.sqlite and nowhere else; speakers are codes. Phones need HTTPS: --listen ADDRESS --tls.`,
  flags,
  configure(command: Command) {
    command.argument('<folder>', 'folder of the collection').action(run);
  },
};

function pairs(text: string, before: readonly Pair[]): readonly Pair[] {
  const [a = '', b = '', ...rest] = text.split('+').map((name) => name.trim().normalize('NFC'));
  if (a !== '' && b !== '' && a !== b && rest.length === 0) return [...before, { a, b }];
  throw new InvalidArgumentError('expected two names: anna+ben');
}

async function run(folder: string, options: Options): Promise<void> {
  if (options.new) return await begin(folder);
  const address = await addressOf(options);
  const plan = await readCollectionPlan(folder);
  using people = openPeopleStore(join(folder, 'people.sqlite'), 'collecting', systemClock);
  const voices = await openVoices(folder, plan);
  for (const problem of voices.problems) say(printable(problem, 400));
  // A kill may have come between the word and the deed.
  for (const { name } of people.people())
    if (people.answer(name, 'session', 'withdrawn') !== null)
      await removeVoice(people, voices, { name, code: speakerCode(people, name) });
  if (options.withdraw !== undefined) return await withdraw(people, voices, options.withdraw);
  const known = knownPairs(people, options);
  inviteAndRevoke(people, options);
  people.remember('pairs', asJson(known));
  refuseChangedTexts(people, plan);
  if (people.people().length === 0)
    throw badUsage('expected somebody to record; name them: --person anna --person ben');
  if (plan.consent === template['consent.txt']!.trim())
    say(
      'consent.txt is still the text of a new collection: people agree to what stands there; put your own in its place',
    );
  if (plan.scripts.some(({ type }) => type === 'dialogue') && known.length === 0)
    say('Dialogues are for pairs, and there is none: add --pair anna+ben');
  const collecting = openCollecting({
    ...{ plan, people, voices, pairs: known, now: () => new Date(systemClock.wallMs()) },
    problem: (sentence) => say(printable(sentence, 500)),
  });
  await voices.writeLists();
  await serveUntilEnded(people, collecting, address, {
    json: options.json === true,
    share: collecting.share,
    inWords: ({ clips, recorded }) => `${recorded} of ${clips} clips`,
    overview: 'counts, and whom to recruit next',
  });
  await voices.writeLists();
  const all = voices.everything();
  const clips = all.reduce((sum, { recordings }) => sum + recordings.length, 0);
  const speakers = all.filter(({ recordings }) => recordings.length > 0).length;
  say(
    `${join(folder, 'utterances.tsv')}: ${clips} ${clips === 1 ? 'clip' : 'clips'} of ${speakers === 1 ? '1 speaker' : `${speakers} speakers`}`,
  );
  say(`In a config: corpus: { type: manifest, file: ${join(folder, 'utterances.tsv')} }`);
}

async function begin(folder: string): Promise<void> {
  for (const name of Object.keys(template)) {
    if (!existsSync(join(folder, name))) continue;
    throw badUsage(
      `${join(folder, name)}: expected a new collection, but this is there already; name another folder, or change what is there`,
    );
  }
  for (const [name, text] of Object.entries(template)) await writePersonal(join(folder, name), text);
  const plan = await readCollectionPlan(folder);
  for (const name of Object.keys(template)) await printLine(join(folder, name));
  say(
    `Each person is asked for ${itemsOf(plan, 0, null).length} clips. Change ${planFile} and consent.txt to what you need, then: earwitness collect ${folder} --person anna`,
  );
}

/** Pairs of before and of now; refused where somebody is in two, or nobody is invited of that name. */
function knownPairs(people: PeopleStore, { pair, person }: Options): readonly Pair[] {
  const before = (people.remembered('pairs') ?? []) as unknown as readonly Pair[];
  const all = [...before, ...pair.filter(({ a, b }) => !before.some((one) => one.a === a && one.b === b))];
  const names = all.flatMap(({ a, b }) => [a, b]);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    throw badUsage(
      `expected everybody in one pair at most, because their parts are recorded once, but ${twice} is in two; leave one away`,
    );
  const invited = [...people.people().map(({ name }) => name), ...person];
  const uninvited = names.find((name) => !invited.includes(name));
  if (uninvited !== undefined)
    throw badUsage(`expected pairs of people who take part, but there is no ${uninvited}; add --person ${uninvited}`);
  return all;
}

/** What people were asked to say stays what it is: a clip that waits in a browser would stand beside words that nobody said. */
function refuseChangedTexts(people: PeopleStore, plan: CollectionPlan): void {
  const before = (people.remembered('texts') ?? {}) as Readonly<Record<string, string>>;
  const now = Object.fromEntries(
    [...plan.texts].flatMap(([script, lines]) => lines.map(({ text }, at) => [`${script}-${at + 1}`, text] as const)),
  );
  const isBegun = people.people().some(({ name }) => people.answer(name, 'session', 'place') !== null);
  const changed = Object.keys(now).find((id) => before[id] !== undefined && before[id] !== now[id]);
  if (changed !== undefined && isBegun)
    throw badUsage(
      `expected ${changed} as people were asked to say it, ${JSON.stringify(printable(before[changed]!, 80))}, but now it is ${JSON.stringify(printable(now[changed]!, 80))}; put it back, and add other texts below the last one or as a script of another name`,
    );
  people.remember('texts', { ...before, ...now });
}

async function withdraw(people: PeopleStore, voices: Voices, given: string): Promise<void> {
  const code = given.replace(/[\s-]/g, '').toLowerCase();
  const name = people.people().find((one) => speakerCode(people, one.name) === code)?.name;
  if (name === undefined)
    throw badUsage(
      `expected the code of somebody who takes part, 12 digits and letters, but got ${JSON.stringify(printable(given, 40))}; it stands on the last page of whoever recorded`,
    );
  people.keep({
    person: name,
    task: 'session',
    question: 'withdrawn',
    value: new Date(systemClock.wallMs()).toISOString(),
  });
  const clips = await removeVoice(people, voices, { name, code });
  await printLine(`${clips} ${clips === 1 ? 'clip' : 'clips'} and the answers of ${code} are removed here`);
  say(`From stores of runs: earwitness forget --speaker ${code}`);
}
