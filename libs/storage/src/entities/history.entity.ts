import type { ErasureReceipt, HistoryEvent } from '@annals/contracts';
import type { HistoryDraft } from '@annals/domain';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';

/** A link of a user's audit chain. */
@Entity('history')
@Check(
  'history_event_check',
  "event IN ('ADD', 'UPDATE', 'DELETE', 'MERGE', 'LINK', 'TTL', 'RESTORE', 'CONSENT', 'UNDO', 'QUARANTINE', 'PURGE', 'ERASE', 'EVICT')",
)
@Index('history_by_batch', { synchronize: false })
@Index('history_by_memory', ['tenant_id', 'memory_id', 'seq'])
export class HistoryEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('text') user_id: string;
  @PrimaryColumn('bigint') seq: string;
  @Column('uuid') id: string;
  @Column('uuid', { nullable: true }) memory_id: string | null;
  @Column('text') event: HistoryEvent;
  @Column('uuid', { nullable: true }) old_ref: string | null;
  @Column('uuid', { nullable: true }) new_ref: string | null;
  @Column('text', { nullable: true }) actor: string | null;
  @Column('uuid', { nullable: true }) batch_id: string | null;
  @Column('jsonb', { default: {} }) meta: HistoryDraft['meta'];
  @Column('text', { nullable: true }) content: string | null;
  @Column('bytea', { nullable: true }) salt: Buffer | null;
  @Column('bytea') content_hmac: Buffer;
  @Column('smallint', { default: 1 }) version: number;
  @Column('bytea', { nullable: true }) state_hmac: Buffer | null;
  @Column('bytea', { nullable: true }) replaced_hash: Buffer | null;
  @Column('bytea', { nullable: true }) prev_hash: Buffer | null;
  @Column('bytea') hash: Buffer;
  @Column('timestamptz') ts: Date;
}

/** Proof that a user was erased. */
@Entity('erasure_receipts')
@Index('erasure_receipts_by_link', ['tenant_id', 'user_id', 'chain_seq'], { unique: true })
export class ErasureReceiptEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') id: string;
  @Column('text') user_id: string;
  @Column('timestamptz') erased_at: Date;
  @Column('jsonb') counts: Record<string, number>;
  @Column('bigint') chain_seq: string;
  @Column('bytea') chain_head: Buffer;
  @Column('bytea') signature: Buffer;
  @Column('jsonb', { nullable: true }) resealed: ErasureReceipt['resealed'];
}
