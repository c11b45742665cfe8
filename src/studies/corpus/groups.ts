/** How much of the corpus has one value of an attribute. */
interface GroupSize {
  readonly clips: number;
  readonly speakers: number;
  readonly seconds: number;
  /** Clips whose sound cannot be read: they are in no seconds. */
  readonly unreadable: number;
}

/** An attribute's most frequent values. */
export interface AttributeGroups {
  readonly attribute: string;
  /** Different values; null: more than 1,000, so that it does not divide the corpus into groups. */
  readonly values: number | null;
  /** Clips of which it is known. */
  readonly known: number;
  readonly largest: readonly (GroupSize & { readonly value: string })[];
}

/** Counts clips, speakers and seconds by attribute and value. */
export interface Groups {
  /** @param speaker number of the speaker, or null where nobody knows */
  addClip(attributes: Iterable<readonly [string, string]>, speaker: number | null): void;
  addSeconds(attributes: Iterable<readonly [string, string]>, seconds: number): void;
  addUnreadable(attributes: Iterable<readonly [string, string]>): void;
  /** By name of the attribute, and by number of clips. */
  largest(count: number): readonly AttributeGroups[];
  /** Attributes that came after the first 200, and were not counted. */
  readonly passedOver: number;
}

/** An attribute with more values is the name of something, not a group; counting on would cost memory without end. */
const maxValues = 1000;

const maxAttributes = 200;

/** Groups by attribute for one corpus. */
export function createGroups(): Groups {
  const groups = new Map<
    string,
    Map<string, { clips: number; speakers: Set<number>; seconds: number; unreadable: number }> | null
  >();
  const known = new Map<string, number>();
  let passedOver = 0;
  return {
    addClip(attributes, speaker) {
      for (const [attribute, value] of attributes) {
        if (!groups.has(attribute)) {
          if (groups.size >= maxAttributes) {
            passedOver++;
            continue;
          }
          groups.set(attribute, new Map());
        }
        known.set(attribute, (known.get(attribute) ?? 0) + 1);
        const values = groups.get(attribute);
        if (values === null || values === undefined) continue;
        let group = values.get(value);
        if (group === undefined) {
          if (values.size >= maxValues) {
            groups.set(attribute, null);
            continue;
          }
          group = { clips: 0, speakers: new Set(), seconds: 0, unreadable: 0 };
          values.set(value, group);
        }
        group.clips++;
        if (speaker !== null) group.speakers.add(speaker);
      }
    },
    addSeconds(attributes, seconds) {
      for (const [attribute, value] of attributes) {
        const group = groups.get(attribute)?.get(value);
        if (group !== undefined) group.seconds += seconds;
      }
    },
    addUnreadable(attributes) {
      for (const [attribute, value] of attributes) {
        const group = groups.get(attribute)?.get(value);
        if (group !== undefined) group.unreadable++;
      }
    },
    largest: (count) =>
      [...groups]
        .sort(([a], [b]) => byCodeUnit(a, b))
        .map(([attribute, values]) => ({
          attribute,
          values: values === null ? null : values.size,
          known: known.get(attribute) ?? 0,
          largest: [...(values ?? [])]
            .sort(([a, left], [b, right]) => right.clips - left.clips || byCodeUnit(a, b))
            .slice(0, count)
            .map(([value, { speakers, ...rest }]) => ({ value, ...rest, speakers: speakers.size })),
        })),
    get passedOver() {
      return passedOver;
    },
  };
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
