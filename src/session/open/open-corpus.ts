import type { Corpus, CorpusServices } from '../../corpora/contract.ts';
import { joinCorpora, withAttributes } from '../../corpora/shared/join-corpora.ts';
import { select, spread } from '../../corpora/shared/selection.ts';
import { withChannels } from '../../corpora/shared/with-channels.ts';
import type { Config, ConfiguredCorpus } from '../config/config.ts';
import { loadMember } from '../members/load-member.ts';

/** Which of the selected utterances a run is about: the first so many, so many for a preview, or all. */
export type CorpusPart = number | { readonly preview: number } | null;

/** Opens the corpora of a config, each with its selection, as one. */
export async function openCorpus(
  config: Pick<Config, 'corpora'>,
  part: CorpusPart,
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
  return partOf(corpus, part);
}

/** A part of an open corpus. */
export function partOf(corpus: Corpus, part: CorpusPart): Corpus {
  if (part === null) return corpus;
  return typeof part === 'number' ? select(corpus, { limit: part }) : spread(corpus, part.preview);
}

async function openOne(configured: ConfiguredCorpus, services: CorpusServices): Promise<Corpus> {
  const { type, options, select: selection, mark, channels } = configured;
  const { member } = await loadMember('corpora', type, services.baseFolder);
  const opened = await member.open(options, services);
  const corpus = channels === undefined ? opened : withChannels(opened, channels, services.sounds);
  const selected = selection === null ? corpus : select(corpus, selection);
  return mark === undefined ? selected : withAttributes(selected, mark);
}
