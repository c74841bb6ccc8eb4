/** A stored state, as the base of a delta. It never changes: keys and numbers are not used again. */
export interface NamedVersion {
  readonly namespaceKey: string;
  readonly seq: number;
  readonly bytes: number;
}

const VERSION = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.(\d{1,9})\.(\d{1,9})$/;

export function describeVersion({ namespaceKey, seq, bytes }: NamedVersion): string {
  return `${namespaceKey}.${seq}.${bytes}`;
}

/** Null for a text that this server did not issue. */
export function parseVersion(text: string): NamedVersion | null {
  const [, namespaceKey, seq, bytes] = VERSION.exec(text) ?? [];
  return namespaceKey === undefined ? null : { namespaceKey, seq: Number(seq), bytes: Number(bytes) };
}
