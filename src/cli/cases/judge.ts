import { once } from 'node:events';
import { basename, dirname, extname, join } from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { sha256 } from '../../base/hash.ts';
import { asJson } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { readUnfilledCheckFile } from '../../session/cases/read-check-file.ts';
import { openJudging } from '../../web/people/judge.ts';
import { openPeopleStore, type PeopleStore } from '../../web/people/people-store.ts';
import { servePeople } from '../../web/people/serve-people.ts';
import { printJson, printLine, say } from '../output.ts';
import {
  addAddressOptions,
  addPersonOptions,
  addressOf,
  inviteAndRevoke,
  type PeopleFlags,
} from '../people-options.ts';
import { naturalNumber } from '../terminal/option-values.ts';
import { sameSpelling } from './tell.ts';

interface JudgeFlags extends PeopleFlags {
  readonly seed: number;
  readonly json?: true;
}

/** `cases judge`: pages on which people judge what `cases sample` wrote. */
export function addJudge(command: Command): void {
  const judged = command
    .command('judge')
    .description('pages on which people hear sampled cases and judge them')
    .argument('<file>', 'the table that cases sample wrote, its clips beside it');
  addAddressOptions(
    addPersonOptions(judged).option(
      '--seed <n>',
      'seed of the order in which each person gets the clips',
      naturalNumber,
      1,
    ),
  )
    .option('--json', 'print JSON to stdout')
    .action(judge);
}

async function judge(file: string, options: JudgeFlags): Promise<void> {
  const address = await addressOf(options);
  const cases = await readUnfilledCheckFile(file);
  const stem = join(dirname(file), basename(file, extname(file)));
  using people = openPeopleStore(`${stem}-judging.sqlite`, 'judging', systemClock);
  keepToSample(people, file, sha256(JSON.stringify(cases.map(({ checked }) => checked.id).sort())));
  inviteAndRevoke(people, options);
  if (people.people().length === 0) {
    throw new EarwitnessError('bad-usage', 'expected somebody to judge; name them: --person anna --person ben');
  }
  const judging = await openJudging({
    ...{ file, cases, people, seed: options.seed },
    same: sameSpelling,
    problem: (sentence) => say(printable(sentence, 500)),
  });
  await using serving = await servePeople(people, judging, address);
  if (options.json) await printJson(asJson({ links: serving.links, overview: serving.overview, cases: cases.length }));
  else {
    for (const { name, link } of serving.links) await printLine(`${name}: ${link}`);
    await printLine(`Counts and agreement, for you alone, once: ${serving.overview}`);
    say(`${cases.length} clips. Each link is one person's own. Ctrl-C ends it; the same command goes on.`);
  }
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  const written = await judging.writeTables();
  for (const { file: table, judged } of written) say(`${table}: ${judged} of ${cases.length} clips judged`);
  if (written.length > 0)
    say(`What they say: earwitness cases verdicts ${written.map(({ file: table }) => table).join(' ')}`);
}

/** Answers belong to one sample. */
function keepToSample(people: PeopleStore, file: string, sample: string): void {
  const before = people.remembered('sample');
  if (before === null) people.remember('sample', sample);
  else if (before !== sample) {
    throw new EarwitnessError(
      'bad-input',
      `${file}: expected the sample that people judged before, but its cases are others; put the table back, or give the new one another name`,
    );
  }
}
