import { type Attributes, ageOf, capitalized, sexOf } from '../shared/attributes.ts';
import type { DataSetFolder } from '../shared/data-set-folder.ts';
import { xmlTags } from './xml-tags.ts';

/** Somebody in a meeting. */
export interface Participant {
  /** `FEE005`: the same in all meetings. */
  readonly speaker: string;
  /** Number of the headset and lapel microphone; not always in the order of the letters. */
  readonly channel: string;
  readonly attributes: Attributes;
  /** PM, ID, ME or UI in meetings with roles. */
  readonly role: string | undefined;
}

/** These two files have 0.2 MB. */
const mostBytes = 1 << 24;

/** Participants by `meeting.agent` (`ES2002a.A`), from `corpusResources/meetings.xml` and `participants.xml`. */
export async function readPeople(
  folder: DataSetFolder,
  annotations: string,
): Promise<ReadonlyMap<string, Participant>> {
  const about = new Map<string, Attributes>();
  const resources = `${annotations}corpusResources`;
  for (const { name, attributes } of xmlTags(await folder.bytes(`${resources}/participants.xml`, mostBytes))) {
    const id = attributes.get('nite:id') ?? attributes.get('global_name');
    if (name !== 'participant' || id === undefined) continue;
    about.set(id, {
      sex: sexOf(attributes.get('sex')),
      age: ageOf(attributes.get('age_at_collection')),
      nativeLanguage: capitalized(attributes.get('native_language')),
    });
  }
  const people = new Map<string, Participant>();
  let meeting = '';
  for (const { name, attributes } of xmlTags(await folder.bytes(`${resources}/meetings.xml`, mostBytes))) {
    if (name === 'meeting') meeting = attributes.get('observation') ?? '';
    const agent = attributes.get('nxt_agent');
    const speaker = attributes.get('global_name');
    const channel = attributes.get('channel');
    if (name !== 'speaker' || agent === undefined || speaker === undefined || channel === undefined) continue;
    const role = attributes.get('role');
    people.set(`${meeting}.${agent}`, { speaker, channel, attributes: about.get(speaker) ?? {}, role });
  }
  return people;
}
