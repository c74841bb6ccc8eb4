import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';

/** A posting of the lexical index: how often a memory says a term. */
@Entity('memory_terms')
@Index('memory_terms_by_memory', ['tenant_id', 'memory_id'])
export class MemoryTermEntity {
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'text' })
  user_id: string;

  @PrimaryColumn({ type: 'text' })
  term: string;

  @PrimaryColumn({ type: 'uuid' })
  memory_id: string;

  @Column({ type: 'smallint' })
  tf: number;
}
