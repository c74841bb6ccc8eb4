interface Superseded {
  readonly id: string;
  readonly supersededBy: string | null;
}

/** Each memory behind the one that replaced it, so that this is stored first; otherwise in the order given. */
export function orderBySuccessor<M extends Superseded>(memories: readonly M[]): M[] {
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  const ordered = new Set<M>();
  for (const memory of memories) {
    // Successors of a memory form a line, which ends where one is placed already: also in a circle.
    const line = new Set<M>();
    for (
      let next: M | undefined = memory;
      next && !ordered.has(next) && !line.has(next);
      next = next.supersededBy === null ? undefined : byId.get(next.supersededBy)
    ) {
      line.add(next);
    }
    for (const each of [...line].toReversed()) ordered.add(each);
  }
  return [...ordered];
}
