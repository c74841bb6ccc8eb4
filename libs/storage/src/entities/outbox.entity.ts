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
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') id: string;
  @Column('text') queue: QueueName;
  @Column('uuid') batch_id: string;
  @Column('integer') generation: number;
  @Column('timestamptz') available_at: Date;
  @Column('timestamptz') rank_at: Date;
  @Column('timestamptz', { nullable: true }) leased_until: Date | null;
  @Column('timestamptz', { nullable: true }) released_at: Date | null;
  @Column('timestamptz', { nullable: true }) checked_at: Date | null;
  @Column('text', { nullable: true }) trace: string | null;
  @Column('timestamptz') created_at: Date;
}
