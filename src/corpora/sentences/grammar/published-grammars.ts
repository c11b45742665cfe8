/** A grammar of a paper. */
export interface PublishedGrammar {
  readonly about: string;
  /** JSGF. */
  readonly source: string;
}

/**
 * Figure 6 shows the first two words of each list and leaves the rest out; Table 6 and the text have the other names, verbs and
 * nouns that stand here. There may have been more.
 */
const shared = `<name> = Mary | James | Ashley | Karen | William | Paul | Donald | Steven | John | Betty | Ryan | Robert | Amanda;
<verb> = loves | hates | likes | adores | detests | is fond of;
`;

const recognizers = {
  gcp: {
    about: 'Google Cloud (GCP)',
    robust: '<name> <verb> plastic (cups | containers | straws) | <name> <verb> big (flags | decisions)',
    other: '<name> <verb> bags (of wool | of groceries | of concrete) | <name> <verb> spoons (of cinnamon | of sugar)',
  },
  ms: {
    about: 'Microsoft (MS)',
    robust: '<name> <verb> fresh (sandwiches | cream | smoothies) | <name> <verb> spoons (of cinnamon | of sugar)',
    other: '<name> <verb> thick (sandwiches | cream | smoothies) | <name> <verb> slabs (of ice cream | of cake)',
  },
  ibm: {
    about: 'IBM Watson (IBM)',
    robust: '<name> <verb> plastic (cups | containers | straws) | <name> <verb> big (flags | decisions)',
    other:
      '<name> <verb> things (like wool | like art | like groceries) | <name> <verb> scoops (of ice cream | of cream)',
  },
};

/**
 * The grammars of AequeVox (S. S. Rajan, S. Udeshi and S. Chattopadhyay, arXiv 2110.09843v2, Figure 6 and Table 6), by name: for each of
 * its recognizers sentences around words that were robust, and around words that were not.
 *
 * @example publishedGrammars.get('aequevox/gcp-robust')?.about // 'Google Cloud (GCP), robust'
 */
export const publishedGrammars: ReadonlyMap<string, PublishedGrammar> = new Map(
  Object.entries(recognizers).flatMap(([name, { about, robust, other }]) => [
    [`aequevox/${name}-robust`, { about: `${about}, robust`, source: `${shared}public <robust> = ${robust};\n` }],
    [`aequevox/${name}-non-robust`, { about: `${about}, non-robust`, source: `${shared}public <other> = ${other};\n` }],
  ]),
);
