// `earwitness/scoring`: texts made comparable, aligned and counted.

export type { TranscriptLine, TranscriptLines } from '../base/read-stm.ts';
export { readStm, type StmFile, type StmLabel, type StmSegment } from '../base/read-stm.ts';
export type { AlignedWord } from '../model/finding.ts';
export { coversLanguage, type SentenceEmbedder } from '../model/text-services.ts';
export {
  aequevoxViolations,
  type GroupDistances,
  type PairDistances,
  sortByDrop,
  type Violation,
  type ViolationExcess,
  type ViolationRow,
  type Violations,
  type ViolationTable,
  violationExcess,
  violationTable,
  type WordCounts,
  wordDrops,
} from './agreement/aequevox.ts';
export {
  type RoverAlternative,
  type RoverOptions,
  type RoverResult,
  type RoverSet,
  type RoverTranscript,
  rover,
} from './agreement/rover.ts';
export {
  type TranscriptDistance,
  transcriptDistance,
} from './agreement/transcript-distance.ts';
export { align, alignOperations, countEdits } from './alignment/align.ts';
export { countCharacterEdits } from './alignment/characters.ts';
export type { AlignmentRule } from './alignment/trace-back.ts';
export { operation } from './alignment/trace-back.ts';
export { type LoopOptions, type RepeatedLoop, repeatedLoops } from './analysis/repeated-loops.ts';
export {
  type BleuScore,
  bleuOf,
  sentenceBleu,
} from './bleu/bleu.ts';
export { type BleuOptions, type BleuSmoothing, bleuSmoothings, bleuWeights } from './bleu/bleu-options.ts';
export { addBleuCounts, type BleuCounts, countBleuNgrams } from './bleu/ngram-counts.ts';
export {
  addCounts,
  type EditCounts,
  errorRate,
  errors,
  hypothesisLength,
  noEdits,
  referenceLength,
} from './edit-counts.ts';
export type { Glm, GlmRule } from './glm.ts';
export { applyGlm, foldAsciiCase, type GlmSide, glmNetwork, parseGlm } from './glm.ts';
export { basic, basicMarks, none, plain } from './normalizers/basic.ts';
export { english } from './normalizers/english/english.ts';
export {
  type ExplainedStep,
  makeNormalizer,
  type Normalizer,
  type NormalizerStep,
  normalizerIdentity,
} from './normalizers/normalizer.ts';
export { normalizerNamed, normalizers } from './normalizers/normalizers.ts';
export { plainEnglish } from './normalizers/plain-english/plain-english.ts';
export { cer, mer, type TextRateOptions, type Texts, wer, wil, wip } from './rates/rates-of-texts.ts';
export {
  type CorpusScore,
  createScoreTally,
  type ErrorRates,
  errorRates,
  type MacroRates,
  matchErrorRate,
  type ScoreTally,
  wordAccuracy,
  wordInformationLost,
  wordInformationPreserved,
} from './rates/score-tally.ts';
export { type AlignedNetworkWord, alignNetwork, type NetworkAlignment } from './reference-network/align-network.ts';
export {
  linearNetwork,
  type NetworkArc,
  parseReference,
  type ReferenceNetwork,
} from './reference-network/reference-network.ts';
export {
  type SemanticSimilarity,
  type SemanticSimilarityOptions,
  type Similarity,
  semanticSimilarity,
  type TextPair,
} from './similarity/semantic-similarity.ts';
export {
  publishedQualityScales,
  type QualityScale,
  type QualityScales,
  qualityDifficulty,
  type RobustnessValue,
  recentredQualityScales,
  type ScenarioQuality,
} from './srb/quality-difficulty.ts';
export {
  type CutSegment,
  type CutTranscript,
  cutAtSilences,
  cutToSegments,
  type SpeechStretch,
} from './transcript-files/cut-to-segments.ts';
export { type CtmToken, ctmText, readCtm } from './transcript-files/read-ctm.ts';
export { foldCase, readTrn, type TrnUtterance } from './transcript-files/read-trn.ts';
