import assert from 'node:assert/strict';
import { test } from 'node:test';
import { speakerNames } from './speaker-names.ts';

test('names that come again before most texts are those of speakers; a label of one text, or what differs in each, is words', () => {
  const cases: readonly (readonly [readonly string[], readonly (string | undefined)[] | null])[] = [
    [
      ['Ann Smith: so', 'Björn Müller: yes', 'Ann Smith: no: not so', 'Eve: once', 'more'],
      ['Ann Smith', 'Björn Müller', 'Ann Smith', 'Eve', undefined],
    ],
    [
      ['[SPEAKER_00]: so', '[SPEAKER_01]: yes', '[SPEAKER_00]: no'],
      ['SPEAKER_00', 'SPEAKER_01', 'SPEAKER_00'],
    ],
    [
      ['>> ANN: so', '>> BOB: yes', '>> ANN: no'],
      ['ANN', 'BOB', 'ANN'],
    ],
    [
      ['Ann (0:05): so', 'Ann (0:09): yes', 'Ann (1:02:03): no'],
      ['Ann', 'Ann', 'Ann'],
    ],
    [
      ['speaker 1: so', 'speaker 2: yes', 'speaker 1: no', 'note: this is said'],
      ['speaker 1', 'speaker 2', 'speaker 1', undefined],
    ],
    [['note: this is said', 'and this', 'and that'], null],
    [['one: a', 'two: b', 'three: c', 'four: d'], null],
    [['at 12:30 we met', 'at 12:45 too', 'at 13:00 again'], null],
    [['Ann: a', 'Ann: b', 'so', 'yes', 'no', 'then'], null],
  ];
  for (const [texts, speakers] of cases) {
    const found = speakerNames(texts);
    assert.deepEqual(found && texts.map((text) => found.of(text)?.speaker), speakers, texts[0]);
  }
  assert.deepEqual(speakerNames(cases[0]![0])!.of('Ann Smith: no: not so'), {
    speaker: 'Ann Smith',
    text: 'no: not so',
  });
});
