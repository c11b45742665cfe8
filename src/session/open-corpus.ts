import type { Corpus, CorpusServices } from '../corpora/contract.ts';
import { select } from '../corpora/shared/selection.ts';
import type { Config } from './config/config.ts';
import { loadMember } from './members/load-member.ts';

/**
 * Opens the corpus of a config, with its selection.
 *
 * @param limit only the first so many of what is selected
 */
export async function openCorpus(config: Config, limit: number | null, services: CorpusServices): Promise<Corpus> {
  const { type, options, select: selection } = config.corpus;
  const { member } = await loadMember('corpora', type, services.baseFolder);
  const corpus = await member.open(options, services);
  const selected = selection === null ? corpus : select(corpus, selection);
  return limit === null ? selected : select(selected, { limit });
}
