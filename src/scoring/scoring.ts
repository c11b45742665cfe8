// `earwitness/scoring`: texts made comparable, aligned and counted.

export { readStm, type StmFile, type StmLabel, type StmSegment } from '../base/transcript-lines/read-stm.ts';
export type { TranscriptLine, TranscriptLines } from '../base/transcript-lines/transcript-line.ts';
export type { AlignedWord } from '../model/finding.ts';
export { coversLanguage, type SentenceEmbedder } from '../model/sentence-embedder.ts';
export {
  aequevoxViolations,
  type GroupDistances,
  type Violation,
  type Violations,
} from './agreement/aequevox-violations.ts';
export { type AgreementMatrix, agreementMatrix, type RecognizerTranscripts } from './agreement/agreement-matrix.ts';
export {
  type RoverAlternative,
  type RoverOptions,
  type RoverResult,
  type RoverSet,
  type RoverTranscript,
  rover,
} from './agreement/rover.ts';
export { type TranscriptDistance, transcriptDistance } from './agreement/transcript-distance.ts';
export {
  type PairDistances,
  type ViolationExcess,
  type ViolationRow,
  type ViolationTable,
  violationExcess,
  violationTable,
} from './agreement/violation-table.ts';
export { countWords, sortByDrop, type WordCounts, wordDrops } from './agreement/word-drops.ts';
export { align, alignOperations } from './alignment/align.ts';
export type { AlignmentRule } from './alignment/alignment-rule.ts';
export { characters, countCharacterEdits } from './alignment/characters.ts';
export { countEdits } from './alignment/count-edits.ts';
export { operation } from './alignment/edit-operation.ts';
export type { AlignedPlace } from './analysis/aligned-place.ts';
export { type ConfusionPair, type Confusions, confusionPairs } from './analysis/confusion-pairs.ts';
export { findPhrases, type PhraseSpan } from './analysis/find-phrases.ts';
export {
  type HallucinationOptions,
  type HallucinationSigns,
  hallucinationSigns,
} from './analysis/hallucination-signs.ts';
export {
  type ExtraWordPosition,
  extraWordPositions,
  type InsertionRun,
  insertionRuns,
} from './analysis/insertion-runs.ts';
export {
  addPhraseCounts,
  countKeywordErrors,
  countPhraseErrors,
  noPhrases,
  type PhraseCounts,
  type PhraseRates,
  phraseRates,
} from './analysis/phrase-errors.ts';
export { type LoopOptions, type RepeatedLoop, repeatedLoops } from './analysis/repeated-loops.ts';
export {
  type BleuPair,
  type BleuScore,
  bleuOf,
  corpusBleu,
  type MeanBleu,
  meanSentenceBleu,
  sentenceBleu,
} from './bleu/bleu.ts';
export { type BleuOptions, bleuWeights } from './bleu/bleu-options.ts';
export { addBleuCounts, type BleuCounts, countBleuNgrams } from './bleu/ngram-counts.ts';
export { type BleuSmoothing, bleuSmoothings } from './bleu/smoothing.ts';
export { bleuTokenizers } from './bleu/tokenizers.ts';
export {
  addCounts,
  type EditCounts,
  errorRate,
  errors,
  hypothesisLength,
  noEdits,
  referenceLength,
} from './edit-counts.ts';
export { type FillRate, fillRate } from './fill-rate/fill-rate.ts';
export { applyGlm, type GlmSide, glmNetwork } from './glm/apply-glm.ts';
export { foldAsciiCase } from './glm/fold-ascii-case.ts';
export type { Glm, GlmRule } from './glm/glm.ts';
export { parseGlm } from './glm/parse-glm.ts';
export { withSynonyms } from './glm/synonyms.ts';
export { type ComparedSegment, comparedSegments } from './mapsswe/compared-segments.ts';
export { type ExplainedStep, makeNormalizer, type Normalizer, type NormalizerStep } from './normalizers/normalizer.ts';
export { normalizerIdentity } from './normalizers/normalizer-identity.ts';
export { normalizerNamed, normalizers } from './normalizers/normalizers.ts';
export { type ErrorRates, errorRates } from './rates/error-rates.ts';
export { matchErrorRate } from './rates/match-error-rate.ts';
export { cer, mer, type TextRateOptions, type Texts, wer, wil, wip } from './rates/rates-of-texts.ts';
export { type CorpusScore, createScoreTally, type MacroRates, type ScoreTally } from './rates/score-tally.ts';
export { wordAccuracy } from './rates/word-accuracy.ts';
export { wordInformationLost, wordInformationPreserved } from './rates/word-information.ts';
export { type AlignedNetworkWord, alignNetwork, type NetworkAlignment } from './reference-network/align-network.ts';
export { withOptionalWords } from './reference-network/optional-words.ts';
export { parseReference } from './reference-network/parse-reference.ts';
export { linearNetwork, type NetworkArc, type ReferenceNetwork } from './reference-network/reference-network.ts';
export { type ChrfOptions, type ChrfPair, type ChrfScore, chrf } from './similarity/chrf.ts';
export { type LexicalMeasure, type LexicalSimilarity, lexicalSimilarity } from './similarity/lexical-similarity.ts';
export {
  type SemanticSimilarity,
  type SemanticSimilarityOptions,
  type Similarity,
  semanticSimilarity,
  type TextPair,
} from './similarity/semantic-similarity.ts';
export { type CategoryMeans, categoryMeans, type ScenarioValue } from './srb/category-mean.ts';
export {
  logErrorRateRatio,
  normalizeByDifficulty,
  type RobustnessValue,
  wordErrorRateDegradation,
} from './srb/degradation.ts';
export { createDifficultyTable, type DifficultyTable } from './srb/difficulty-table.ts';
export {
  publishedQualityScales,
  type QualityScale,
  type QualityScales,
  qualityDifficulty,
  qualityScales,
  recentredQualityScales,
  type ScenarioQuality,
} from './srb/quality-difficulty.ts';
export { type TerScore, translationEditRate } from './ter/translation-edit-rate.ts';
export { ctmText } from './transcript-files/ctm-text.ts';
export { cutAtSilences, type SpeechStretch } from './transcript-files/cut-at-silences.ts';
export { type CutSegment, type CutTranscript, cutToSegments } from './transcript-files/cut-to-segments.ts';
export { foldCase } from './transcript-files/fold-case.ts';
export { type CtmToken, readCtm } from './transcript-files/read-ctm.ts';
export { readTrn, type TrnUtterance } from './transcript-files/read-trn.ts';
