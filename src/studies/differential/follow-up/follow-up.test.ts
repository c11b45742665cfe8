// Expected values are arguments on paper: which words break is decided here, and so are the texts that are left.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clean } from '../../../model/trial.ts';
import type { Utterance } from '../../../model/utterance.ts';
import { basic } from '../../../scoring/normalizers/basic.ts';
import type { Answer, Batch, Question } from '../../contract.ts';
import { inventedContext, recognizerNamed, said } from '../../shared/testing/testing.ts';
import { type DifferentialCase, judgeText } from '../case.ts';
import { othersAnswer } from '../testing/invented-search.ts';
import { type CollectedText, type FollowUp, type FollowUpInput, madeUtterance } from './contract.ts';
import { followUp } from './follow-up.ts';

type Writes = (text: string) => string;

const collectedText = (text: string): CollectedText => ({
  text,
  utterance: {
    ...{ id: `id ${text}`, reference: text, language: 'en', attributes: {}, tags: [], speaker: 'flite:slt' },
    sound: { text, synthesizer: 'flite', voice: 'slt' },
  },
});

interface Wanted {
  readonly texts: readonly string[];
  readonly tried?: readonly string[];
  readonly recognizers: Readonly<Record<string, Writes>>;
  readonly options?: { shrinking?: object; mutation?: object };
  readonly more?: Partial<FollowUpInput>;
  readonly predict?: (text: string) => number;
}

/** Hears the texts that are tried as the search would, and follows up. */
async function follow({ texts, tried = texts, recognizers, options = {}, more = {}, predict }: Wanted) {
  const collected = texts.map(collectedText);
  const names = Object.keys(recognizers);
  const says = () => false;
  const cases = tried.flatMap((text) => {
    const transcripts = names.map((name) => recognizers[name]!(text));
    return names.map(
      (recognizer, place): DifferentialCase => ({
        ...{ text, textId: `text ${text}`, voice: 'flite:slt', recognizer, transcript: transcripts[place]! },
        status: judgeText(text, transcripts, says).exact[place]!,
        sound: { utteranceId: `id ${text}`, conditionName: 'clean', draw: 0 },
        iteration: 1,
        otherwise: {},
      }),
    );
  });
  const input: FollowUpInput = {
    context: inventedContext(
      collected.map(({ utterance }) => utterance),
      names.map((name) => recognizerNamed(name)),
    ),
    options: {
      shrinking: { causes: 20, textsEach: 40, texts: 400, ...options.shrinking },
      mutation: { texts: 0, candidates: 100, maxSwaps: 1, alternatives: [], ...options.mutation },
    },
    ...{ cases, collected, conditions: [clean], rule: 'exact', normalizer: basic, tolerant: says },
    ...{ predictor: predict === undefined ? null : 'mine', level: 0.95, resamples: 200, ...more },
  };
  const asked: Utterance[] = [];
  const others = othersAnswer((_, text) => ({ determinable: 1, failing: predict?.(text) ?? 0 }));
  const answer = (question: Question): Answer => {
    if (question.ask !== 'recognition') return others(question);
    const { utterance, recognizer } = question.trial;
    if (recognizer === names[0]) asked.push(utterance);
    return { ...question, observation: said(recognizers[recognizer]!(utterance.reference!)) };
  };
  async function* answers(batch: Batch): AsyncGenerator<Answer> {
    for await (const question of batch.questions()) yield answer(question);
  }
  const asking = followUp(input);
  let step = await asking.next();
  while (!step.done) step = await asking.next(answers(step.value));
  const found: FollowUp = step.value;
  return { found, asked, causes: found.data.causes as unknown as Causes };
}

type Causes = readonly {
  readonly words: string;
  readonly failures: number;
  readonly shortest: Readonly<Record<string, unknown>> | null;
}[];

const right: Writes = (text) => text;
const tacks: Writes = (text) => text.replaceAll(/\btax\b/g, 'tacks');

test('A cause is told with the shortest text in which the same recognizer fails and another does not.', async () => {
  const { causes, asked, found } = await follow({
    texts: ['we pay the tax on red wine', 'no tax on white wine', 'we agree'],
    recognizers: { right, tacks },
  });
  assert.deepEqual(
    causes.map(({ words, failures }) => [words, failures]),
    [['tax', 2]],
  );
  const { shortest } = causes[0]!;
  assert.equal(shortest?.text, 'tax');
  assert.equal(shortest?.transcript, 'tacks');
  assert.equal(shortest?.minimal, true);
  assert.equal(shortest?.wordsBefore, 7);
  assert.equal(shortest?.texts, asked.length);
  assert.ok(asked.every(({ made }) => made?.how === 'shortened' && made.from === 'id we pay the tax on red wine'));
  assert.equal(shortest?.utteranceId, asked.find(({ reference }) => reference === 'tax')!.id);
  assert.deepEqual(found.data.shrinking, { texts: asked.length, recognitions: 2 * asked.length });
  assert.match(found.sections[0]!.text![0]!, /2 failed tests read as 1 cause: 2 have one of them, 0 have none/);
});

test('A text that nobody gets right any more is indeterminable and does not count as failing.', async () => {
  const needsTwoWords: Writes = (text) => (text.includes(' ') ? text : 'noise');
  const { causes } = await follow({
    texts: ['we pay the tax today'],
    recognizers: { needsTwoWords, tacks },
  });
  assert.equal(String(causes[0]!.shortest?.text).split(' ').length, 2);
  assert.match(String(causes[0]!.shortest?.text), /\btax\b/);
});

test('What breaks otherwise in a short text, because it is short, is not taken for the cause.', async () => {
  const texts = ['we pay the tax today'];
  const few = (text: string) => text.split(' ').length < 3;
  const mumbles: Writes = (text) => (few(text) && !text.includes('tax') ? 'noise' : tacks(text));
  const { causes, asked } = await follow({ texts, recognizers: { right, mumbles } });
  assert.deepEqual([causes[0]!.shortest?.text, causes[0]!.shortest?.transcript], ['tax', 'tacks']);
  // Without the word that broke there is nothing to ask.
  assert.ok(asked.every(({ reference }) => reference!.includes('tax')));

  const loses: Writes = (text) =>
    few(text) ? text : text.replaceAll(/\b\w+\b/g, (word) => (word === 'today' ? word : 'x'));
  const long = ['we do not pay the tax until we have the wine and the bread in hand today'];
  const half = (text: string) => (text.split(' ').length > 4 ? tacks(text) : loses(text));
  const { causes: lost } = await follow({ texts: long, recognizers: { right, half } });
  // The word still breaks where most of a short text does.
  assert.deepEqual([lost[0]!.words, String(lost[0]!.shortest?.text).split(' ').length], ['tax', 3]);

  const clips: Writes = (text) => (few(text) ? text.replace('the', 'a') : tacks(text));
  const { shortest } = (await follow({ texts, recognizers: { right, clips } })).causes[0]!;
  // Two words with the tax are right, or have another fault.
  assert.equal(String(shortest?.text).split(' ').length, 3);
  assert.match(String(shortest?.transcript), /tacks/);
});

test('A budget ends the search, and what was found until then is told as not known to be minimal.', async () => {
  const wanted = { texts: ['a b c d e f g h tax i j k'], recognizers: { right, tacks } };
  const { causes, asked } = await follow({ ...wanted, options: { shrinking: { texts: 2 } } });
  assert.equal(asked.length, 2);
  assert.equal(causes[0]!.shortest?.minimal, false);
  assert.match(String(causes[0]!.shortest?.text), /\btax\b/);
  const none = await follow({ ...wanted, options: { shrinking: { causes: 0 } } });
  assert.deepEqual([none.asked.length, none.found.sections.length], [0, 0]);
});

test('Without failures nothing is asked; recorded sounds have causes and are not cut.', async () => {
  const none = await follow({ texts: ['we agree'], recognizers: { right, other: right } });
  assert.deepEqual([none.asked.length, none.found.sections.length], [0, 0]);
  const recorded: CollectedText = {
    text: 'the tax',
    utterance: { id: 'id the tax', sound: { file: 'a.wav' }, language: 'en', attributes: {}, tags: [] },
  };
  const { causes, asked } = await follow({
    texts: ['the tax'],
    recognizers: { right, tacks },
    more: { collected: [recorded] },
  });
  assert.deepEqual([causes[0]!.words, causes[0]!.shortest, asked.length], ['tax', null, 0]);
});

test('New texts are made of failed ones, stand in no collection, and are the same for the same seed.', async () => {
  const texts = ['red tax', 'blue tax', 'gold sun', 'warm ant', 'cold dog', 'wild cat'];
  const wanted = {
    texts,
    tried: ['red tax', 'blue tax'],
    recognizers: { right, tacks },
    options: { shrinking: { causes: 0 }, mutation: { texts: 4, alternatives: [['red', 'pink', 'grey']] } },
  };
  const first = await follow({ ...wanted, predict: (text) => (text.includes('tax') ? 0.9 : 0.1) });
  assert.ok(first.asked.length > 0);
  for (const { reference, made, id } of first.asked) {
    assert.ok(!texts.includes(reference!));
    assert.equal(made?.how, 'mutated');
    assert.match(id, /^made-/);
  }
  assert.ok(first.asked.some(({ reference }) => /^(pink|grey) tax$/.test(reference!)));
  assert.deepEqual(
    (await follow({ ...wanted, predict: (text) => (text.includes('tax') ? 0.9 : 0.1) })).asked,
    first.asked,
  );
  const { rows } = first.found.data.newTexts as unknown as { rows: readonly Record<string, unknown>[] };
  const [predicted, random] = rows;
  assert.equal(predicted?.chosen, 'predicted to fail');
  // All that the predictor expects to fail hold the word that breaks: each is one failed test of two.
  assert.deepEqual([predicted?.tried, predicted?.failing, predicted?.failed, predicted?.success], [4, 4, 4, 4]);
  assert.equal(random?.tried, 4);
});

test('Alternatives are read as texts are compared: however they are written, a new text can be got right.', async () => {
  const { asked } = await follow({
    texts: ['red tax', 'a b'],
    recognizers: { small: (text) => text.replace('tax', 'tacks'), large: (text) => text },
    options: { shrinking: { causes: 0 }, mutation: { texts: 4, alternatives: [['Red', 'Pink!', '...']] } },
  });
  assert.deepEqual(
    asked.map(({ reference }) => reference),
    ['pink tax'],
  );
});

test('Nothing to make new texts of is said; without a predictor they are drawn at random alone.', async () => {
  const options = { mutation: { texts: 2, alternatives: [['tax', 'toll', 'fee', 'duty']] } };
  const none = await follow({ texts: ['we agree'], recognizers: { right, other: right }, options });
  assert.match(none.found.warnings.join(), /no failed text/);
  const { found } = await follow({ texts: ['the tax'], recognizers: { right, tacks }, options });
  const { rows } = found.data.newTexts as unknown as { rows: readonly Record<string, unknown>[] };
  assert.deepEqual(
    rows.map(({ chosen, tried, failed }) => [chosen, tried, failed]),
    [['at random', 2, 0]],
  );
});

test('The same text by the same voice is one utterance, another voice another, and recordings cannot say anything else.', () => {
  const { utterance } = collectedText('the tax');
  const one = madeUtterance(utterance, 'tax', 'shortened');
  assert.equal(one.id, madeUtterance(collectedText('a tax').utterance, 'tax', 'mutated').id);
  const other = { ...utterance, sound: { text: 'the tax', synthesizer: 'flite', voice: 'rms' } };
  assert.notEqual(one.id, madeUtterance(other, 'tax', 'shortened').id);
  assert.throws(() => madeUtterance({ ...utterance, sound: { file: 'x.wav' } }, 'tax', 'shortened'), TypeError);
});
