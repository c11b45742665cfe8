import { fileURLToPath } from 'node:url';
import type { JsonObject } from '../../base/json.ts';

/** Who asked a system: one of the five papers, or a list of leaders. */
export type ModelSource =
  | 'AequeVox'
  | 'CrossASR'
  | 'FairLENS'
  | 'SRB'
  | 'SR-MT'
  | 'Open ASR Leaderboard'
  | 'Synthesizers in wide use';

/** A model or service by its usual name, and the config that runs it. */
export interface KnownModel {
  readonly name: string;
  readonly sources: readonly ModelSource[];
  /** Whether it speaks, and stands under `synthesizers` of a config. */
  readonly speaks: boolean;
  /** As `recognizers` (or `synthesizers`) of a config has it; a `script` is the name of a file in examples/python. Null where nothing here runs it. */
  readonly config: JsonObject | null;
  /** Name on the Hugging Face hub from which it is downloaded; null for services and models from elsewhere. */
  readonly hub: string | null;
  /** Null for services, which say none, and where no source does. */
  readonly parameters: { readonly millions: number; readonly source: string } | null;
  /** Bytes of one parameter as the config has it in memory. */
  readonly bytesPerParameter: 2 | 4;
  /** What pip is told to install, where it is not just the packages of the config. */
  readonly install: string | null;
  /** What it hears (BCP 47), one of several: what its config is an example for. */
  readonly language: string;
  /** Environment variables that hold the keys of a service. */
  readonly keys: readonly string[];
  /** As the model's card has it; a service has terms of its own, which are no licence. */
  readonly licence: string | null;
  /** What else it needs, or why it differs from what was published; why a fact is null. Empty where there is nothing to say. */
  readonly note: string;
  /** What of it has been run here; null where it is untried. */
  readonly tried: string | null;
}

export const table5 = 'SRB, Table 5';
export const board = 'Open ASR Leaderboard, August 2026';
export const ownName = "the model's name";
const aService = 'its owner gives neither its size nor a licence: it is a service';
export const srb: readonly ModelSource[] = ['SRB'];
export const leaders: readonly ModelSource[] = ['Open ASR Leaderboard'];

type Facts = Partial<Omit<KnownModel, 'name' | 'config'>>;

/** A row with what it does not say as most have it. */
export function row(name: string, config: JsonObject | null, facts: Facts): KnownModel {
  const usual = {
    speaks: false,
    sources: leaders,
    hub: null,
    parameters: null,
    bytesPerParameter: 4,
    language: 'en',
    keys: [],
    install: null,
    licence: null,
  } as const;
  return { name, config, note: '', tried: null, ...usual, ...facts };
}

/** A model of the hub by a script of examples/python. */
export function byPython(
  hub: string,
  script: string,
  packages: readonly string[],
  millions: number,
  source: string,
  licence: string | null,
  facts: Facts & { readonly name?: string; readonly arguments?: readonly string[] } = {},
): KnownModel {
  const { name = hub.slice(hub.indexOf('/') + 1).toLowerCase(), arguments: more = [], ...others } = facts;
  const config = { type: 'python', script, arguments: [hub, ...more], python: '.venv/bin/python', packages };
  return row(name, config, { hub, parameters: { millions, source }, licence, ...others });
}

export function pipeline(
  hub: string,
  millions: number,
  source: string,
  licence: string | null,
  facts: Facts = {},
): KnownModel {
  return byPython(hub, 'transformers_pipeline.py', ['transformers', 'torch'], millions, source, licence, facts);
}

export function nemo(
  hub: string,
  millions: number,
  source: string,
  licence: string | null,
  facts: Facts = {},
): KnownModel {
  return byPython(hub, 'nemo_model.py', ['nemo-toolkit'], millions, source, licence, {
    install: '"nemo_toolkit[asr]"',
    ...facts,
  });
}

/** Whisper by transformers.js, without Python. */
export function whisper(size: string, millions: number, facts: Facts = {}): KnownModel {
  const hub = `openai/whisper-${size}`;
  const parameters = { millions, source: table5 };
  return row(
    `whisper-${size}`,
    { type: 'transformers', model: hub },
    {
      ...{ hub, parameters, licence: 'Apache-2.0', sources: srb },
      ...facts,
    },
  );
}

/** A server with OpenAI's transcription API. */
export function server(name: string, model: string, options: JsonObject = {}, facts: Facts = {}): KnownModel {
  const keys = [typeof options.keyVariable === 'string' ? options.keyVariable : 'OPENAI_API_KEY'];
  return row(name, { type: 'openai-compatible', model, ...options }, { keys, note: aService, ...facts });
}

/** A service of `hosted`, as the sources asked it. */
export function service(
  name: string,
  sources: readonly ModelSource[],
  key: string,
  options: JsonObject,
  note = '',
): KnownModel {
  const facts = { sources, keys: [key], note: `${note === '' ? '' : `${note}; `}${aService}` };
  return row(name, { type: 'hosted', ...options }, facts);
}

export const voxtral: Facts = { bytesPerParameter: 2, install: 'transformers torch "mistral-common[audio]"' };
export const noCard = 'its publishers give no licence of the weights with their files';

/** What pip is told to install for a model. */
export function pipArguments({ install, config }: KnownModel): string {
  return install ?? (Array.isArray(config?.packages) ? config.packages.join(' ') : '');
}

/** Where scripts that configs name are, shipped with this package. */
export const modelScripts = fileURLToPath(new URL('../../../examples/python', import.meta.url));
