/** The archive's elicitation paragraph: 69 words that hold most sounds of English (accent.gmu.edu, "how to use this site"). */
export const passage = [
  'Please call Stella.',
  'Ask her to bring these things with her from the store:',
  'Six spoons of fresh snow peas, five thick slabs of blue cheese, and maybe a snack for her brother Bob.',
  'We also need a small plastic snake and a big toy frog for the kids.',
  'She can scoop these things into three red bags, and we will go meet her Wednesday at the train station.',
].join(' ');
