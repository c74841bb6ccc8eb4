import type { HistoryEvent } from '@annals/contracts';
import type { HistoryDraft } from '@annals/domain';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';

/** A link of a user's audit chain. */
@Entity('history')
@Check(
  'history_event_check',
  "event IN ('ADD', 'UPDATE', 'DELETE', 'MERGE', 'LINK', 'TTL', 'RESTORE', 'CONSENT', 'UNDO', 'QUARANTINE', 'PURGE', 'ERASE')",
)
@Index('history_by_batch', { synchronize: false })
@Index('history_by_memory', ['tenant_id', 'memory_id', 'seq'])
export class HistoryEntity {
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'text' })
  user_id: string;

  @PrimaryColumn({ type: 'bigint' })
  seq: string;

  @Column({ type: 'uuid' })
  id: string;

  @Column({ type: 'uuid', nullable: true })
  memory_id: string | null;

  @Column({ type: 'text' })
  event: HistoryEvent;

  @Column({ type: 'uuid', nullable: true })
  old_ref: string | null;

  @Column({ type: 'uuid', nullable: true })
  new_ref: string | null;

  @Column({ type: 'text', nullable: true })
  actor: string | null;

  @Column({ type: 'uuid', nullable: true })
  batch_id: string | null;

  @Column({ type: 'jsonb', default: {} })
  meta: HistoryDraft['meta'];

  @Column({ type: 'text', nullable: true })
  content: string | null;

  @Column({ type: 'bytea', nullable: true })
  salt: Buffer | null;

  @Column({ type: 'bytea' })
  content_hmac: Buffer;

  @Column({ type: 'bytea', nullable: true })
  prev_hash: Buffer | null;

  @Column({ type: 'bytea' })
  hash: Buffer;

  @Column({ type: 'timestamptz' })
  ts: Date;
}

/** Proof that a user was erased. */
@Entity('erasure_receipts')
@Index('erasure_receipts_by_link', ['tenant_id', 'user_id', 'chain_seq'], { unique: true })
export class ErasureReceiptEntity {
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  user_id: string;

  @Column({ type: 'timestamptz' })
  erased_at: Date;

  @Column({ type: 'jsonb' })
  counts: Record<string, number>;

  @Column({ type: 'bigint' })
  chain_seq: string;

  @Column({ type: 'bytea' })
  chain_head: Buffer;

  @Column({ type: 'bytea' })
  signature: Buffer;
}
