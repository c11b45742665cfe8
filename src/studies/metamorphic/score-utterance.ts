import type { Observation } from '../../model/observation.ts';
import type { CaseSheet } from './case-sheet.ts';
import type { ClusterSums, Field } from './cluster-sums.ts';
import { recognitionsOf } from './design.ts';
import { type IdentityControl, identityControl } from './identity-control.ts';
import { expectedTokens, holds, type OutputRelation, same } from './output-relation.ts';
import { pairBleu, pairEdits } from './pair-scores.ts';
import { jointPlace, placeOf } from './places.ts';
import type { LanguageTally, Scoring, Tally } from './tally.ts';
import type { Judgement } from './validity.ts';

/** One case: a clip, changed, heard by one recognizer before and after. */
export interface Case {
  readonly recognizer: number;
  readonly condition: number;
  readonly draw: number;
  readonly expected: readonly string[];
  readonly followUp: readonly string[];
  readonly edits: number;
  /** Null: the clean clip was recognized once. */
  readonly control: IdentityControl | null;
  readonly wrong: Wrong | null;
}

/** Who was wrong where a relation is violated; null without a reference. */
type Wrong = 'source' | 'follow-up' | 'both' | 'neither';

/** A recognizer whose declaration held on the sample is believed for the other clips. */
const asDeclared: IdentityControl = { recognitions: 1, differing: 0, steady: true };

/** Texts longer than this are cut before their meanings are compared: no model reads so much. */
const mostCharacters = 10_000;

type Counted = Pick<Tally, 'clusters' | 'joint' | 'worst' | 'excluded' | 'unrated'> & {
  readonly similarityCases: Tally['similarityCases'][number][];
};

/** Scores every case of an utterance and adds it up. */
export function scoreUtterance(sheet: CaseSheet, scoring: Scoring, language: LanguageTally, tally: Counted): void {
  const { design } = scoring;
  const { utterance } = sheet;
  const cluster = tally.clusters.clusterOf(utterance);
  const unit = scoring.unit(utterance);
  const tokensOfAnswer = (observation: Observation | undefined): readonly string[] | null =>
    observation?.transcript === undefined ? null : scoring.tokens(observation.transcript.text, unit);
  const reference = utterance.reference === undefined ? null : scoring.tokens(utterance.reference, unit);
  /** By condition, draw and recognizer: whether the case was answered, and violated. */
  const violated: (boolean | null)[] = [];

  for (let recognizer = 0; recognizer < design.recognizers.length; recognizer++) {
    const clean = Array.from({ length: recognitionsOf(design, recognizer, sheet.number) }, (_, repeat) =>
      tokensOfAnswer(sheet.clean(recognizer, repeat)),
    );
    const checked = identityControl(clean.filter((tokens) => tokens !== null));
    addIdentity(language.identity[recognizer]!, cluster, checked);
    const believed = design.recognitions > 1 && design.checked[recognizer]?.has(sheet.number) === false;
    const control = believed ? asDeclared : checked;
    for (let condition = 0; condition < design.conditions.length; condition++) {
      const { name, output } = design.relations[design.relationOf[condition]!]!;
      const source = clean[design.source(condition)] ?? null;
      const appended = appendedTokens(output, recognizer);
      if (source === null || appended === undefined) continue;
      const expected = expectedTokens(output, source, appended.heard);
      const said =
        reference === null || appended.said === undefined ? null : expectedTokens(output, reference, appended.said);
      const place = placeOf(design, recognizer, condition);
      let first = true;
      for (let draw = 0; draw < design.draws(condition, recognizer); draw++) {
        const observation = sheet.followUp(condition, draw, recognizer);
        const followUp = tokensOfAnswer(observation);
        if (followUp === null) continue;
        const judgement: Judgement =
          scoring.validity?.judge(utterance, design.conditions[condition]!, name, draw) ?? 'kept';
        if (judgement === 'excluded') tally.excluded[condition]!++;
        if (judgement === 'unrated') tally.unrated[condition]!++;
        const sums = [language.all[place]!];
        if (language.valid !== null && judgement === 'kept') sums.push(language.valid[place]!);
        const isViolated = !holds(output, expected, followUp);
        const wrong = said === null ? null : whoIsWrong(expected, said, followUp, output);
        const found = addCase(
          sums,
          { cluster, expected, followUp, control, wrong, isViolated, first },
          { bleu: scoring.bleu, critical: scoring.critical(unit) },
        );
        first = false;
        violated[(condition * design.mostDraws + draw) * design.recognizers.length + recognizer] = isViolated;
        if (isViolated) {
          tally.worst.see(sheet, { recognizer, condition, draw, expected, followUp, edits: found, control, wrong });
        }
        if (scoring.similaritySample.has(sheet.number)) {
          tally.similarityCases.push({
            utterance,
            reference: expectedText(output, sheet.clean(recognizer, design.source(condition))!, recognizer),
            hypothesis: observation!.transcript!.text.slice(0, mostCharacters),
            cluster,
            sums,
          });
        }
      }
    }
  }
  addJoint();

  function appendedTokens(
    output: OutputRelation,
    recognizer: number,
  ): { heard: readonly string[] | null; said: readonly string[] | null | undefined } | undefined {
    if (typeof output === 'string' || !('followedBy' in output)) return { heard: null, said: null };
    const text = scoring.first.appendedText(output.followedBy, recognizer);
    if (text === null) return undefined;
    const known = scoring.first.appendedUtterance(output.followedBy)?.reference;
    return { heard: scoring.tokens(text, unit), said: known === undefined ? undefined : scoring.tokens(known, unit) };
  }

  function expectedText(output: OutputRelation, source: Observation, recognizer: number): string {
    const text = source.transcript!.text.slice(0, mostCharacters);
    if (typeof output === 'string') return text;
    if ('repeated' in output)
      return Array.from({ length: output.repeated }, () => text)
        .join(' ')
        .slice(0, mostCharacters);
    return `${text} ${scoring.first.appendedText(output.followedBy, recognizer)}`.slice(0, mostCharacters);
  }

  function addJoint(): void {
    const recognizers = design.recognizers.length;
    for (let condition = 0; condition < design.conditions.length; condition++) {
      for (let first = 0; first < recognizers; first++) {
        for (let second = first + 1; second < recognizers; second++) {
          const sums = tally.joint[jointPlace(design, first, second, condition)]!;
          let pairs = 0;
          for (let draw = 0; draw < design.mostDraws; draw++) {
            const place = (condition * design.mostDraws + draw) * recognizers;
            const [one, other] = [violated[place + first], violated[place + second]];
            if (one == null || other == null) continue;
            pairs++;
            sums.add(cluster, 'firstViolations', Number(one));
            sums.add(cluster, 'secondViolations', Number(other));
          }
          sums.add(cluster, 'pairs', pairs);
          sums.add(cluster, 'utterances', Math.min(1, pairs));
        }
      }
    }
  }
}

function addIdentity(sums: LanguageTally['identity'][number], cluster: number, control: IdentityControl | null): void {
  if (control === null) return;
  sums.add(cluster, 'utterances', 1);
  sums.add(cluster, 'recognitions', control.recognitions);
  sums.add(cluster, 'differing', control.differing);
  sums.add(cluster, 'unsteady', control.steady ? 0 : 1);
}

/** @param said what should have been heard in the changed clip, by the references */
function whoIsWrong(
  expected: readonly string[],
  said: readonly string[],
  followUp: readonly string[],
  output: OutputRelation,
): Wrong {
  const followUpRight = holds(output, said, followUp);
  if (same(said, expected)) return followUpRight ? 'neither' : 'follow-up';
  return followUpRight ? 'source' : 'both';
}

/** Adds a case to the sums; gives its edits. */
function addCase(
  all: readonly ClusterSums<Field>[],
  known: {
    readonly cluster: number;
    readonly expected: readonly string[];
    readonly followUp: readonly string[];
    readonly control: IdentityControl | null;
    readonly wrong: Wrong | null;
    readonly isViolated: boolean;
    readonly first: boolean;
  },
  scoring: Pick<Scoring, 'bleu'> & { readonly critical: ReadonlySet<string> },
): number {
  const { cluster, expected, followUp, control, wrong, isViolated, first } = known;
  const bleu = pairBleu(expected, followUp, scoring.bleu);
  const { edits, length, extra, extraAlone, criticalWords, criticalKept } = pairEdits(
    expected,
    followUp,
    scoring.critical,
  );
  const violation = Number(isViolated);
  for (const sums of all) {
    const add = (field: Field, value: number) => sums.add(cluster, field, value);
    add('pairs', 1);
    add('utterances', Number(first));
    add('violations', violation);
    if (bleu !== null) {
      add('bleuPairs', 1);
      add('bleuLoss1', 1 - bleu[0]!);
      add('bleuLoss2', 1 - bleu[1]!);
      add('bleuLoss3', 1 - bleu[2]!);
      add('bleuLoss4', 1 - bleu[3]!);
    }
    if (length > 0) {
      add('rates', edits / length);
      add('ratePairs', 1);
    }
    add('edits', edits);
    add('tokens', length);
    add('extraBefore', extra.before);
    add('extraInside', extra.inside);
    add('extraAfter', extra.after);
    add('extraAlone', extraAlone);
    add('criticalWords', criticalWords);
    add('criticalLost', criticalWords - criticalKept);
    if (control !== null) {
      add('controlPairs', 1);
      add('controlViolations', violation);
      add('controlDiffering', control.differing);
      add('steadyPairs', Number(control.steady));
      add('steadyViolations', control.steady ? violation : 0);
    }
    if (wrong !== null) {
      add('referencePairs', 1);
      add('referenceViolations', violation);
      if (isViolated && wrong === 'source') add('sourceWrong', 1);
      if (isViolated && wrong === 'follow-up') add('followUpWrong', 1);
      if (isViolated && wrong === 'both') add('bothWrong', 1);
      if (!isViolated && wrong !== 'neither') add('sameError', 1);
    }
  }
  return edits;
}
