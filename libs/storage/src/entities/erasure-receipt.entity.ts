import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';

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
  counts: unknown;

  @Column({ type: 'bigint' })
  chain_seq: string;

  @Column({ type: 'bytea' })
  chain_head: Buffer;

  @Column({ type: 'bytea' })
  signature: Buffer;
}
