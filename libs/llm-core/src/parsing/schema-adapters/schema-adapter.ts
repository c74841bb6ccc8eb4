/** Converts one other form of an answer to the list of memories of `memory_llm_response_v1`. */
export interface SchemaAdapter {
  /** Name in logs, metrics and `adaptedFrom`. */
  readonly name: string;
  /** The memories, not validated yet; null if the document does not have this form. */
  adapt(document: unknown): readonly unknown[] | null;
}
