const shown = 'as many are shown as without it';

/** Options that a member had in a version before, with what to do instead; by `family/type`. */
const removedOptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'studies/adversarial': { calls: 'it belonged to spsa', examples: shown },
  'studies/differential': { examples: shown, mostCases: 'it is called maxCases now' },
  'studies/fault-words': { most: 'it is called maxWords now' },
  'studies/hallucination': { examples: shown, texts: shown },
  'studies/metamorphic': { worst: shown },
  'studies/robustness': { worst: shown, familyError: 'the chance of any false verdict is kept' },
  'studies/threshold': {
    batch: 'eight trials run at once',
    examples: shown,
    leastQuestions: 'it is called minTrials now',
    mostQuestions: 'it is called maxTrials now',
  },
  'recognizers/pocketsphinx': { libraryFolder: 'name the folder in LD_LIBRARY_PATH' },
  'recognizers/sherpa-onnx': { activePaths: 'there are four, as the library has it', provider: 'it is cpu' },
  'synthesizers/sherpa-onnx': { provider: 'it is cpu', speed: 'use the perturbation tempo' },
  'synthesizers/hosted': { speed: 'use the perturbation tempo', speakingRate: 'use the perturbation tempo' },
  'embedders/sentence-transformer': { threads: 'it is one' },
  'quality/dnsmos': { threads: 'it is one' },
  'recognizers/scripted': { hearsSound: 'it is called needsAudio now' },
  'corpora/manifest': { quotes: 'they are told from the file' },
  'corpora/sentences': { mostCharacters: 'it is called maxCharacters now' },
  'corpora/silence': { shortest: 'it is called minSeconds now', longest: 'it is called maxSeconds now' },
};

/** Members that a version before had. */
const removedMembers: Readonly<Record<string, string>> = {
  'perturbations/spsa': 'take pgd, made against a recognizer that can be looked into, or kenansville',
};

/** What to do where an option is there that was removed; null where there never was such an option. */
export function whyRemoved(family: string, type: string, key?: string): string | null {
  const member = `${family}/${type}`;
  const [what, instead] = key === undefined ? [type, removedMembers[member]] : [key, removedOptions[member]?.[key]];
  return instead === undefined ? null : `${JSON.stringify(what)} was removed: ${instead}`;
}
