/** The type of a field: a primitive, the tokens used by a call, a described error, or a closed set of strings. */
export type FieldKind = 'string' | 'number' | 'boolean' | 'tokenUsage' | 'error' | readonly string[];

export interface EventDefinition {
  /** When the event is logged: completes a sentence that starts with the event name. */
  readonly when: string;
  /** Who did what, or tried to: logged whatever the level is, in every profile. */
  readonly audit?: true;
  /** Required fields. Envelope fields are logged at the top level, all others under `context`. */
  readonly fields: Readonly<Record<string, FieldKind>>;
}
