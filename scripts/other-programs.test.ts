// The table of docs/score.md: what other programs gave, and what the commands and calls beside them give.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { cer, mer, wer, wil, wip } from '../src/scoring/scoring.ts';
import { blocksOf, workplace } from './documents.ts';

// Made in examples/score with jiwer 4.0.0, openai-whisper 20250625 and evaluate 0.4.6 of PyPI under Python 3.11, evaluate's metrics
// wer and cer as of its repository's commit a7dd338, and sclite 2.10 of Debian's sctk 2.4.10:
//
//   jiwer -r ref.txt -h hyp.txt; jiwer -c -r ref.txt -h hyp.txt
//   sclite … | grep 'Sum '          (each as it stands in the table)
//   python:
//     import jiwer, evaluate
//     from whisper.normalizers import BasicTextNormalizer, EnglishTextNormalizer
//     refs, hyps = open('ref.txt').read().splitlines(), open('hyp.txt').read().splitlines()
//     for n in EnglishTextNormalizer(), BasicTextNormalizer():
//         print(jiwer.wer([n(r) for r in refs], [n(h) for h in hyps]))
//     t = jiwer.Compose([jiwer.ToLowerCase(), jiwer.RemovePunctuation(), jiwer.RemoveMultipleSpaces(), jiwer.Strip(),
//                        jiwer.ReduceToListOfListOfWords()])
//     print(jiwer.wer(refs, hyps, reference_transform=t, hypothesis_transform=t))
//     print(jiwer.wer(refs, hyps), jiwer.wer(refs[0], hyps[0]), jiwer.process_words(refs, hyps))
//     for m in 'wer', 'cer': print(evaluate.load(m).compute(predictions=hyps, references=refs))
const given: Readonly<Record<string, string>> = {
  'jiwer -r ref.txt -h hyp.txt': '0.5568181818181818',
  'jiwer -c -r ref.txt -h hyp.txt': '0.2576832151300236',
  'EnglishTextNormalizer, then jiwer.wer': '0.12643678160919541',
  'BasicTextNormalizer, then jiwer.wer': '0.2826086956521739',
  'jiwer.Compose([ToLowerCase(), RemovePunctuation(), …]), then jiwer.wer': '0.3448275862068966',
  'sclite -r ref.trn trn -h hyp.trn trn -i spu_id -D -o rsum stdout': '38 31 5 2 1',
  'sclite -s -r ref.trn trn -h hyp.trn trn -i spu_id -D -o rsum stdout': '38 27 9 2 1',
  'sclite -r ref.stm stm -h hyp.ctm ctm -o rsum stdout': '21 17 2 2 1',
  'jiwer.wer(refs, hyps)': '0.5568181818181818',
  'jiwer.wer(refs[0], hyps[0])': '0.875',
  'jiwer.process_words(refs, hyps).mer': '0.5157894736842106',
  'jiwer.process_words(refs, hyps).wil': '0.7267561983471075',
  'jiwer.process_words(refs, hyps).wip': '0.2732438016528925',
  'evaluate.load("wer").compute(predictions=hyps, references=refs)': '0.5568181818181818',
  'evaluate.load("cer").compute(predictions=hyps, references=refs)': '0.2576832151300236',
};

const root = join(import.meta.dirname, '..');
const page = readFileSync(join(root, 'docs', 'score.md'), 'utf8');
const rows = [...page.matchAll(/^\| (.*(?:jiwer|evaluate|sclite).*) \| `(.*)` \| ([\d. ]+) \|$/gm)].map(
  ([, there, here, gives]) => ({
    there: there!.replace('Whisper’s ', '').replace("Whisper's ", '').replaceAll('`', ''),
    here: here!,
    gives: gives!,
  }),
);

test('the table of docs/score.md has what the other programs gave', () => {
  assert.deepEqual(Object.fromEntries(rows.map(({ there, gives }) => [there, gives])), given);
});

test('what stands beside another program in docs/score.md gives the same number', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'earwitness-score-'));
  try {
    const run = workplace(folder, 'examples/score');
    const own = blocksOf('docs/score.md').find(({ remark }) => remark?.value === 'letters.ts');
    writeFileSync(join(folder, 'here', 'letters.ts'), own!.text);
    const lines = (name: string) =>
      readFileSync(join(root, 'examples', 'score', name), 'utf8')
        .trimEnd()
        .split('\n');
    const names = { wer, cer, mer, wil, wip, refs: lines('ref.txt'), hyps: lines('hyp.txt') };
    for (const { there, here } of rows) {
      if (!here.startsWith('earwitness ')) {
        const value: unknown = new Function(...Object.keys(names), `return ${here}`)(...Object.values(names));
        assert.equal(String(value), given[there], `${here} beside ${there}`);
        continue;
      }
      const { status, stdout, stderr } = await run(here);
      assert.equal(status, 0, stderr);
      const counts = /^all +(\d+) +(\d+) +(\d+) +(\d+) +(\d+) /m.exec(stdout)?.slice(1).join(' ');
      assert.equal(counts ?? stdout.trim(), given[there], `${here} beside ${there}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
