/** A source of identifiers for rows, batches and requests. */
export interface IdGenerator {
  /** A new lower-case UUIDv7; ids of one generator sort in the order they were made. */
  next(): string;
}
