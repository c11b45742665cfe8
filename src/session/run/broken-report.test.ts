import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { sineWav, temporaryFolder } from '../../cli/testing/run-command.ts';
import { renderJson } from '../../report/json/render-json.ts';
import { connect } from '../../store/postgres/connection.ts';
import { noServer, testServer } from '../../store/testing/postgres-server.ts';
import { checkedConfig } from '../config/load-config.ts';
import { runSession, type SessionRequest } from './run-session.ts';

const never = new AbortController().signal;

test('a report that is being made while the connection to the server breaks is made all the same, and is the same', {
  skip: noServer,
}, async () => {
  await using folder = await temporaryFolder();
  const rows = ['id,audio,text,speaker'];
  writeFileSync(folder.file('a.wav'), sineWav(200, 8000, 0.1));
  // More than are read at once.
  for (let index = 0; index < 600; index++) rows.push(`u${index},a.wav,so say we ${index},s${index % 12}`);
  writeFileSync(folder.file('m.csv'), `${rows.join('\n')}\n`);
  const database = testServer().newDatabase();
  const reported = async (store: string, whileWritten: () => void) => {
    const config = await checkedConfig(
      {
        corpus: { type: 'manifest', file: 'm.csv' },
        recognizers: { one: { type: 'scripted', default: 'so say we' } },
        studies: [{ type: 'robustness', conditions: [], resamples: 200 }],
        store,
      },
      folder.path,
    );
    const request: SessionRequest = {
      ...{ mode: 'continue' as const, resume: null, limit: null, preview: null, executor: null, workers: null },
      sound: true,
    };
    let written = 0;
    const trials: unknown[][] = [];
    const { report } = await runSession(config, request, {
      ...{ on: () => {}, signal: never, abort: never },
      report: {
        folder: 'report',
        async write(_, __, { rows: all }) {
          const begun: unknown[] = [];
          trials.push(begun);
          for (const row of all()) {
            begun.push(row.filter((value) => typeof value === 'string'));
            if (begun.length === 1) whileWritten();
          }
          written++;
        },
      },
    });
    const { timing: _, ...lasting } = JSON.parse(renderJson(report, { transcripts: true })) as { timing: unknown };
    return { lasting, trials, written };
  };
  const undisturbed = await reported(folder.file('store.sqlite'), () => {});
  let breaks = 0;
  const broken = await reported(database, () => {
    if (breaks++ > 0) return;
    const other = connect(database);
    const cut = 'SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE pid <> pg_backend_pid()';
    assert.notEqual(other.ask([{ sql: `${cut} AND datname = current_database()`, values: [] }])[0]!.rows[0]![0], '0');
    other.close();
  });
  assert.deepEqual([broken.written, broken.trials.length], [1, 2]);
  assert.deepEqual(broken.trials[1], undisturbed.trials[0]);
  assert.deepEqual(broken.lasting, undisturbed.lasting);
});
