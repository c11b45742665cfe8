import { badInput, badUsage, type EarwitnessError } from '../../base/errors.ts';
import { nearestName } from '../../base/nearest-name.ts';
import { limitText } from '../../base/printable.ts';
import { errors, referenceLength } from '../../scoring/edit-counts.ts';
import {
  type CorpusScore,
  createScoreTally,
  type ErrorRates,
  type ScoreTally,
} from '../../scoring/rates/score-tally.ts';
import type { Decisive } from '../../studies/shared/decisive.ts';
import { type ClusterCounts, type ClusterInterval, createClusterCounts } from './cluster-counts.ts';
import { createSimilarityTally, type SimilarityScore, type SimilarityTally } from './score-similarity.ts';
import type { ScoredPair, ScoringPair } from './scoring-pair.ts';
import { speakerColumnOf } from './table-row.ts';

/** What a set of utterances came to, with the interval of its word error rate. */
export interface IntervalScore extends CorpusScore {
  readonly interval: ClusterInterval;
  /** The utterance or speaker that decides the word error rate; absent where none does. */
  readonly decisive?: Decisive;
  /** Where a model of sentences was asked. */
  readonly similarity?: SimilarityScore;
}

/** One row of a table by an attribute. */
export interface GroupScore extends IntervalScore {
  /** Null for utterances that lack the attribute. */
  readonly value: string | null;
}

/** All utterances together and, where an attribute is asked for, by its values. */
export interface ScoreGroups {
  /** Adds one utterance; gives its own rates. */
  add(pair: ScoringPair, scored: ScoredPair): ErrorRates;
  corpus(): IntervalScore;
  /** In the order of their values, those without one last; null where no attribute is asked for. */
  groups(): readonly GroupScore[] | null;
}

/** A table of more rows helps nobody, and would take the memory that the pairs do not. */
const maxGroups = 100_000;

interface Group {
  readonly tally: ScoreTally;
  readonly clusters: ClusterCounts;
  readonly similarity: SimilarityTally;
}

/**
 * Adds up the scores of pairs by the values of an attribute.
 *
 * @param attribute that utterances are told apart by, or null
 * @param withSimilarity whether every pair added has its similarity
 * @param speakerColumn what the options call the attribute that says who spoke
 */
export function createScoreGroups(
  attribute: string | null,
  withSimilarity = false,
  speakerColumn?: string,
): ScoreGroups {
  const all = newGroup();
  const groups = new Map<string, Group>();
  let without: Group | null = null;
  let names: readonly string[] = [];
  let bySpeaker = attribute === 'speaker';

  const groupsOf = (values: readonly string[]): Group[] => {
    if (values.length === 0) {
      without ??= newGroup();
      return [without];
    }
    return [...new Set(values)].map((value) => {
      let group = groups.get(value);
      if (group === undefined) {
        group = newGroup();
        groups.set(value, group);
        if (groups.size > maxGroups) {
          throw badUsage(
            `expected --by to name an attribute with at most ${maxGroups} values, but "${limitText(attribute!, 60)}" has more; is it an id?`,
          );
        }
      }
      return group;
    });
  };
  const scoreOf = ({ tally, clusters, similarity }: Group): IntervalScore => {
    const interval = clusters.interval();
    const decisive = clusters.decisive(interval);
    return {
      ...tally.score(),
      interval,
      ...(decisive === null ? {} : { decisive }),
      ...(withSimilarity ? { similarity: similarity.score() } : {}),
    };
  };

  return {
    add(pair, { words, characters, similarity, aligned }) {
      const speaker = pair.values('speaker')[0] ?? null;
      const heard = () => aligned().flatMap(({ hypothesis }) => hypothesis ?? []);
      const counted = { id: pair.id, line: pair.line, errors: errors(words), words: referenceLength(words), heard };
      all.clusters.add(speaker, counted);
      if (similarity) all.similarity.add(similarity, speaker);
      if (attribute !== null) {
        if (names.length === 0) {
          names = Object.keys(pair.attributes());
          bySpeaker ||= attribute === speakerColumnOf(names, speakerColumn);
        }
        for (const group of groupsOf(pair.values(attribute))) {
          group.tally.add(words, characters);
          // Within one speaker it is utterances that differ.
          const cluster = bySpeaker ? null : speaker;
          group.clusters.add(cluster, counted);
          if (similarity) group.similarity.add(similarity, cluster);
        }
      }
      return all.tally.add(words, characters);
    },
    corpus: () => scoreOf(all),
    groups() {
      if (attribute === null) return null;
      if (groups.size === 0) throw noSuchAttribute(attribute, names);
      const rows = [...groups].sort(([a], [b]) => collator.compare(a, b) || (a < b ? -1 : 1));
      return [
        ...rows.map(([value, group]) => ({ value, ...scoreOf(group) })),
        ...(without === null ? [] : [{ value: null, ...scoreOf(without) }]),
      ];
    },
  };
}

function newGroup(): Group {
  return { tally: createScoreTally(), clusters: createClusterCounts(), similarity: createSimilarityTally() };
}

const collator = new Intl.Collator('en', { numeric: true });

function noSuchAttribute(attribute: string, names: readonly string[]): EarwitnessError {
  const nearest = nearestName(attribute, names);
  const hint =
    nearest !== null && nearest !== attribute
      ? `did you mean "${limitText(nearest, 60)}"?`
      : names.length === 0
        ? 'they have no attributes at all'
        : `they have ${names
            .slice(0, 8)
            .map((name) => limitText(name, 40))
            .join(', ')}`;
  return badInput(`expected utterances to have a value of "${limitText(attribute, 60)}" (--by), but none has; ${hint}`);
}
