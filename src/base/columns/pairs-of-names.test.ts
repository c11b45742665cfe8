import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textColumns, textsOfSide } from './texts.ts';

const said = [
  'we keep talking about the regulatory authorities of the member states',
  'we are told that farmers did well and that is true',
  'the trains leave from platform nine at seven every evening',
];
const heard = [
  'we keep talking about the regulatory zebra of the member',
  'we are told farmers did well and that is giraffe true',
  'the train leaves from platform nine at every evening',
];
const file = ['a.wav', 'b.wav', 'c.wav'];

/** The reference, the output, and whether names and words tell them; else somebody is asked, and both are shown. */
const pairs: readonly (readonly [reference: string, output: string, known: boolean])[] = [
  ...known(`
    texte_attendu|transcription, texte attendu|texte, attendu|obtenu, vérité terrain|texte, verite_terrain|transcription, texte lu|transcription
    script|transcript, verbatim|text, correct|text, correct_text|transcript, Vorlage|Text, Gesprochen|Erkannt, Gesprochener Text|Text
    gelesener Text|Transkription, texto leído|transcripción, texto esperado|transcripción, verdad|texto, esperado|obtenido, oración|reconocido
    testo atteso|trascrizione, tekst|herkend, manual|auto, manual transcript|transcript, manual_transcription|transcription, annotator|whisper
    corrected|transcript, edited|raw, proofread|text, said|heard, spoken|text, text|whisper, text|text_whisper, transcript|asr_transcript
    transcription|transcription_asr, transcription_reference|transcription, gold_transcript|transcript, text_corrected|text, corrected text|text
    human_text|text, correction|transcription, post-edited|mt, expected_output|output, sentence|generated_text, labels|decoded
    原文|识别结果, текст|распознано, 正解|認識結果, what was spoken|text, Referenzsatz|Satz
    Solltext|Isttext, Referenztranskript|Transkript, référence|hypothèse, reference|hypothese, referência|hipótese, riferimento|ipotesi
    Expected|Actual, y_true|y_pred, human|machine, GT|Whisper large-v3, truth|model_output, original_text|stt, gold result|result
    actual|predicted, actual_transcript|predicted_transcript, Original|Recognized, command|heard, source_text|recognized_text`),
  ...asked(`
    prompt|transcription, prompt|text, source_text|text, what was said|text, Originaltext|Transkript, Zieltext|Transkript, frase|transcripcion
    utterance|transcription, sentence|transcription, sentence|text, phrase|transcript, raw_text|text, target|transcription, target_text|text
    doctor|text, lyrics|transcription, line|transcript, caption|transcript, subtitle|transcript, transcript|transcript_v2, final|draft
    text_x|text_y, text|text.1, label|response, question|answer, Aufnahmetext|Transkription, frase_original|transcription, foo|text, quux|Text
    transcript|transcription, 文字|文本, xyzzy|transcripts, normalized_text|transcription, clean|text, Abc|Def
    base|finetuned, pretrained|finetuned, zero_shot|finetuned, original|finetuned, original|whisper, baseline|proposed, baseline|adapted
    chirp|whisper, turbo|whisper, large-v3|whisper, nova-2|google, universal-2|azure, mistral|azure, notes|azure, ours|whisper, asr|rescored
    asr|postprocessed, input|output, summary|whisper, hyp1|other`),
];

function known(names: string) {
  return names.split(/[,\n]/).flatMap((pair) => row(pair, true));
}

function asked(names: string) {
  return names.split(/[,\n]/).flatMap((pair) => row(pair, false));
}

function row(pair: string, isKnown: boolean): (readonly [string, string, boolean])[] {
  const [reference, output] = pair.trim().split('|');
  return output === undefined ? [] : [[reference!, output, isKnown]];
}

test('no column becomes the reference because the other has a name that nobody knows, in either order', () => {
  for (const [reference, output, isKnown] of pairs) {
    const both = [
      { name: reference, values: said },
      { name: output, values: heard },
    ];
    for (const columns of [both, both.toReversed()]) {
      const found = textColumns([{ name: 'file', values: file }, ...columns]);
      const names = `${columns[0]!.name} and ${columns[1]!.name}`;
      if (isKnown) assert.deepEqual([found.references, found.outputs], [[reference], [output]], names);
      else assert.deepEqual(found.references.toSorted(), [reference, output].sort(), names);
      // One side of two files: the same columns, or both.
      assert.deepEqual(
        textsOfSide(columns, 'reference').toSorted(),
        isKnown ? [reference] : [reference, output].sort(),
      );
      assert.deepEqual(textsOfSide(columns, 'hypothesis').toSorted(), isKnown ? [output] : [reference, output].sort());
    }
  }
});

test('beside an output, of columns whose names leave it open the only one with its words is the reference, and of two neither', () => {
  const worse = heard.map((text) => text.replace('the', 'a'));
  for (const [one, other] of [
    ['foo', 'text'],
    ['caption', 'transcript'],
    ['text', 'text.1'],
  ] as const) {
    const columns = [
      { name: one, values: said },
      { name: other, values: heard },
      { name: 'whisper', values: worse },
    ];
    assert.deepEqual(textColumns(columns).references.toSorted(), [one, other].sort());
    // What nobody knows may be another output.
    const alone = (name: string) => (['foo', 'text.1'].includes(name) ? [name, 'whisper'] : [name]);
    assert.deepEqual(textColumns(columns.toSpliced(1, 1)).references, alone(one));
    assert.deepEqual(textColumns(columns.toSpliced(0, 1)).references, alone(other));
  }
  const models = ['reference_model', 'new_model', 'gold_engine'].map((name) => ({ name, values: heard }));
  assert.deepEqual(textColumns(models).references, []);
  // A name that says so counts among them all.
  const columns = ['script', 'transcript', 'whisper'].map((name, place) => ({
    name,
    values: [said, heard, worse][place]!,
  }));
  const { references, outputs, unclear } = textColumns(columns);
  assert.deepEqual([references, outputs, unclear], [['script'], ['whisper'], ['transcript']]);
  // People who say one sentence share it with everybody.
  const same = { name: 'foo', values: ['open the door please', 'open the door please', 'open the door please'] };
  const text = { name: 'text', values: ['open a door please', 'open the door please', 'open the tour please'] };
  assert.deepEqual(textColumns([same, text]).references, ['text', 'foo']);
});
