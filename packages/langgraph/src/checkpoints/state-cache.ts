import type { StoredState } from './state-text.js';

/** The last state of a namespace of a thread that was saved or read here. */
export interface CachedState {
  readonly checkpointId: string;
  readonly state: StoredState;
  /** The state as it is stored, in UTF-8. */
  readonly bytes: Buffer;
  /** Names it as the base of a delta. */
  readonly version: string;
  readonly takesDelta: boolean;
}

/** The states that were used last, up to a number of bytes in all. */
export class StateCache {
  private readonly entries = new Map<string, CachedState>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  get(key: string): CachedState | undefined {
    const entry = this.entries.get(key);
    if (entry) {
      this.entries.delete(key);
      this.entries.set(key, entry);
    }
    return entry;
  }

  set(key: string, entry: CachedState): void {
    this.delete(key);
    if (entry.bytes.length > this.maxBytes) return;
    this.entries.set(key, entry);
    this.bytes += entry.bytes.length;
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= this.maxBytes) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.entries.delete(key);
    this.bytes -= entry.bytes.length;
  }

  clear(): void {
    this.entries.clear();
    this.bytes = 0;
  }
}
