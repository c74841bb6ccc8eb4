import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { MemoryEntity } from './memory.entity.js';
import { TenantColumn } from './tenant-column.js';

/** When a memory was last part of an answer, and in how many answers it was. */
@Entity('memory_access')
@ForeignKey(() => MemoryEntity, ['tenant_id', 'memory_id'], ['tenant_id', 'id'], {
  name: 'memory_access_tenant_id_memory_id_fkey',
})
export class MemoryAccessEntity {
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'uuid' })
  memory_id: string;

  @Column({ type: 'timestamptz' })
  last_accessed_at: Date;

  @Column({ type: 'integer' })
  access_count: number;
}
