import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { TenantColumn } from './tenant-column.js';
import { MemoryEntity } from './memory.entity.js';

/** A link from one memory to another. */
@Entity('relations')
@Check('relations_strength_check', 'strength BETWEEN 0 AND 1')
@ForeignKey(() => MemoryEntity, ['tenant_id', 'from_id'], ['tenant_id', 'id'], {
  name: 'relations_tenant_id_from_id_fkey',
})
@ForeignKey(() => MemoryEntity, ['tenant_id', 'to_id'], ['tenant_id', 'id'], { name: 'relations_tenant_id_to_id_fkey' })
@Unique('relations_tenant_id_from_id_to_id_relation_type_key', ['tenant_id', 'from_id', 'to_id', 'relation_type'])
@Index('relations_by_target', ['tenant_id', 'to_id'])
export class RelationEntity {
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ type: 'text' })
  user_id: string;

  @Column({ type: 'uuid' })
  from_id: string;

  @Column({ type: 'uuid' })
  to_id: string;

  @Column({ type: 'text', default: 'related_to' })
  relation_type: string;

  @Column({ type: 'real' })
  strength: number;

  @Column({ type: 'timestamptz' })
  created_at: Date;
}
