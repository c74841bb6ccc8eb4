import type { QueueName } from '@annals/contracts';
import { Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { BatchEntity } from './batch.entity.js';
import { TenantColumn } from './tenant-column.js';

/** A stage of work that waits in PostgreSQL or is in flight in a queue. */
@Entity('outbox')
@ForeignKey(() => BatchEntity, ['tenant_id', 'batch_id'], ['tenant_id', 'id'], {
  name: 'outbox_tenant_id_batch_id_fkey',
})
@Unique('outbox_tenant_id_batch_id_queue_key', ['tenant_id', 'batch_id', 'queue'])
@Index('outbox_due', { synchronize: false })
@Index('outbox_in_flight', { synchronize: false })
@Index('outbox_released', { synchronize: false })
@Index('outbox_waiting', { synchronize: false })
export class OutboxEntity {
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  queue: QueueName;

  @Column({ type: 'uuid' })
  batch_id: string;

  @Column({ type: 'integer' })
  generation: number;

  @Column({ type: 'timestamptz' })
  available_at: Date;

  @Column({ type: 'timestamptz' })
  rank_at: Date;

  @Column({ type: 'timestamptz', nullable: true })
  leased_until: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  released_at: Date | null;

  @Column({ type: 'timestamptz', nullable: true })
  checked_at: Date | null;

  @Column({ type: 'text', nullable: true })
  trace: string | null;

  @Column({ type: 'timestamptz' })
  created_at: Date;
}
