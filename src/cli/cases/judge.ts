import { basename, dirname, extname, join } from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { badInput, badUsage, messageOf } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import { commandLine, printable } from '../../base/printable.ts';
import { readUnfilledCheckFile } from '../../session/cases/read-check-file.ts';
import { openJudging } from '../../web/people/judge.ts';
import { openPeopleStore, type PeopleStore } from '../../web/people/people-store.ts';
import { addFlags, type Flag, type FlagsOf } from '../flags.ts';
import { naturalNumber } from '../options.ts';
import { say } from '../output.ts';
import { addressOf, inviteAndRevoke, peopleFlags, serveUntilEnded } from '../people-options.ts';
import { sameSpelling } from './tell.ts';

const flags = [
  ...peopleFlags,
  [
    '--seed <n>',
    'seed of the order in which each person gets clips and texts (default: that of the last start, at first 1)',
    naturalNumber,
  ],
] as const satisfies readonly Flag[];

/** `cases judge`: pages on which people judge what `cases sample` wrote. */
export function addJudge(command: Command): void {
  addFlags(command.command('judge'), flags)
    .description('pages on which people hear sampled cases and judge them')
    .argument('<file>', 'the table that cases sample wrote, its clips beside it')
    .action(judge);
}

async function judge(file: string, options: FlagsOf<typeof flags>): Promise<void> {
  const address = await addressOf(options);
  const cases = await readUnfilledCheckFile(file);
  const stem = join(dirname(file), basename(file, extname(file)));
  using people = openPeopleStore(`${stem}-judging.sqlite`, 'judging', systemClock);
  keepToSample(people, file, sha256(JSON.stringify(cases.map(({ checked }) => checked.id).sort())));
  const seed = seedOf(people, options.seed);
  inviteAndRevoke(people, options);
  if (people.people().length === 0) throw badUsage('expected somebody to judge; name them: --person anna --person ben');
  const judging = await openJudging({
    ...{ file, cases, people, seed },
    same: sameSpelling,
    problem: (sentence) => say(printable(sentence, 500)),
  });
  const shared = judging.clips === cases.length ? '' : ` of ${cases.length} cases, each heard once`;
  await serveUntilEnded(people, judging, address, {
    json: options.json === true,
    share: () => ({}),
    inWords: () => '',
    overview: 'how many each person has judged, and how far they agree',
    lead: `${judging.clips} clips${shared}.`,
    more: { cases: cases.length, clips: judging.clips },
  });
  const { written, problems } = await judging.writeTables();
  for (const { file: table, judged } of written) say(`${table}: ${judged} of ${judging.clips} clips judged`);
  if (written.length > 0) {
    const tables = written.map(({ file: table }) => table);
    say(`What they say: ${commandLine(['earwitness', 'cases', 'verdicts', ...tables])}`);
  }
  for (const more of problems.slice(1)) say(printable(messageOf(more), 500));
  if (problems.length > 0) throw problems[0];
}

/** The order stays as it was for those who have begun. */
function seedOf(people: PeopleStore, wanted: number | undefined): number {
  const before = people.remembered('seed');
  const isBegun = people.people().some(({ name }) => people.lastAnswered(name) !== null);
  const seed = typeof before === 'number' && (isBegun || wanted === undefined) ? before : (wanted ?? 1);
  if (wanted !== undefined && wanted !== seed) {
    throw badUsage(
      `expected --seed ${seed}, by which people began to judge, but got ${wanted}; leave --seed away, or judge a copy of the table under another name`,
    );
  }
  if (before !== seed) people.remember('seed', seed);
  return seed;
}

/** Answers belong to one sample. */
function keepToSample(people: PeopleStore, file: string, sample: string): void {
  const before = people.remembered('sample');
  if (before === null) people.remember('sample', sample);
  else if (before !== sample) {
    throw badInput(
      `${file}: expected the sample that people judged before, but its cases are others; put the table back, or give the new one another name`,
    );
  }
}
