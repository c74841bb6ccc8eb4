import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { TenantColumn } from './tenant-column.js';

/** A memory or turn in the lexical index, numbered per user. */
@Entity('lexical_units')
@Check('lexical_units_one_kind_check', 'num_nonnulls(memory_id, message_id) = 1')
@Index('lexical_units_by_memory', { synchronize: false })
@Index('lexical_units_by_message', { synchronize: false })
export class LexicalUnitEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('text') user_id: string;
  @PrimaryColumn('integer') unit: number;
  @Column('uuid', { nullable: true }) memory_id: string | null;
  @Column('uuid', { nullable: true }) message_id: string | null;
  @Column('integer') length: number;
  @Column('integer', { nullable: true }) former_unit: number | null;
}

/** The units that one transaction added to a term, as `encodeEntries` writes them. */
@Entity('lexical_postings')
@Check('lexical_postings_kind_check', "kind IN ('memory', 'turn')")
export class LexicalPostingEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('text') user_id: string;
  @PrimaryColumn('text') kind: 'memory' | 'turn';
  @PrimaryColumn('text') term: string;
  @PrimaryColumn('integer') segment: number;
  @Column('bytea') entries: Buffer;
}
