import { readFileSync } from 'node:fs';
import { openFile } from '../../src/store/sqlite/database.ts';
import { rowsOf } from './server.ts';

/** What a run may spend. */
export interface Bill {
  readonly money?: number;
  readonly calls?: number;
  readonly audioMinutes?: number;
}

/** What a run gave that nobody disturbed. */
export interface Undisturbed {
  readonly report: string;
  readonly observed: readonly string[];
}

/** A report without what differs between two runs of the same, and without how many calls may have been paid for nothing: that is as it is. */
function reportOf(json: string): string {
  const isLeftOut = (key: string) => key === 'timing' || key === 'possiblyPaid';
  return JSON.stringify(JSON.parse(json), (key, value: unknown) => (isLeftOut(key) ? undefined : value), 1);
}

const observedSql = (key: string) =>
  `SELECT t.batch, t.position, ${key} AS key, o.transcript, o.failure_kind, o.failure_message, o.sound_seconds
   FROM run_trials t LEFT JOIN observations o ON o.number = t.observation
   WHERE t.recognizer IS NOT NULL AND t.run = (SELECT max(number) FROM runs) ORDER BY t.batch, t.position`;

export function undisturbed(store: string, json: string): Undisturbed {
  const database = openFile(store, { readonly: true });
  const rows = database.prepare(observedSql('lower(hex(t.key))')).all() as object[];
  database.close();
  return { report: reportOf(json), observed: rows.map((row) => shown(Object.values(row))) };
}

const shown = (values: readonly unknown[]) =>
  JSON.stringify(values.map((value) => (typeof value === 'number' ? String(value) : value)));
const inStore = (sql: string) => sql.replaceAll(/\b(run_trials|observations|runs|attempts)\b/g, 'earwitness.$1');

/** Calls that were truly made: key, seconds, and what was heard. */
const readLedger = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => /^(\S+) (\S+) (.*)$/.exec(line)!.slice(1) as [string, string, string]);

/** Whether a budget was kept to the last call, by what the run says and by the ledger of whoever was paid. */
export function checkBudget(address: string, ledger: string, { money, calls, audioMinutes }: Bill): string[] {
  const differences: string[] = [];
  const [counted, cents, seconds] = rowsOf(
    address,
    inStore(
      "SELECT count(*), round(10000 * coalesce(sum(price), 0)), sum(seconds) FROM attempts WHERE state <> 'recalled'",
    ),
  )[0]!.map(Number) as [number, number, number];
  const made = readLedger(ledger).length;
  const spent = `${counted} calls, ${cents / 10000} EUR, ${seconds} s of audio; ${made} calls in the ledger`;
  if (money !== undefined && cents !== Math.round(10000 * money)) differences.push(`budget of ${money} EUR: ${spent}`);
  // Each paid clip lasts half a second: half a cent.
  if (money !== undefined && made * 0.005 > money + 1e-9)
    differences.push(`overspent, budget of ${money} EUR: ${spent}`);
  if (calls !== undefined && (counted !== calls || made > calls))
    differences.push(`budget of ${calls} calls: ${spent}`);
  if (audioMinutes !== undefined && (seconds > 60 * audioMinutes + 1e-9 || seconds <= 60 * audioMinutes - 0.5))
    differences.push(`budget of ${audioMinutes} minutes: ${spent}`);
  return differences;
}

/** What of a finished round is not as it should be. */
export function checkRound(
  address: string,
  ledger: string,
  json: string,
  expected: Undisturbed,
): { readonly differences: readonly string[]; readonly said: string } {
  const differences: string[] = [];
  const ask = (sql: string) => rowsOf(address, inStore(sql));
  const count = (sql: string) => Number(ask(sql)[0]![0]);
  const observed = ask(observedSql("encode(t.key, 'hex')")).map(shown);
  if (observed.length !== expected.observed.length)
    differences.push(`${expected.observed.length} trials became ${observed.length}`);
  for (const [index, row] of expected.observed.entries())
    if (row !== observed[index]) differences.push(`${row} became ${observed[index]}`);
  const nothing: Readonly<Record<string, string>> = {
    'observations are there twice': 'SELECT count(*) - count(DISTINCT key) FROM observations',
    'stored answers were asked again':
      "SELECT count(*) FROM attempts later JOIN attempts earlier USING (key) WHERE later.number > earlier.number AND earlier.state IN ('answered', 'failed')",
    'calls have no end': "SELECT count(*) FROM attempts WHERE state = 'sent'",
    'runs were begun and not gone on with': 'SELECT count(*) FROM runs WHERE finished_at_ms IS NULL',
  };
  for (const [what, sql] of Object.entries(nothing)) {
    const found = count(sql);
    if (found !== 0) differences.push(`${found} ${what}`);
  }
  const made = readLedger(ledger);
  const heard = new Set(made.map(([key, , text]) => `${key} ${text}`));
  const paid = ask(
    "SELECT encode(key, 'hex'), transcript FROM observations WHERE key IN (SELECT key FROM attempts WHERE price > 0)",
  );
  for (const [key, text] of paid) {
    if (!heard.has(`${key} ${text}`)) differences.push(`invented: ${key} ${text}`);
  }
  const counted = count("SELECT count(*) FROM attempts WHERE price > 0 AND state <> 'recalled'");
  if (made.length > counted) differences.push(`${made.length} paid calls were made and ${counted} counted`);
  const report = reportOf(json);
  if (report !== expected.report) differences.push(`the report differs: ${firstDifference(expected.report, report)}`);
  const lost = count("SELECT count(*) FROM attempts WHERE state = 'lost'");
  const { tally } = JSON.parse(json) as { readonly tally: { readonly possiblyPaid: number } };
  if (tally.possiblyPaid !== lost) differences.push(`${lost} calls were lost and ${tally.possiblyPaid} reported`);
  return {
    differences,
    said: `${observed.length} trials, ${paid.length} paid answers, ${made.length} paid calls made, ${counted} counted, ${lost} possibly paid`,
  };
}

function firstDifference(expected: string, came: string): string {
  const [one, other] = [expected.split('\n'), came.split('\n')];
  const index = one.findIndex((line, place) => line !== other[place]);
  return `line ${index}: ${one[index]?.trim().slice(0, 200)} became ${other[index]?.trim().slice(0, 200)}`;
}
