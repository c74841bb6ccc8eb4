import type { LangGraphCheckpointSaved, LangGraphWrite } from '@annals/contracts';

/** A checkpoint that should exist. */
export interface ModelCheckpoint {
  readonly id: string;
  /** Has a smaller id. */
  readonly parentId: string | null;
  readonly replayedChannels: readonly string[];
  readonly metadata: Record<string, unknown>;
  readonly state: string;
  /** Epoch ms. */
  readonly savedAt: number;
}

export type ModelWrite = LangGraphWrite;

/** What a namespace of a thread should hold, kept without deltas. */
export class NamespaceModel {
  readonly checkpoints = new Map<string, ModelCheckpoint>();
  /** By the checkpoint that they are behind. */
  private readonly writes = new Map<string, ModelWrite[]>();
  /** Every state that was stored and the version that names it; the last one is the base of deltas. */
  readonly stored: { readonly saved: LangGraphCheckpointSaved; readonly state: string }[] = [];

  save(checkpoint: ModelCheckpoint, saved: LangGraphCheckpointSaved): void {
    this.checkpoints.set(checkpoint.id, checkpoint);
    this.stored.push({ saved, state: checkpoint.state });
  }

  /** One with a negative index replaces an earlier one, others stay as they were first saved. */
  write(checkpointId: string, writes: readonly ModelWrite[]): void {
    const all = this.writes.get(checkpointId) ?? [];
    for (const write of writes) {
      const at = all.findIndex(({ task_id, idx }) => task_id === write.task_id && idx === write.idx);
      if (at < 0) all.push(write);
      else if (write.idx < 0) all[at] = write;
    }
    this.writes.set(checkpointId, all);
  }

  /** In the order of their bytes, as the server has to have them. */
  writesOf(checkpointId: string): ModelWrite[] {
    return (this.writes.get(checkpointId) ?? []).toSorted(
      (a, b) => compare(a.task_path, b.task_path) || compare(a.task_id, b.task_id) || a.idx - b.idx,
    );
  }

  /** Those with the greatest ids first. */
  list(): ModelCheckpoint[] {
    return [...this.checkpoints.values()].toSorted((a, b) => compare(b.id, a.id));
  }

  /** Returns what is deleted: neither the newest, nor saved at `before` or later, nor needed to replay a channel. */
  prune(before: number | null): { checkpoints: number; writes: number } {
    const [newest] = this.list();
    const retained = new Set<string>();
    for (const checkpoint of this.checkpoints.values()) {
      if (checkpoint !== newest && (before === null || checkpoint.savedAt < before)) continue;
      retained.add(checkpoint.id);
      for (const channel of checkpoint.replayedChannels) {
        let at = this.parentOf(checkpoint);
        for (; at; at = at.replayedChannels.includes(channel) ? this.parentOf(at) : undefined) retained.add(at.id);
      }
    }
    const gone = [...this.checkpoints.keys()].filter((id) => !retained.has(id));
    let writes = 0;
    for (const id of gone) {
      writes += this.writes.get(id)?.length ?? 0;
      this.checkpoints.delete(id);
      this.writes.delete(id);
    }
    return { checkpoints: gone.length, writes };
  }

  copy(): NamespaceModel {
    const copy = new NamespaceModel();
    for (const [id, checkpoint] of this.checkpoints) copy.checkpoints.set(id, checkpoint);
    for (const [id, writes] of this.writes) copy.writes.set(id, [...writes]);
    return copy;
  }

  countWrites(): number {
    return [...this.writes.values()].reduce((sum, { length }) => sum + length, 0);
  }

  private parentOf({ parentId }: ModelCheckpoint): ModelCheckpoint | undefined {
    return parentId === null ? undefined : this.checkpoints.get(parentId);
  }
}

function compare(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
