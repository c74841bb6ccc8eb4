/** A JSON Schema document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What a remote model is sent, in no provider's own format. */
export interface ExtractionPrompt {
  /** Raised with every change of wording; stored with what it brought. */
  readonly version: string;
  /** The same bytes for every conversation, so that providers' prompt caches can hit. */
  readonly system: string;
  /** The conversation, with short names (`m1`, `m2`, …; `c1`, … for context) in place of message ids. */
  readonly user: string;
  readonly schemaName: string;
  /** The strict subset both APIs accept: every property required, no ranges, `additionalProperties: false`. */
  readonly schema: JsonSchema;
  /** Short name to message id: the messages an answer may cite. */
  readonly messageIds: ReadonlyMap<string, string>;
}
