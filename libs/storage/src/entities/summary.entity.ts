import type { SummaryKind, SummaryLevel, SummaryTier } from '@annals/domain';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { ConversationEntity } from './conversation.entity.js';
import { TenantColumn } from './tenant-column.js';

/** A summary of a chunk, of a group of chunks, or of a whole conversation. Live, or a tombstone. */
@Entity('summaries')
@Check('summaries_tier_check', "tier IN ('L1', 'L2', 'L3')")
@Check('summaries_level_check', "level IN ('BRIEF', 'STANDARD', 'DETAILED', 'HIERARCHICAL')")
@Check('summaries_kind_check', "kind IN ('conversation', 'journal', 'document')")
@ForeignKey(() => ConversationEntity, ['tenant_id', 'conversation_id'], ['tenant_id', 'id'], {
  name: 'summaries_tenant_id_conversation_id_fkey',
})
@Index('summaries_by_conversation', ['tenant_id', 'conversation_id', 'id'])
@Index('summaries_live', { synchronize: false })
export class SummaryEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') conversation_id: string;
  @Column('text') tier: SummaryTier;
  @Column('integer') position: number;
  @Column('text') level: SummaryLevel;
  @Column('text') kind: SummaryKind;
  @Column('text') recipe: string;
  @Column('integer') from_seq: number;
  @Column('integer') to_seq: number;
  @Column('integer') covered_tokens: number;
  @Column('integer') covered_messages: number;
  @Column('text') fingerprint: string;
  @Column('integer') tokens: number;
  @Column('text') provider: string;
  @Column('text', { nullable: true }) model: string | null;
  @Column('timestamptz') last_said_at: Date;
  @Column('timestamptz') created_at: Date;
  @Column('uuid', { nullable: true }) replaced_by: string | null;
  @Column('timestamptz', { nullable: true }) tombstoned_at: Date | null;
}

/** A sentence of a summary with the messages that it cites. */
@Entity('summary_sentences')
@ForeignKey(() => SummaryEntity, ['tenant_id', 'summary_id'], ['tenant_id', 'id'], {
  name: 'summary_sentences_tenant_id_summary_id_fkey',
})
@Index('summary_sentences_by_conversation', ['tenant_id', 'conversation_id'])
export class SummarySentenceEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') summary_id: string;
  @PrimaryColumn('integer') ordinal: number;
  @Column('uuid') conversation_id: string;
  @Column('text') content: string;
  @Column('uuid', { array: true }) message_ids: string[];
}
