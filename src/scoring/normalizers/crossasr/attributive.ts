import type { Surroundings } from './rewrite.ts';

const article = /(?:^|[^\p{L}])(?:a|an|another|every|each|this|that|the|its|his|her|their|our|my|your) $/iu;
const noun =
  /^ (?!(?:a|an|and|are|as|at|away|back|but|by|can|could|each|every|for|from|has|have|if|in|into|is|less|more|of|off|on|or|out|over|per|plus|since|so|than|that|the|then|to|up|was|were|when|which|while|who|will|with|would|we|you|he|she|it|they|i|I|not|only|also|all|because|before|after|between|during|under|above|below|\p{L}+ed)(?!\p{L}))\p{L}/u;

const nouns =
  /^ (?:(?!(?:less|plus|always|across|towards|upwards|downwards|forwards|backwards|sometimes|comes|goes|gets|takes|makes|runs|hits|means|equals|requires|costs|weighs|does|versus|perhaps|this|thus|besides|afterwards|unless|inches|ounces|hours|days|weeks|months|years|minutes|seconds)(?!\p{L}))\p{Ll}{2,}[^\P{Ll}s]s|bill|note|coin|deal|contract|fine|grant|loan|lawsuit|prize|bonus|budget|bid|stake|angle|dash|sprint|race|relay|freestyle)(?!\p{L})/u;

/** Whether a measure stands before its noun, where English has it without the plural: "a 5 km run", "a $20 bill", "a 6-ft wall". */
export function attributive({ before, after }: Surroundings): boolean {
  return /^-\p{L}/u.test(after) || nouns.test(after) || (article.test(before) && noun.test(after));
}
