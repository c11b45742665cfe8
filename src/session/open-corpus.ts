import type { Corpus, CorpusServices } from '../corpora/contract.ts';
import { joinCorpora } from '../corpora/shared/join-corpora.ts';
import { select } from '../corpora/shared/selection.ts';
import { withAttributes } from '../corpora/shared/with-attributes.ts';
import type { Config, ConfiguredCorpus } from './config/config.ts';
import { loadMember } from './members/load-member.ts';

/**
 * Opens the corpora of a config, each with its selection, as one.
 *
 * @param limit only the first so many of what is selected
 */
export async function openCorpus(
  config: Pick<Config, 'corpora'>,
  limit: number | null,
  services: CorpusServices,
): Promise<Corpus> {
  const opened: Corpus[] = [];
  try {
    for (const configured of config.corpora) opened.push(await openOne(configured, services));
  } catch (error) {
    for (const corpus of opened) await corpus.close();
    throw error;
  }
  const corpus = opened.length === 1 ? opened[0]! : joinCorpora(opened);
  return limit === null ? corpus : select(corpus, { limit });
}

async function openOne(configured: ConfiguredCorpus, services: CorpusServices): Promise<Corpus> {
  const { type, options, select: selection, mark } = configured;
  const { member } = await loadMember('corpora', type, services.baseFolder);
  const corpus = await member.open(options, services);
  const selected = selection === null ? corpus : select(corpus, selection);
  return mark === undefined ? selected : withAttributes(selected, mark);
}
