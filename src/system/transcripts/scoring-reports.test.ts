import assert from 'node:assert/strict';
import { test } from 'node:test';
import { reportRows, wholeReport } from './scoring-reports.ts';

// As the programs write it; bench/arrivals checks each against jiwer.
const cat = { id: 'u1', reference: 'the cat sat', hypothesis: 'the hat sat down' };
const forms: Readonly<Record<string, string>> = {
  'sclite pra':
    'Speakers:\n  0: u\n\nid: (u1)\nScores: (#C #S #D #I) 2 1 0 1\nREF:  the CAT sat ****\nHYP:  the HAT sat DOWN\nEval:     S   I\n',
  'sclite sgml':
    '<SYSTEM title="x">\n<PATH id="(u1)" word_cnt="4" sequence="0">\nC,"the","the":S,"cat","hat":C,"sat","sat":I,,"down"\n</PATH>\n',
  Kaldi: 'u1 ref  the cat sat ***\nu1 hyp  the hat sat down\nu1 op   C S C I\nu1 #csid 2 1 1 0\n',
  WeNet: '\nutt: u1\nWER: 66.67 % N=3 C=2 S=1 D=0 I=1\nlab: the cat sat     \nrec: the hat sat down \n\n',
  'icefall recogs': "u1:\tref=['the', 'cat', 'sat']\nu1:\thyp=['the', 'hat', 'sat', 'down']\n",
  'icefall errs':
    '%WER = 66.67\n\nPER-UTT DETAILS: corr or (ref->hyp)  \nu1:\tthe (cat->hat) sat (*->down)\n\nSUBSTITUTIONS: count ref -> hyp\n1   cat -> hat\n',
  SpeechBrain:
    '====\nu1, %WER 66.67 [ 2 / 3, 1 ins, 0 del, 1 sub ]\nthe ; cat ; sat ; <eps>\n =  ;  S  ;  =  ;   I  \nthe ; hat ; sat ;  down\n',
};

for (const [form, text] of Object.entries(forms)) {
  test(`the texts of an utterance are found in what ${form} prints`, () => {
    const [row, ...others] = reportRows(text) ?? [];
    assert.deepEqual(
      { ...row, reference: row?.reference?.toLowerCase(), hypothesis: row?.hypothesis?.toLowerCase() },
      cat,
    );
    assert.deepEqual(others, []);
  });
}

test('an utterance over several lines is one, and one without an id ends with its hypothesis', () => {
  const wrapped = 'sentence 1\nREF: a b\nHYP: a *\n\nREF: c\nHYP: d\n\nsentence 2\nREF: e\nHYP: e\n';
  assert.deepEqual(reportRows(wrapped), [
    { id: '1', reference: 'a b c', hypothesis: 'a d' },
    { id: '2', reference: 'e', hypothesis: 'e' },
  ]);
  assert.equal(reportRows('REF: a\nHYP: b\nREF: c\nHYP: d\n')?.length, 2);
});

test('what leaves utterances out is refused, and what people write is no report', () => {
  assert.throws(
    () => wholeReport('sentence 2\nREF: a\nHYP: b\n\nnumber of sentences: 3\n', 'a.txt'),
    /^EarwitnessError: a\.txt: expected all 3 utterances that it counts, but it shows 1/,
  );
  for (const text of ['the ref said so\nand hyp too\n', 'Target: the moon\nwe go\n', 'ref: a\nref: b\n', '', 'a\tb\n'])
    assert.equal(reportRows(text), null, text);
});
