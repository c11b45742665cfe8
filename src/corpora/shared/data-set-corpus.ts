import { badInput, type EarwitnessError } from '../../base/errors.ts';
import type { Utterance } from '../../model/utterance.ts';
import type { Corpus, CorpusKind, CorpusServices } from '../contract.ts';
import { type Attributes, knownText } from './attributes.ts';
import { type DataSetFolder, type DataSetFolderOptions, type Landmark, openDataSetFolder } from './data-set-folder.ts';
import { type Boundary, checkLinks, containedPath } from './folders.ts';
import { checkId, createIdRegister } from './utterance-id.ts';

/**
 * A corpus whose sounds are files: what its members have in common beside the list of utterances.
 *
 * @param utterances opens the list from its beginning
 */
export function soundFileCorpus(
  utterances: () => AsyncIterable<Utterance>,
  boundary: Boundary,
  services: CorpusServices,
): Corpus {
  return {
    utterances,
    async soundIdentity({ sound }) {
      if (sound === undefined || !('file' in sound)) return null;
      await checkLinks(sound.file, boundary);
      return services.sounds.identity(sound.file, partOf(sound));
    },
    async clip({ id, sound }) {
      if (sound === undefined || !('file' in sound)) {
        throw badInput(`${id}: expected an utterance with an audio file, but it has none; add its path`);
      }
      await checkLinks(sound.file, boundary);
      return services.sounds.read(sound.file, partOf(sound));
    },
    async close() {},
  };
}

/** Undefined where the whole file is meant. */
function partOf({ file: _, ...part }: Extract<NonNullable<Utterance['sound']>, { readonly file: string }>) {
  return Object.keys(part).length === 0 ? undefined : part;
}

/** A published data set: what is true of it as a whole, and how its list is read. */
interface DataSet<Options> extends Omit<CorpusKind<Options>, 'open'>, Pick<Landmark, 'title'> {
  /** As its owner names it; `earwitness perturb` refuses to pass on changed copies of what forbids them. */
  readonly licence: string;
  /** Paths by which somebody sees whether theirs lies as expected. */
  readonly layout: string;
  /** What is said where it is opened. */
  readonly caution?: string;
  landmark(options: Options): Omit<Landmark, 'title'>;
  /** Reads all utterances in a fixed order. */
  list(folder: DataSetFolder, options: Options, left: LeftOut): AsyncIterable<ListedUtterance>;
}

/** One utterance as a data set lists it. */
export interface ListedUtterance {
  readonly id: string;
  /** Path from the root of the data set; absent where only the name is there. */
  readonly file?: string | undefined;
  readonly startSeconds?: number;
  readonly endSeconds?: number;
  /** Of several, counted from 1, or their mean. */
  readonly channel?: number | 'mean';
  readonly reference?: string | undefined;
  /** BCP 47. */
  readonly language: string;
  readonly speaker?: string | undefined;
  readonly attributes: Attributes;
  /** Attributes that have no common name. */
  readonly ownAttributes?: Readonly<Record<string, string | undefined>>;
  readonly tags?: readonly string[];
  /** `file:line:column` it comes from, for errors. */
  place(): string;
}

/** Counts of what was passed over, by reason; said once as a warning. */
export interface LeftOut {
  /** @param reason goes on from "left out 12": `lines whose sounds are not there` */
  add(reason: string): void;
}

/** Why a line of a list gives no utterance, in most data sets. */
export const withoutSound = 'lines whose sounds are not there';

/**
 * A published data set as a member. Its list is read from the disk each time, never held in memory; the first pass
 * checks that ids differ and warns of what was left out. The member's name is the attribute `corpus`.
 *
 * @throws EarwitnessError `bad-input`, where it is opened: nothing is listed
 */
export function dataSetKind<Options extends DataSetFolderOptions>(dataSet: DataSet<Options>): CorpusKind<Options> {
  const { name, about, options, signs = [], title, caution } = dataSet;
  return {
    name,
    about,
    options,
    signs,
    async open(given, services) {
      const folder = await openDataSetFolder(given, services.baseFolder, { title, ...dataSet.landmark(given) });
      if (caution !== undefined) services.warn(`${folder.shownName}: ${caution}`);
      return listedCorpus(dataSet, folder, (left) => dataSet.list(folder, given, left), services);
    },
  };
}

type WholeDataSet = Pick<DataSet<never>, 'name' | 'licence' | 'layout'>;

async function listedCorpus(
  dataSet: WholeDataSet,
  folder: DataSetFolder,
  list: (left: LeftOut) => AsyncIterable<ListedUtterance>,
  services: CorpusServices,
): Promise<Corpus> {
  let first: ListedUtterance | undefined;
  for await (const listed of list({ add() {} })) {
    first = listed;
    break;
  }
  if (first === undefined) {
    throw badInput(
      `${folder.shownName}: expected at least one utterance of ${dataSet.name} (as ${dataSet.layout}), but found none; check that it is unpacked as a whole and name the folder that holds it`,
    );
  }
  utteranceOf(first, dataSet, folder);

  let checked = false;
  async function* utterances(): AsyncGenerator<Utterance> {
    const ids = checked ? null : createIdRegister();
    const left = new Map<string, number>();
    const leftOut: LeftOut = { add: (reason) => left.set(reason, (left.get(reason) ?? 0) + 1) };
    let number = 0;
    for await (const listed of list(leftOut)) {
      const utterance = utteranceOf(listed, dataSet, folder);
      if (ids !== null && ids.add(utterance.id, number++) !== null) throw doubled(listed);
      yield utterance;
    }
    if (!checked)
      for (const [reason, count] of left) services.warn(`${folder.shownName}: left out ${count}: ${reason}`);
    checked = true;
  }
  return soundFileCorpus(utterances, folder.boundary, services);
}

function utteranceOf(listed: ListedUtterance, { name, licence }: WholeDataSet, folder: DataSetFolder): Utterance {
  const { id, file, startSeconds, endSeconds, channel, reference, language, speaker, place } = listed;
  const pairs = Object.entries({ corpus: name, licence, ...listed.attributes, ...listed.ownAttributes });
  return {
    id: checkId(id, 'id', place),
    ...(file !== undefined && {
      sound: {
        file: containedPath(file, folder.root, folder.boundary, place),
        ...(startSeconds !== undefined && { startSeconds }),
        ...(endSeconds !== undefined && { endSeconds }),
        ...(channel !== undefined && { channel }),
      },
    }),
    ...(reference !== undefined && { reference }),
    language,
    ...(speaker !== undefined && { speaker: checkId(speaker, 'speaker', place) }),
    attributes: Object.fromEntries(
      pairs.flatMap(([key, value]) => {
        const text = knownText(value);
        return text === undefined ? [] : [[key, text]];
      }),
    ),
    tags: listed.tags ?? [],
  };
}

function doubled({ id, place }: ListedUtterance): EarwitnessError {
  return badInput(
    `${place()}: expected an id of its own for each utterance, but "${id.slice(0, 100)}" came before; take one out`,
  );
}
