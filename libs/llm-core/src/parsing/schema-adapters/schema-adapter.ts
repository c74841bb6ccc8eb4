/** Turns one older or looser form of an answer into the list of memories of `memory_llm_response_v1`. */
export interface SchemaAdapter {
  /** Named in logs and in `adaptedFrom`. */
  readonly name: string;
  /** The memories, not checked yet; null when the document does not have this form. */
  adapt(document: unknown): readonly unknown[] | null;
}
