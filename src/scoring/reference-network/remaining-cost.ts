import { type NetworkTable, nothing } from './network-table.ts';
import type { StepCosts } from './step-costs.ts';
import { brokenSeeds } from './word-seeds.ts';

/** What the rest of a path costs at least behind an arc of the reference and one of the hypothesis. */
export type RemainingCost = (arc: number, column: number) => number;

/**
 * A lower bound of the cost from a cell of the matrix to its end: so many words too many on one side must be left over, and
 * each stretch of the reference that was heard nowhere in one piece holds an error (the idea of seeds: R. Groot Koerkamp and
 * P. Ivanov, "Exact global alignment using A* with chaining seed heuristic and match pruning", Bioinformatics 40, 2024).
 *
 * @param symbolsDecide whether words agree only where their symbols are equal
 */
export function remainingCost(
  reference: NetworkTable,
  hypothesis: NetworkTable,
  costs: StepCosts,
  symbolsDecide: boolean,
): RemainingCost {
  const { deletionOrInsertion } = costs;
  const ofSeeds = new Float64Array(reference.arcs);
  if (symbolsDecide) {
    const broken = brokenSeeds(reference, hypothesis);
    const each = Math.min(costs.substitution, deletionOrInsertion);
    for (let arc = reference.arcs - 2; arc >= 0; arc--) ofSeeds[arc] = ofSeeds[arc + 1]! + each * broken[arc + 1]!;
  }
  const said = wordsAhead(reference);
  const heard = wordsAhead(hypothesis);
  return (arc, column) => {
    const tooMany = Math.max(said.fewest[arc]! - heard.most[column]!, heard.fewest[column]! - said.most[arc]!);
    return Math.max(ofSeeds[arc]!, tooMany * deletionOrInsertion);
  };
}

interface WordsAhead {
  /** By arc: words on the way from it to the end that cannot be left out, where these are fewest. */
  readonly fewest: Int32Array;
  /** All words on the way, where these are most. */
  readonly most: Int32Array;
}

function wordsAhead({ arcs, places, symbols, optional, from, to }: NetworkTable): WordsAhead {
  const fewestFrom = new Int32Array(places).fill(2 ** 31 - 1);
  const mostFrom = new Int32Array(places);
  fewestFrom[1] = 0;
  const fewest = new Int32Array(arcs);
  const most = new Int32Array(arcs);
  for (let arc = arcs - 1; arc >= 0; arc--) {
    const target = to[arc]!;
    fewest[arc] = fewestFrom[target]!;
    most[arc] = mostFrom[target]!;
    if (arc === 0) break;
    const word = symbols[arc] === nothing ? 0 : 1;
    const place = from[arc]!;
    fewestFrom[place] = Math.min(fewestFrom[place]!, fewest[arc]! + (optional[arc] ? 0 : word));
    mostFrom[place] = Math.max(mostFrom[place]!, most[arc]! + word);
  }
  return { fewest, most };
}
