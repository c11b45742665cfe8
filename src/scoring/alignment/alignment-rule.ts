/**
 * What makes one alignment better than another.
 *
 * - `least`: the fewest edits; substitution, deletion and insertion count 1 each (Levenshtein 1966), as jiwer and
 *   rapidfuzz have it.
 * - `sclite`: the least cost with 4 for a substitution and 3 for a deletion or an insertion, as NIST's sclite has it: one
 *   deletion with one insertion (6) is cheaper than two substitutions (8), so that the number of errors is at times
 *   greater than the least. Traced back from the end, of equally cheap steps the two words against each other come first,
 *   then an insertion, then a deletion, which gives sclite's counts and paths (`sclite -s` of SCTK 2.4.10).
 */
export type AlignmentRule = 'least' | 'sclite';
