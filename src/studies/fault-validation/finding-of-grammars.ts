import type { JsonObject } from '../../base/json.ts';
import { counted } from '../../base/wording.ts';
import type { Estimate, Finding, Statement } from '../../model/finding.ts';
import type { Reason } from '../../model/reason.ts';
import type { GrammarComplaint } from '../../model/text-services.ts';
import { exactProportionInterval } from '../../statistics/exact-intervals.ts';
import { toEstimate } from '../shared/estimates.ts';
import { tableOf } from '../shared/tables.ts';
import { listed } from '../shared/wording.ts';

/** Sentences of one grammar, and what a checker has against each. */
export interface CheckedGrammar {
  readonly name: string;
  /** Whether they are all that the grammar can say, and not some that were drawn. */
  readonly whole: boolean;
  readonly sentences: readonly { readonly text: string; readonly complaints: readonly GrammarComplaint[] }[];
}

export interface GrammarSettings {
  /** How many sentences of each grammar were asked for. */
  readonly sentences: number;
  readonly seed: number;
  /** The checker's identity. */
  readonly checker: JsonObject & { readonly engine: string; readonly version: string };
  /** What the checker is known to miss, in sentences. */
  readonly limits: string;
}

/**
 * The grammars of a fault validation looked at by a grammar checker, in the layout of AequeVox's Table 8: for each the share of
 * sentences without a complaint, over everything, about correctness, and about clarity. Its authors give the score that Grammarly
 * gave to 100 sentences together, which is another measure.
 *
 * @example findingOfGrammars([{ name: 'g.jsgf', whole: false, sentences }], { sentences: 100, seed: 1, checker: identity, limits })
 */
export function findingOfGrammars(grammars: readonly CheckedGrammar[], settings: GrammarSettings): Finding {
  const checker = `${settings.checker.engine} ${settings.checker.version}`;
  const rows = grammars.map((grammar) => ({
    name: grammar.name,
    sentences: grammar.sentences.length,
    checked: grammar.whole ? 'all' : 'drawn',
    overall: shareWithout(grammar, () => true),
    correctness: shareWithout(grammar, ({ about }) => about === 'correctness'),
    clarity: shareWithout(grammar, ({ about }) => about === 'clarity'),
  }));
  const none = { about: null, kind: null, words: null, message: null };
  const sentences = grammars.flatMap(({ name, sentences }) =>
    sentences.flatMap(({ text, complaints }) =>
      (complaints.length === 0 ? [none] : complaints).map((one) => ({ ...one, grammar: name, sentence: text })),
    ),
  );
  return {
    study: { name: 'fault-validation', version: 5 },
    title: 'Grammars checked by a grammar checker',
    settings: { sentences: settings.sentences, seed: settings.seed, checker: settings.checker },
    answer: answerOf(grammars, rows, checker),
    sections: [
      {
        id: 'grammar-check',
        title: 'Sentences without complaint',
        tables: [
          {
            ...tableOf(
              'grammar-check',
              `What ${checker} says of sentences of each grammar (layout of AequeVox's Table 8)`,
              rows,
              [
                { key: 'name', label: 'Grammar', kind: 'text' },
                { key: 'sentences', label: 'Sentences', kind: 'count' },
                { key: 'checked', label: 'Of its own', kind: 'text', help: 'All that it can say, or some drawn.' },
                { key: 'overall', label: 'Overall', kind: 'rate', help: 'Share of sentences without any complaint.' },
                {
                  key: 'correctness',
                  label: 'Correctness',
                  kind: 'rate',
                  help: 'Without a complaint that it is wrong.',
                },
                { key: 'clarity', label: 'Clarity', kind: 'rate', help: 'Without a complaint about how it reads.' },
              ],
            ),
            note: "AequeVox's scores are Grammarly's own for all sentences of a grammar together; they and these shares cannot be compared number by number.",
          },
        ],
      },
      {
        id: 'grammar-complaints',
        title: 'Complaints',
        tables: [
          tableOf('grammar-complaints', 'Every sentence with every complaint', sentences, [
            { key: 'grammar', label: 'Grammar', kind: 'text' },
            { key: 'sentence', label: 'Sentence', kind: 'text' },
            { key: 'words', label: 'Words', kind: 'text' },
            { key: 'about', label: 'About', kind: 'text' },
            { key: 'kind', label: 'Kind', kind: 'text' },
            { key: 'message', label: 'Complaint', kind: 'text' },
          ]),
        ],
      },
    ],
    warnings: warningsOf(grammars, settings),
  };
}

function shareWithout(
  { sentences, whole }: CheckedGrammar,
  counts: (complaint: GrammarComplaint) => boolean,
): Estimate {
  const items = sentences.length;
  const n = { utterances: items, speakers: 0 };
  const hits = sentences.filter(({ complaints }) => !complaints.some(counts)).length;
  if (!whole || items === 0) return toEstimate(exactProportionInterval(hits, items), n);
  const reason: Reason = { code: 'all-there-are' };
  return { value: hits / items, low: null, high: null, level: 0.95, n, reason, method: 'count of all sentences' };
}

function answerOf(
  grammars: readonly CheckedGrammar[],
  rows: readonly { readonly name: string; readonly overall: Estimate }[],
  checker: string,
): Statement[] {
  const all = grammars.flatMap(({ sentences }) => sentences);
  const clean = all.filter(({ complaints }) => complaints.length === 0).length;
  const worst = rows.reduce((least, row) => ((row.overall.value ?? 1) < (least.overall.value ?? 1) ? row : least));
  const found = `${checker} accepts ${clean} of ${counted(all.length, 'sentence')} of ${counted(grammars.length, 'grammar')}`;
  if (clean === all.length) return [{ text: `${found}.` }];
  return [
    { text: `${found}.` },
    { text: `The share of sentences without complaint is smallest for ${worst.name}.`, estimate: worst.overall },
  ];
}

function warningsOf(grammars: readonly CheckedGrammar[], { sentences, limits }: GrammarSettings): string[] {
  const few = grammars.filter(({ whole, sentences: own }) => whole && own.length < sentences);
  return [
    `A sentence without a complaint may still be wrong, or make no sense: read some of them. ${limits}`,
    ...(few.length > 0
      ? [
          `${listed(few.map(({ name }) => name))}: the grammar has fewer than ${counted(sentences, 'sentence')}, and all were checked.`,
        ]
      : []),
  ];
}
