import type { InferableField } from '@annals/domain';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { MemoryEntity } from './memory.entity.js';
import { TenantColumn } from './tenant-column.js';

/** What a memory of type `insight` is beyond a memory (docs/reference/insights.md#stored-insights). */
@Entity('insights')
@Check('insights_field_check', "field IN ('tone', 'goals_add')")
@ForeignKey(() => MemoryEntity, ['tenant_id', 'memory_id'], ['tenant_id', 'id'], {
  name: 'insights_tenant_id_memory_id_fkey',
  onDelete: 'CASCADE',
})
@Index('insights_by_user', ['tenant_id', 'user_id', 'memory_id'])
export class InsightEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') memory_id: string;
  @Column('text') user_id: string;
  @Column('uuid') run_id: string;
  /** The agent whose conversations it was made from; null: of nobody's in particular. */
  @Column('text', { nullable: true }) agent_id: string | null;
  /** Whether it had ground when it was made. */
  @Column('boolean') is_grounded: boolean;
  @Column('text', { array: true }) tags: string[];
  @Column('text', { nullable: true }) field: InferableField | null;
  @Column('text', { nullable: true }) value: string | null;
}

/** A message or memory that an insight rests on; of one without evidence, that was read for it. Its id stays when it is gone. */
@Entity('insight_grounds')
@Check('insight_grounds_one_check', 'num_nonnulls(message_id, ground_id) = 1')
@ForeignKey(() => InsightEntity, ['tenant_id', 'memory_id'], ['tenant_id', 'memory_id'], {
  name: 'insight_grounds_tenant_id_memory_id_fkey',
  onDelete: 'CASCADE',
})
@Index('insight_grounds_by_ground', { synchronize: false })
@Index('insight_grounds_by_message', { synchronize: false })
@Index('insight_grounds_by_user', ['tenant_id', 'user_id'])
export class InsightGroundEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') memory_id: string;
  @PrimaryColumn('smallint') ordinal: number;
  @Column('text') user_id: string;
  @Column('uuid', { nullable: true }) message_id: string | null;
  @Column('uuid', { nullable: true }) ground_id: string | null;
}
