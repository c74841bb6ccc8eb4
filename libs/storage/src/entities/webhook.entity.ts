import type { WebhookDeliveryStatus, WebhookDisabledReason, WebhookEventType } from '@annals/contracts';
import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { TenantColumn } from './tenant-column.js';
import { TenantEntity } from './tenant.entity.js';

/** What a secret before the last rotation was derived from, and when it ends (ISO 8601). */
export interface PreviousSecret {
  readonly salt: string;
  readonly until: string;
}

/** An endpoint that is told of changes (docs/reference/webhooks.md). */
@Entity('webhooks')
@Check('webhooks_disabled_reason_check', "disabled_reason IN ('paused', 'gone', 'failing')")
@Unique('webhooks_tenant_id_id_key', ['tenant_id', 'id'])
@ForeignKey(() => TenantEntity, ['tenant_id'], ['tenant_id'], { name: 'webhooks_tenant_id_fkey' })
export class WebhookEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('uuid') webhook_key: string;
  @Column('text') id: string;
  @Column('text') url: string;
  @Column('text', { array: true }) events: string[];
  @Column('text', { array: true }) include: string[];
  @Column('uuid') salt: string;
  @Column('jsonb', { default: [] }) previous_secrets: readonly PreviousSecret[];
  @Column('integer', { default: 1 }) revision: number;
  @Column('timestamptz', { nullable: true }) disabled_at: Date | null;
  @Column('text', { nullable: true }) disabled_reason: WebhookDisabledReason | null;
  @Column('integer', { default: 0 }) failures: number;
  @Column('timestamptz', { nullable: true }) failing_since: Date | null;
  @Column('timestamptz', { nullable: true }) paused_until: Date | null;
  @Column('timestamptz', { nullable: true }) last_delivered_at: Date | null;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') updated_at: Date;
}

/** What one endpoint is told about one user, in order. The feed is the user's id, or '' for what is about no user. */
@Entity('webhook_feeds')
@Index('webhook_feeds_due', ['tenant_id', 'webhook_key', 'due_at'], { where: '(due_at IS NOT NULL)' })
@Index('webhook_feeds_leased', ['tenant_id', 'webhook_key'], { where: '(leased_until IS NOT NULL)' })
export class WebhookFeedEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('text') owner: string;
  @PrimaryColumn('uuid') webhook_key: string;
  @Column('bigint') last_seq: string;
  @Column('timestamptz', { nullable: true }) due_at: Date | null;
  @Column('timestamptz', { nullable: true }) leased_until: Date | null;
  @Column('uuid', { nullable: true }) lease_id: string | null;
  @Column('boolean', { default: false }) retries_now: boolean;
}

/** One event for one endpoint, without content. */
@Entity('webhook_deliveries')
@Check('webhook_deliveries_status_check', "status IN ('pending', 'delivered', 'dead')")
@Index('webhook_deliveries_pending', ['tenant_id', 'webhook_key', 'owner', 'seq'], {
  where: "(status = 'pending'::text)",
})
@Index('webhook_deliveries_dead', ['tenant_id', 'webhook_key', 'occurred_at', 'event_id'], {
  where: "(status = 'dead'::text)",
})
@Index('webhook_deliveries_by_time', ['tenant_id', 'webhook_key', 'occurred_at', 'event_id'])
@Index('webhook_deliveries_by_age', ['occurred_at'])
export class WebhookDeliveryEntity {
  @TenantColumn() tenant_id: string;
  @PrimaryColumn('text') owner: string;
  @PrimaryColumn('uuid') webhook_key: string;
  @PrimaryColumn('bigint') seq: string;
  @Column('uuid') event_id: string;
  @Column('text') type: WebhookEventType;
  @Column('uuid', { nullable: true }) memory_id: string | null;
  @Column('jsonb') data: Readonly<Record<string, string | number | boolean>>;
  @Column('timestamptz') occurred_at: Date;
  @Column('text', { default: 'pending' }) status: WebhookDeliveryStatus;
  @Column('integer', { default: 0 }) attempts: number;
  @Column('timestamptz', { nullable: true }) first_failed_at: Date | null;
  @Column('smallint', { nullable: true }) response_status: number | null;
  @Column('text', { nullable: true }) failure: string | null;
  @Column('timestamptz', { nullable: true }) settled_at: Date | null;
}
