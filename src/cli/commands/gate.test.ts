import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { runCommand, sineWav, temporaryFolder } from '../testing/run-command.ts';

const references = ['red lorry yellow lorry', 'she sells sea shells', 'how much wood'];

/** Twelve speakers with three sentences each, by transcripts in a table. */
async function workplace(file: (name: string) => string) {
  const utterances = Array.from({ length: 36 }, (_, index) => ({
    id: `u${index}`,
    speaker: `s${index % 12}`,
    sex: index % 2 === 0 ? 'female' : 'male',
    reference: references[index % 3]!,
  }));
  const rows = utterances.map(({ id, speaker, sex, reference }) => `${id}\t${speaker}\t${sex}\t${reference}`);
  await writeFile(file('utterances.tsv'), `id\tspeaker\tsex\treference\n${rows.join('\n')}\n`);
  const answer = (change: (reference: string, index: number) => string) =>
    writeFile(
      file('answers.tsv'),
      `utterance\ttext\n${utterances.map(({ id, reference }, index) => `${id}\t${change(reference, index)}`).join('\n')}\n`,
    );
  const gate = (limits: readonly object[] | null, more: object = {}) =>
    writeFile(
      file('earwitness.config.json'),
      JSON.stringify({
        corpus: { type: 'manifest', file: 'utterances.tsv', language: 'en' },
        recognizers: { asr: { type: 'recorded', file: 'answers.tsv' } },
        studies: [{ type: 'robustness', conditions: [], resamples: 100 }],
        ...(limits === null ? {} : { gate: { baseline: 'main.tsv', limits, ...more } }),
      }),
    );
  return { answer, gate };
}

test('a run passes beside its own baseline, a worse one ends with 20, and what cannot be told with 21 or a warning', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const { answer, gate } = await workplace(folder.file);
  await gate([{ worseBy: 0.02 }, { worseBy: 0.02, by: 'sex' }]);
  await answer((reference) => reference);
  const run = async () => assert.equal((await runCommand(['run'], { cwd })).code, 0);
  await run();
  assert.equal((await runCommand(['baseline', 'main.tsv'], { cwd })).code, 0);
  const passed = await runCommand(['gate'], { cwd });
  assert.deepEqual([passed.code, passed.stdout.split('\n')[0]], [0, 'Pass: all 3 checks within the limits.']);
  assert.match(passed.stdout, /^WER rise, clean +0\.0 +0\.0 +\+0\.0 +\+2\.0 {2}✓ pass¹$/m);
  assert.match(passed.stdout, /^¹ the same errors in every trial$/m);
  const kept = await readFile(folder.file('main.tsv'), 'utf8');
  assert.doesNotMatch(kept, /lorry|\bs1\b|female/);

  await answer((reference) => reference.replace('lorry', 'lolly').replace('shells', 'shirts').replace('wood', 'would'));
  await run();
  const failed = await runCommand(['gate', '--json', '--junit', 'gate.xml', '--markdown', 'gate.md'], { cwd });
  assert.equal(failed.code, 20);
  const { verdict, checks, worseUtterances } = JSON.parse(failed.stdout);
  assert.deepEqual([verdict, checks.length, worseUtterances.length], ['fail', 3, 10]);
  assert.match(await readFile(folder.file('gate.xml'), 'utf8'), /tests="3" failures="3" errors="0"/);
  assert.match(
    await readFile(folder.file('gate.md'), 'utf8'),
    /\| ✗ fail \| asr, clean: WER may rise 2\.0 \| 0\\\.0 \| \S+ % \| \S+ \| \S+ to \S+ \|/,
  );

  await answer((reference, index) => (index < 2 ? 'what' : reference));
  await run();
  const open = await runCommand(['gate'], { cwd });
  assert.equal(open.code, 21);
  assert.match(open.stderr, /^earwitness: Inconclusive: \d of 3 checks cannot be decided with these data\./);
  const seen = await runCommand(['gate'], { cwd, terminal: true });
  assert.deepEqual([seen.code, seen.stderr], [open.code, ''], 'in a terminal it is said once');
  assert.match(seen.stdout, /Inconclusive: \d of 3 checks/);
  // What is undecided stands first, and each has what would decide it.
  assert.match(seen.stdout, /interval +limit\n.* \? /);
  assert.match(
    seen.stdout,
    /^CI stops \(exit code 21\) unless gate\.ifInconclusive is warn\.\nNext: earwitness plan$/m,
  );
  assert.match(seen.stdout, /^[¹²³] .*more speakers? would/m);
  await gate([{ worseBy: 0.02 }], { ifInconclusive: 'warn' });
  const warned = await runCommand(['gate'], { cwd });
  assert.equal(warned.code, 0);
  assert.match(warned.stderr, /lets this pass with a warning/);
  assert.match(warned.stdout, /^CI goes on \(exit code 0\)\. .*\n[^!]*^No limit is about groups\.$/ms);
});

test('languages make groups of a gate and of studies by their tags, unless a column of the corpus is an attribute of this name', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const written = ['zh_CN', 'ZH-cn', 'zh_TW', 'zh-tw'];
  const rows = Array.from({ length: 48 }, (_, index) => `u${index}\ts${index % 24}\t${written[index % 4]}\tred lorry`);
  await writeFile(folder.file('utterances.tsv'), ['id\tspeaker\tlanguage\treference', ...rows].join('\n'));
  const groupsOf = async (attributes: readonly string[], languages: readonly string[]) => {
    const config = {
      corpus: { type: 'manifest', file: 'utterances.tsv', attributes },
      recognizers: { asr: { type: 'scripted', default: 'red lorry', answers: {} } },
      studies: [
        { type: 'robustness', conditions: [], resamples: 100, groupBy: ['language'] },
        { type: 'disparity', attributes: ['language'], resamples: 100, permutations: 1000 },
      ],
      gate: {
        limits: [
          { wer: 0.5, by: 'language' },
          { wer: 0.5, group: { language: languages.at(-1) } },
        ],
      },
    };
    await writeFile(folder.file('earwitness.config.json'), JSON.stringify(config));
    const { code, stdout, stderr } = await runCommand(['run', '--json'], { cwd });
    assert.equal(code, 0, stderr);
    const findings: { readonly study: { name: string }; readonly sections: readonly unknown[] }[] =
      JSON.parse(stdout).findings;
    for (const { study, sections } of findings) {
      const text = JSON.stringify(sections);
      assert.deepEqual(
        languages.filter((one) => !text.includes(`${one}"`)),
        [],
        study.name,
      );
      for (const other of written) if (!languages.includes(other)) assert.ok(!text.includes(`${other}"`), other);
    }
    const { checks } = JSON.parse((await runCommand(['gate', '--json'], { cwd })).stdout);
    return checks.map(({ group }: { group: { value: string } }) => group.value);
  };
  assert.deepEqual(await groupsOf([], ['zh-CN', 'zh-TW']), ['zh-CN', 'zh-TW', 'zh-TW']);
  assert.deepEqual(await groupsOf(['language'], ['ZH-cn', 'zh-tw', 'zh_CN', 'zh_TW']), [
    'ZH-cn',
    'zh-tw',
    'zh_CN',
    'zh_TW',
    'zh_TW',
  ]);
});

test('what a gate cannot use is refused in one sentence', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const { answer, gate } = await workplace(folder.file);
  await answer((reference) => reference);
  await gate(null);
  await runCommand(['run'], { cwd });
  const refusal = async (args: readonly string[] = ['gate']) => {
    const { code, stderr } = await runCommand(args, { cwd });
    assert.ok(stderr.trimEnd().split('\n').length === 1, stderr);
    return `${code} ${stderr}`;
  };
  assert.match(await refusal(), /^3 .*expected limits under `gate`, but there are none; add for example/);
  await gate([{ worseBy: 0.01 }]);
  assert.match(
    await refusal(),
    /^4 .*main\.tsv: expected a baseline, .* write one .*: earwitness baseline .*main\.tsv$/m,
  );
  await writeFile(folder.file('main.tsv'), '');
  assert.match(await refusal(), /^4 .*main\.tsv: expected a baseline, but the file is empty/);
  await writeFile(folder.file('main.tsv'), 'id,text\n');
  assert.match(await refusal(['baseline', 'main.tsv']), /^4 .*remove the file first/);
  await writeFile(folder.file('other.tsv'), '');
  for (const [limit, sentence] of [
    [
      { wer: 0.1, group: { sex: 'femal' } },
      /gate\.limits\[0\]\.group\.sex: expected a group of sex of run .* did you mean female\?/,
    ],
    [{ wer: 0.1, by: 'accent' }, /limits\[0\]\.by: expected an attribute that makes groups of run .* it has sex$/m],
    [{ wer: 0.1, by: 'sx' }, /limits\[0\]\.by: .* did you mean sex\?/],
    [{ wer: 0.1, recognizer: 'as' }, /limits\[0\]\.recognizer: expected a recognizer .* did you mean asr\?/],
    [{ wer: 0.1, condition: 'noise' }, /limits\[0\]\.condition: expected a condition .* it has clean/],
  ] as const) {
    await gate([limit], { baseline: undefined });
    assert.match(await refusal(), sentence);
  }
  await gate([{ worseBy: 0 }], { baseline: undefined });
  assert.match(await refusal(), /^3 .*expected gate\.baseline beside limits with worseBy/);
});

test('a recognizer that fails for a third of the trials never passes, with no limit of failures too', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const { answer, gate } = await workplace(folder.file);
  await answer((reference) => reference);
  const whole = await readFile(folder.file('answers.tsv'), 'utf8');
  await writeFile(folder.file('answers.tsv'), `${whole.split('\n').slice(0, 25).join('\n')}\n`);
  const verdict = async (limits: readonly object[]) => {
    await gate(limits, { baseline: undefined });
    assert.equal((await runCommand(['run'], { cwd })).code, 12);
    const { code, stdout } = await runCommand(['gate', '--json', '--github'], { cwd });
    const { checks } = JSON.parse(stdout);
    return [code, checks.length, checks[0].measure, checks[0].limit];
  };
  assert.deepEqual(await verdict([{ wer: 0.9 }, { collapsed: 0.1 }]), [20, 3, 'failures', 0.2]);
  assert.deepEqual(await verdict([{ failures: 0.4 }]), [0, 1, 'failures', 0.4]);
});

test('annotations beside JSON go to stderr, so that stdout stays JSON', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const { answer, gate } = await workplace(folder.file);
  await answer((reference) => reference.replace('lorry', 'lolly'));
  await gate([{ wer: 0 }], { baseline: undefined });
  await runCommand(['run'], { cwd });
  const both = await runCommand(['gate', '--json', '--github'], { cwd });
  assert.equal(JSON.parse(both.stdout).verdict, 'fail');
  assert.match(both.stderr, /^::error title=earwitness%3A fail::asr, clean: WER/m);
  assert.match((await runCommand(['gate', '--github'], { cwd })).stdout, /^::error title=/m);
});

test('a baseline of another corpus is refused, and one that shares a part says how much', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const { answer, gate } = await workplace(folder.file);
  await gate([{ worseBy: 0.01 }]);
  await answer((reference) => reference);
  await runCommand(['run'], { cwd });
  await runCommand(['baseline', 'main.tsv'], { cwd });
  const utterances = await readFile(folder.file('utterances.tsv'), 'utf8');
  await writeFile(
    folder.file('utterances.tsv'),
    utterances.replaceAll('lorry', 'lolly').replaceAll('shells', 'shirts').replaceAll('how', 'so'),
  );
  await runCommand(['run'], { cwd });
  const { code, stderr } = await runCommand(['gate'], { cwd });
  assert.equal(code, 4);
  assert.match(
    stderr,
    /expected a baseline of the same corpus .* its trials are about other clips, references or conditions/,
  );
  await writeFile(folder.file('utterances.tsv'), utterances.replaceAll('lorry', 'lolly'));
  await runCommand(['run'], { cwd });
  const { stdout } = await runCommand(['gate', '--json'], { cwd });
  assert.deepEqual(JSON.parse(stdout).baseline.compared, 24);
  assert.match(JSON.parse(stdout).notes.join(' '), /12 trials are about another clip, reference or condition/);
});

test('silence in place of speech is no collapse and no error: what is written there has a limit of its own', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const rows = Array.from({ length: 12 }, (_, index) => `u${index}\ts${index}\tred lorry`);
  await writeFile(folder.file('utterances.tsv'), `id\tspeaker\treference\n${rows.join('\n')}\n`);
  const silent = Object.fromEntries(rows.map((_, index) => [`u${index}|earwitness/silence:1`, '']));
  const write = (default_: string) =>
    writeFile(
      folder.file('earwitness.config.json'),
      JSON.stringify({
        corpus: { type: 'manifest', file: 'utterances.tsv', language: 'en' },
        recognizers: { asr: { type: 'scripted', default: default_, answers: silent } },
        studies: [{ type: 'robustness', conditions: [], resamples: 100 }, { type: 'hallucination' }],
        gate: {
          baseline: 'main.tsv',
          limits: [
            { collapsed: 0 },
            { wer: 0.5, condition: 'all' },
            { hallucinatedWordsPerMinute: 1, condition: 'earwitness/silence:1' },
          ],
        },
      }),
    );
  await write('red lorry');
  assert.equal((await runCommand(['run'], { cwd })).code, 0);
  await runCommand(['baseline', 'main.tsv'], { cwd });
  assert.doesNotMatch(await readFile(folder.file('main.tsv'), 'utf8'), /silence/);
  const { checks } = JSON.parse((await runCommand(['gate', '--json'], { cwd })).stdout);
  const of = (measure: string) => checks.find((check: { measure: string }) => check.measure === measure);
  assert.deepEqual([of('collapsed').verdict, of('wer').verdict], ['pass', 'pass']);
  assert.deepEqual(of('hallucinatedWordsPerMinute').why, { code: 'no-duration' });
});

test('a price has a limit, by the minute of audio; where nobody knows one it cannot be decided', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  await writeFile(folder.file('a.wav'), sineWav(440, 8000, 1.5));
  await writeFile(folder.file('a.txt'), 'red lorry');
  const config = (price: object, pricePerMinute: number) =>
    writeFile(
      folder.file('earwitness.config.json'),
      JSON.stringify({
        corpus: { type: 'folder', folder: '.', language: 'en' },
        recognizers: { asr: { type: 'command', program: ['echo', 'red lorry'], ...price } },
        studies: [{ type: 'robustness', conditions: [], resamples: 100 }],
        gate: { limits: [{ pricePerMinute }] },
        report: { sound: false },
      }),
    );
  const gate = async (price: object, limit: number) => {
    await config(price, limit);
    const run = await runCommand(['run', '--new'], { cwd });
    assert.equal(run.code, 0, run.stderr);
    return runCommand(['gate'], { cwd });
  };
  const priced = { pricePerMinute: { amount: 0.02, currency: 'EUR' } };
  const dear = await gate(priced, 0.0199);
  assert.equal(dear.code, 20, dear.stderr);
  assert.match(dear.stdout.replace(/\s+/g, ' '), / price of a minute of audio 0\.0200 0\.0199 ✗ fail /);
  assert.equal((await gate(priced, 0.0201)).code, 0);
  const unknown = await gate({}, 0.02);
  assert.equal(unknown.code, 21);
  assert.match(unknown.stdout.replace(/\s+/g, ' '), /no answer told a price, and the config has none/);
});

test('a limit of one recognizer’s failures leaves the others theirs', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const { answer } = await workplace(folder.file);
  await answer((reference) => reference);
  const whole = await readFile(folder.file('answers.tsv'), 'utf8');
  await writeFile(folder.file('part.tsv'), `${whole.split('\n').slice(0, 25).join('\n')}\n`);
  await writeFile(
    folder.file('earwitness.config.json'),
    JSON.stringify({
      corpus: { type: 'manifest', file: 'utterances.tsv', language: 'en' },
      recognizers: { whole: { type: 'recorded', file: 'answers.tsv' }, part: { type: 'recorded', file: 'part.tsv' } },
      studies: [{ type: 'robustness', conditions: [], resamples: 100 }],
      gate: { limits: [{ failures: 0.4, recognizer: 'whole' }] },
    }),
  );
  assert.equal((await runCommand(['run'], { cwd })).code, 12);
  const { code, stdout } = await runCommand(['gate', '--json'], { cwd });
  const checks: { measure: string; recognizer: string; limit: number; verdict: string }[] = JSON.parse(stdout).checks;
  assert.deepEqual(
    [code, checks.map(({ recognizer, limit, verdict }) => [recognizer, limit, verdict])],
    [
      20,
      [
        ['part', 0.2, 'fail'],
        ['whole', 0.4, 'pass'],
      ],
    ],
  );
});

test('a run of what the recognizer was before its file changed is not judged, and no baseline is made of it', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const { answer, gate } = await workplace(folder.file);
  await gate([{ wer: 0.5 }]);
  await answer((reference) => reference);
  assert.equal((await runCommand(['run'], { cwd })).code, 0);
  await runCommand(['baseline', 'main.tsv'], { cwd });
  assert.equal((await runCommand(['gate'], { cwd })).code, 0);

  await answer(() => 'nothing of that');
  const changed =
    /^earwitness: expected a run .*which differs in recognizer asr \(contents of answers\.tsv [0-9a-f]{12} → [0-9a-f]{12}\): run again/;
  for (const command of [['gate'], ['baseline', 'next.tsv']]) {
    const refused = await runCommand(command, { cwd });
    assert.deepEqual([refused.code, refused.stdout], [22, ''], command[0]);
    assert.match(refused.stderr, changed);
  }
  const id = /newest of an earlier version is (\S+)/.exec((await runCommand(['gate'], { cwd })).stderr)![1]!;
  const named = await runCommand(['gate', id], { cwd });
  assert.equal(named.code, 0);
  assert.match(named.stdout, /! The run is not of earwitness.config.json as it is now: it differs in\s+recognizer asr/);
  const planned = await runCommand(['plan', '--releases', '2'], { cwd });
  assert.equal(planned.code, 0, 'a release to come is another one anyway');
  assert.match(planned.stderr, /it differs in recognizer asr/);
  assert.equal((await runCommand(['report'], { cwd })).code, 0);

  // What was judged before is there again.
  await answer((reference) => reference);
  assert.equal((await runCommand(['gate'], { cwd })).code, 0);
  await rm(folder.file('answers.tsv'));
  const gone = await runCommand(['gate'], { cwd });
  assert.equal(gone.code, 22);
  assert.match(gone.stderr, /recognizer asr \(file: expected a file at answers.tsv, but there is none\)/);
});

test('a program is known by its files, and is not started for a verdict', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const { gate } = await workplace(folder.file);
  await gate([{ wer: 0.5 }]);
  const config = JSON.parse(await readFile(folder.file('earwitness.config.json'), 'utf8'));
  await mkdir(folder.file('clips'));
  await writeFile(folder.file('clips/a.wav'), sineWav(200, 8000, 0.2));
  await writeFile(folder.file('utterances.tsv'), 'id\tpath\tspeaker\treference\na\tclips/a.wav\ts1\tone two\n');
  const write = (more: string) =>
    writeFile(folder.file('asr.sh'), `#!/bin/sh\n${more}echo started >> "$(dirname "$0")/starts"\necho one two\n`, {
      mode: 0o755,
    });
  await write('');
  const recognizers = { asr: { type: 'command', program: ['./asr.sh'] } };
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify({ ...config, recognizers }));
  assert.equal((await runCommand(['run', '--no-sound'], { cwd })).code, 0);
  const starts = await readFile(folder.file('starts'), 'utf8');
  assert.equal((await runCommand(['gate', '--baseline', 'none'], { cwd })).code, 4);
  await write('# another\n');
  assert.equal((await runCommand(['gate'], { cwd })).code, 22);
  assert.equal(await readFile(folder.file('starts'), 'utf8'), starts);
});

test('a run in which too much failed becomes no baseline, and what other studies asked counts among failures', async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  const { answer, gate } = await workplace(folder.file);
  await gate([{ failures: 0.3 }, { wer: 0.5 }]);
  const config = JSON.parse(await readFile(folder.file('earwitness.config.json'), 'utf8'));
  // Asks twice, and the table answers once.
  const relations = [{ name: 'same', conditions: [{ name: 'n1', steps: [] }] }];
  const studies = [...config.studies, { type: 'metamorphic', relations }];
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify({ ...config, studies }));
  await answer((reference) => reference);
  const ran = await runCommand(['run'], { cwd });
  assert.equal(ran.code, 12);
  const share = /asr failed in (\d+) of (\d+) trials, (\d+\.\d %)/.exec(ran.stderr)!;
  const refused = await runCommand(['baseline', 'main.tsv'], { cwd });
  assert.deepEqual([refused.code, refused.stdout], [12, '']);
  assert.ok(refused.stderr.includes(`asr failed in ${share[1]} of ${share[2]} trials, ${share[3]} (allowed: 20.0 %)`));
  assert.equal(existsSync(folder.file('main.tsv')), false);
  const limited = { ...config, studies, gate: { limits: config.gate.limits } };
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify(limited));
  const judged = await runCommand(['gate'], { cwd });
  assert.equal(judged.code, 20);
  assert.match(judged.stdout, new RegExp(`^failed trials, % +${share[3]!.replace(' %', '')} +30\\.0 {2}✗ fail$`, 'm'));
  await writeFile(folder.file('earwitness.config.json'), JSON.stringify({ ...limited, failures: { maxShare: 0.9 } }));
  assert.equal((await runCommand(['run', '--new'], { cwd })).code, 0);
  assert.equal((await runCommand(['baseline', 'main.tsv'], { cwd })).code, 0);
});
