import type { Comparison, Estimate } from '../../model/finding.ts';
import type { MeasureKind } from './design.ts';

/** How much a group loses, over all measures and conditions of a kind or over some. */
export interface GroupDegradation {
  readonly attribute: string;
  readonly group: string;
  readonly kind: MeasureKind;
  /** Null: the mean over all of the kind. */
  readonly measure: number | null;
  /** Null: the mean over all families. */
  readonly family: string | null;
  readonly baseline: Estimate;
  readonly degradation: Estimate;
}

/** What is compared between groups: what they lose, where they stand before, or how often a recognizer fails. */
export type Quantity = 'degradation' | 'baseline' | 'failures';

export interface GroupComparison {
  readonly attribute: string;
  /** `comparison` is about this one: its value less that of `comparedWith`. */
  readonly group: string;
  readonly comparedWith: string;
  readonly quantity: Quantity;
  /** Null for failures. */
  readonly kind: MeasureKind | null;
  readonly measure: number | null;
  /** For failures. */
  readonly recognizer: number | null;
  readonly family: string | null;
  readonly comparison: Comparison;
}

/** A group that has no words. */
export interface SilentGroup {
  readonly attribute: string;
  readonly group: string;
  readonly kind: MeasureKind;
}
