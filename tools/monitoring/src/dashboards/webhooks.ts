import type { Dashboard } from '../panel.ts';
import { highest, increase, quantile, rate } from '../promql.ts';

/** What receivers are told, how fast, and what they do not take. */
export const webhooks: Dashboard = {
  uid: 'annals-webhooks',
  title: 'Annals / Webhooks',
  description: 'What receivers of tenants are told, how fast, and what they do not take.',
  panels: [
    {
      title: 'How many requests are sent to receivers, by result?',
      unit: 'ops',
      queries: [{ expr: rate('memory_llm_webhook_attempts_total', { by: ['result'] }), legend: '{{result}}' }],
      runbook: 'operating.md#webhooks',
    },
    {
      title: 'How long does a request take (95 %)?',
      unit: 'ms',
      queries: [{ expr: quantile(0.95, 'memory_llm_webhook_attempt_ms', { by: ['result'] }), legend: '{{result}}' }],
      runbook: 'operating.md#webhooks',
    },
    {
      title: 'How soon after a change does its receiver know it?',
      unit: 'ms',
      queries: [
        { expr: quantile(0.5, 'memory_llm_webhook_delay_ms'), legend: 'median' },
        { expr: quantile(0.95, 'memory_llm_webhook_delay_ms'), legend: '95 %' },
      ],
      runbook: 'AnnalsWebhooksOverdue',
    },
    {
      title: 'Since when is the oldest event due at a webhook that works?',
      unit: 'ms',
      queries: [{ expr: highest('memory_llm_webhook_overdue_ms'), legend: 'overdue' }],
      target: { value: 600_000 },
      runbook: 'AnnalsWebhooksOverdue',
    },
    {
      title: 'How many events wait, and how many were given up?',
      unit: 'short',
      queries: [
        { expr: highest('memory_llm_webhook_pending'), legend: 'wait' },
        { expr: highest('memory_llm_webhook_dead'), legend: 'given up' },
      ],
      runbook: 'AnnalsWebhookEventsDead',
    },
    {
      title: 'How many webhooks work, fail or are disabled?',
      unit: 'short',
      queries: [{ expr: highest('memory_llm_webhooks', { by: ['state'] }), legend: '{{state}}' }],
      runbook: 'AnnalsWebhookDisabled',
    },
    {
      title: 'How many events are given up, and webhooks disabled, in an hour?',
      unit: 'short',
      queries: [
        { expr: increase('memory_llm_webhook_dead_total', { over: '1h' }), legend: 'events given up' },
        {
          expr: increase('memory_llm_webhooks_disabled_total', { by: ['reason'], over: '1h' }),
          legend: 'disabled: {{reason}}',
        },
      ],
      runbook: 'AnnalsWebhookEventsDead',
    },
  ],
};
