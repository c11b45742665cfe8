import type { Statement } from '../../model/finding.ts';
import { failureStatements } from '../shared/failures.ts';
import { counted, named } from '../shared/wording.ts';
import type { FewReferencesFinding } from './finding.ts';
import type { RateResult } from './results.ts';

/** Recognizers and gaps with a statement of their own. */
const maxStatements = 6;

/** Error rates of all recordings, gaps that are beyond chance, and what to transcribe next. */
export function answerOf(known: FewReferencesFinding): Statement[] {
  const { design, results, next } = known;
  const { survey, recognizers } = design;
  if (recognizers.length === 0) return [{ text: 'There is no recognizer to ask.' }];
  const first: Statement = {
    text:
      survey.transcribed === 0
        ? `None of ${counted(survey.utterances, 'recording')} is transcribed: nothing calibrates verdicts without a reference, so that no error rate can be told.`
        : `${survey.transcribed} of ${counted(survey.utterances, 'recording')} ${survey.transcribed === 1 ? 'has' : 'have'} a reference. What follows holds for all of them if these are a random sample${known.options.strata.length > 0 ? ' within each stratum' : ''}.`,
  };
  const wholes = results.rates
    .filter(({ group, powered }) => group === null && powered.value !== null)
    .sort((a, b) => a.powered.value! - b.powered.value!);
  const listedNext = next.cells.reduce((sum, cell) => sum + cell.next, 0);
  return [
    first,
    ...wholes.slice(0, maxStatements).map((rate) => rateStatement(known, rate)),
    ...(wholes.length > maxStatements
      ? [{ text: `The rates of ${counted(wholes.length - maxStatements, 'more recognizer')} stand below.` }]
      : []),
    ...gapStatements(known),
    ...failureStatements(known.failures).slice(0, maxStatements),
    ...(listedNext === 0
      ? []
      : [
          {
            text: `${counted(listedNext, 'recording')} to transcribe next ${listedNext === 1 ? 'is' : 'are'} listed below, where references would tell most.`,
          },
        ]),
  ];
}

function rateStatement(
  { design }: FewReferencesFinding,
  { recognizer, powered, varianceRatio }: RateResult,
): Statement {
  const name = named(design.recognizers[recognizer]!.name);
  const worth =
    varianceRatio === null || varianceRatio > 0.95 || powered.low === null
      ? 'verdicts without a reference add nothing to speak of to the sample'
      : `verdicts without a reference are worth about ${(1 / varianceRatio).toFixed(1)} times as many transcripts, as far as variances are known`;
  return { text: `${name}: ${worth}. Its word error rate over all recordings.`, estimate: powered };
}

function gapStatements({ design, results }: FewReferencesFinding): Statement[] {
  if (results.gaps.length === 0) return [];
  if (results.gaps.every(({ powered }) => powered.difference.value === null)) {
    return [{ text: 'No gap between groups can be told; the table says why.', verdict: 'cannot tell' }];
  }
  const proven = results.gaps
    .filter(({ powered }) => powered.verdict !== 'cannot tell')
    .sort((a, b) => Math.abs(b.powered.difference.value!) - Math.abs(a.powered.difference.value!));
  const tested = results.gaps.filter(({ powered }) => powered.pValue !== null).length;
  const untested =
    tested === results.gaps.length
      ? ''
      : ` (${results.gaps.length - tested} more cannot be tested, and may be of any size)`;
  if (proven.length === 0) {
    const text = `Of ${counted(tested, 'gap')} between groups${untested}, these data show none that is beyond chance. That is no proof of equal service.`;
    return [{ text, verdict: 'cannot tell' }];
  }
  const first: Statement = {
    text: `Of ${counted(tested, 'gap')} between groups${untested}, ${proven.length} ${proven.length === 1 ? 'is' : 'are'} beyond chance${proven.length > maxStatements ? `; the ${maxStatements} largest follow` : ''}. The others are left open.`,
  };
  const largest = proven.slice(0, maxStatements).map(({ recognizer, pair, powered, sample }) => ({
    text: `${named(design.recognizers[recognizer]!.name)} makes ${powered.difference.value! > 0 ? 'more' : 'fewer'} errors for ${named(pair.attribute)} ${named(pair.value)} than for ${named(pair.comparedWith)}, over all recordings${sample.verdict === 'cannot tell' ? '; the transcribed ones alone do not tell' : ''}.`,
    verdict: powered.verdict,
    comparison: powered,
    kind: 'difference' as const,
  }));
  return [first, ...largest];
}
