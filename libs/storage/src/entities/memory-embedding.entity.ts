import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';
import { MemoryEntity } from './memory.entity.js';

/** The vector of a memory under one model: in `narrow` when it fits the index of a user's vectors, else in `wide`. */
@Entity('memory_embeddings')
@ForeignKey(() => MemoryEntity, ['tenant_id', 'memory_id'], ['tenant_id', 'id'], {
  name: 'memory_embeddings_tenant_id_memory_id_fkey',
})
@Check('memory_embeddings_one_vector_check', 'num_nonnulls(narrow, wide) = 1')
@Index('memory_embeddings_by_content', ['tenant_id', 'model', 'content_hash'])
@Index('memory_embeddings_by_user', { synchronize: false })
export class MemoryEmbeddingEntity {
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'uuid' })
  memory_id: string;

  @PrimaryColumn({ type: 'text' })
  model: string;

  @Column({ type: 'text' })
  user_id: string;

  @Column({ type: 'bytea' })
  content_hash: Buffer;

  @Column({ type: 'halfvec', nullable: true })
  narrow: number[] | null;

  @Column({ type: 'halfvec', nullable: true })
  wide: number[] | null;
}
