/** A source of identifiers for rows, batches and requests. */
export interface IdGenerator {
  /** A new lower-case UUIDv7; ids of one generator sort in the order of their creation. */
  next(): string;
}
