import { defineFragment } from '../fragment.js';
import { addresses, days, flag, integer, optional, withDefault } from '../variable.js';

export const webhooks = defineFragment({
  title: 'Webhooks',
  variables: {
    allowedNetworks: optional(
      'ANNALS_WEBHOOKS_ALLOWED_NETWORKS',
      addresses(),
      'webhooks are sent to public addresses alone',
      {
        description:
          'Networks that webhooks may reach although they are not public, such as that of receivers inside of your cluster. Name as little as possible: whoever has an admin key of a tenant can have requests sent there. `64:ff9b::/96` opens every IPv4 address behind a NAT64.',
      },
    ),
    allowsHttp: withDefault('ANNALS_WEBHOOKS_ALLOW_HTTP', flag(), 'false', {
      description: 'Whether webhooks may be sent without TLS.',
    }),
    perTenant: withDefault('ANNALS_WEBHOOKS_PER_TENANT', integer(0, 1_000), '10', {
      description: 'How many webhooks a tenant may have. `0` lets nobody add any.',
      unit: 'webhooks',
    }),
    timeoutMs: withDefault('ANNALS_WEBHOOKS_TIMEOUT_MS', integer(100, 15_000), '15000', {
      description: 'Maximum time of one request to a receiver, from resolving its name to its response.',
      unit: 'ms',
    }),
    concurrency: withDefault('ANNALS_WEBHOOKS_CONCURRENCY', integer(1, 4_096), '128', {
      description: 'Requests to receivers that one process has open at a time; receivers that fail get at most half.',
      unit: 'requests',
    }),
    perWebhook: withDefault('ANNALS_WEBHOOKS_PER_WEBHOOK', integer(1, 256), '8', {
      description: 'Requests that one webhook gets at a time, about different users; one that fails gets one.',
      unit: 'requests',
    }),
    pollMs: withDefault('ANNALS_WEBHOOKS_POLL_MS', integer(10, 60_000), '1000', {
      description: 'Interval between two searches for events that are due.',
      unit: 'ms',
    }),
    disableAfterMs: withDefault('ANNALS_WEBHOOKS_DISABLE_AFTER_DAYS', days(1, 365), '5', {
      description: 'A webhook at which nothing could be delivered for this long is disabled.',
      unit: 'days',
    }),
    keepMs: withDefault('ANNALS_WEBHOOKS_KEEP_DAYS', days(1, 365), '30', {
      description:
        'How long events are kept, to be sent again or once their webhook is enabled again. Older ones are deleted, whether they were delivered or not.',
      unit: 'days',
    }),
  },
  build: ({ allowedNetworks = [], ...values }) => ({ ...values, allowedNetworks }),
});
