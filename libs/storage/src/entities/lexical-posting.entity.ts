import { Check, Column, Entity, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';

/** The units that one transaction added to a term, as `encodeEntries` writes them. */
@Entity('lexical_postings')
@Check('lexical_postings_kind_check', "kind IN ('memory', 'turn')")
export class LexicalPostingEntity {
  @TenantColumn()
  tenant_id: string;

  @PrimaryColumn({ type: 'text' })
  user_id: string;

  @PrimaryColumn({ type: 'text' })
  kind: 'memory' | 'turn';

  @PrimaryColumn({ type: 'text' })
  term: string;

  @PrimaryColumn({ type: 'integer' })
  segment: number;

  @Column({ type: 'bytea' })
  entries: Buffer;
}
