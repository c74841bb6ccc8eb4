/** A JSON Schema document. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A prompt for a remote model, independent of the API of its provider. */
export interface ModelPrompt {
  /** Changes with every change of wording; stored with the results of the prompt. */
  readonly version: string;
  /** The same bytes in every prompt of a kind, so that providers' prompt caches can hit. */
  readonly system: string;
  readonly user: string;
  readonly schemaName: string;
  /** In the strict subset that both APIs accept: every property required, no ranges, `additionalProperties: false`. */
  readonly schema: JsonSchema;
}

/** The prompt of an extraction; `user` holds the conversation, with short names (`m1`, …; `c1`, … for context). */
export interface ExtractionPrompt extends ModelPrompt {
  /** Short name to message id: the messages an answer may cite. */
  readonly messageIds: ReadonlyMap<string, string>;
}
