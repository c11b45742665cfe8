import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { systemClock } from '../../base/clock.ts';
import { EarwitnessError } from '../../base/errors.ts';
import { fileProblem } from '../../base/file-problem.ts';
import { sha256 } from '../../base/hash.ts';
import { asJson } from '../../base/json.ts';
import { printable } from '../../base/printable.ts';
import { readUnfilledCheckFile } from '../../session/cases/read-check-file.ts';
import { openJudging } from '../../web/people/judge.ts';
import { openPeopleStore, type PeopleStore } from '../../web/people/people-store.ts';
import { servePeople } from '../../web/people/serve-people.ts';
import { printJson, printLine, say } from '../output.ts';
import { naturalNumber, requirePort } from '../terminal/option-values.ts';
import { sameSpelling } from './tell.ts';

interface JudgeFlags {
  readonly person: readonly string[];
  readonly revoke: readonly string[];
  readonly port?: number;
  readonly listen: string;
  readonly address?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly seed: number;
  readonly json?: true;
}

/** `cases judge`: pages on which people judge what `cases sample` wrote. */
export function addJudge(command: Command): void {
  command
    .command('judge')
    .description('pages on which people hear sampled cases and judge them')
    .argument('<file>', 'the table that cases sample wrote, its clips beside it')
    .option('--person <name>', 'who takes part (again for each): a link of their own', names, [])
    .option('--revoke <name>', 'whose link is not to open any more; --person gives a new one', names, [])
    .option('--seed <n>', 'seed of the order in which each person gets the clips', naturalNumber, 1)
    .option('--port <n>', 'port to listen on (default: that of the last start)', naturalNumber)
    .option('--listen <address>', 'address of this machine to listen on', '127.0.0.1')
    .option('--address <url>', 'what browsers call it behind a proxy: https://listen.example.org')
    .option('--tls-cert <file>', 'certificate for HTTPS, as PEM')
    .option('--tls-key <file>', 'its key, as PEM')
    .option('--json', 'print JSON to stdout')
    .action(judge);
}

async function judge(file: string, options: JudgeFlags): Promise<void> {
  const address = await addressOf(options);
  const cases = await readUnfilledCheckFile(file);
  const stem = join(dirname(file), basename(file, extname(file)));
  using people = openPeopleStore(`${stem}-judging.sqlite`, 'judging', systemClock);
  keepToSample(people, file, sha256(JSON.stringify(cases.map(({ checked }) => checked.id).sort())));
  for (const name of options.revoke) {
    if (people.revoke(name)) continue;
    throw new EarwitnessError('bad-usage', `expected somebody who takes part, but there is no ${name}; see --person`);
  }
  for (const name of options.person) people.invite(name);
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

async function addressOf({ port, listen, address, tlsCert, tlsKey }: JudgeFlags) {
  if ((tlsCert === undefined) !== (tlsKey === undefined)) {
    throw new EarwitnessError('bad-usage', 'expected --tls-cert and --tls-key together; add the other one');
  }
  if (port !== undefined) requirePort(port);
  if (address !== undefined && !/^https?:\/\/[^/?#@]+\/?$/.test(address)) {
    throw new EarwitnessError(
      'bad-usage',
      `expected --address as browsers call it, but got ${JSON.stringify(printable(address, 80))}; write https://listen.example.org`,
    );
  }
  return {
    host: listen,
    ...(port !== undefined && { port }),
    ...(address !== undefined && { origin: address }),
    ...(tlsCert !== undefined && { tls: { cert: await pem(tlsCert), key: await pem(tlsKey!) } }),
  };
}

async function pem(file: string): Promise<string> {
  return await readFile(file, 'utf8').catch((error: unknown) => {
    throw new EarwitnessError(
      'bad-usage',
      `${file}: expected a PEM file, but it cannot be read (${fileProblem(error)})`,
    );
  });
}

/** For commander: a name that can be part of a file's. */
function names(name: string, before: readonly string[]): readonly string[] {
  if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N} _.-]{0,39}$/u.test(name) || name.endsWith('.') || name.endsWith(' ')) {
    throw new InvalidArgumentError('expected letters, digits, spaces, - and _, at most 40');
  }
  return [...before, name.normalize('NFC')];
}
