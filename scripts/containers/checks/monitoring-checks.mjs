import { expect } from '../checklist.mjs';
import { waitUntil } from '../stack/conversation.mjs';
import { OWN_SERVICES } from '../stack/stack.mjs';

/** The profile `monitoring`, as far as its images are here. */
export async function checkMonitoring({ check, skip }, stack) {
  const [prometheus] = stack.inspect('prometheus');
  const query = (path) =>
    JSON.parse(
      stack.engine.docker([
        'exec',
        prometheus.Id,
        'promtool',
        'query',
        'instant',
        '--format=json',
        'http://127.0.0.1:9090',
        path,
      ]),
    );
  if (!prometheus) skip('Prometheus', 'no registry gives its image');
  else {
    await check('Prometheus scrapes every container of Annals', async () => {
      const expected = OWN_SERVICES.reduce((sum, service) => sum + stack.inspect(service).length, 0);
      await waitUntil(`${expected} targets are up`, () => {
        const up = query('count(up{job="annals"} == 1)');
        return Number(up[0]?.value[1]) === expected ? true : undefined;
      });
      return `${expected} targets`;
    });
    await check('Prometheus has loaded the alert rules', () => {
      const [scheduled] = query('prometheus_rule_group_rules');
      expect(Number(scheduled?.value[1]) > 0, 'It has no rules.');
      return `${query('sum(prometheus_rule_group_rules)')[0].value[1]} rules`;
    });
    await check('Prometheus has the metrics of the work that was done', async () => {
      const value = await waitUntil('the counters are scraped', () => {
        const done = query('sum(memory_llm_memories_extracted_total)');
        return Number(done[0]?.value[1]) > 0 ? done[0].value[1] : undefined;
      });
      return `${value} memories`;
    });
  }
  for (const service of ['grafana', 'otel-collector'])
    if (!stack.services.includes(service)) skip(service, 'no registry gives its image');
  if (stack.services.includes('grafana'))
    await check('Grafana has the dashboards and reaches Prometheus', () => checkGrafana(stack));
}

async function checkGrafana(stack) {
  const { ANNALS_GRAFANA_PUBLISH, ANNALS_GRAFANA_PASSWORD } = stack.settings;
  const authorization = `Basic ${Buffer.from(`admin:${ANNALS_GRAFANA_PASSWORD}`).toString('base64')}`;
  const read = async (path) =>
    (await fetch(`http://${ANNALS_GRAFANA_PUBLISH}${path}`, { headers: { authorization } })).json();
  const dashboards = await read('/api/search?type=dash-db');
  expect(dashboards.length >= 7, `It has ${dashboards.length} dashboards.`);
  const health = await read('/api/datasources/uid/annals-prometheus/health');
  expect(health.status === 'OK', JSON.stringify(health));
  return `${dashboards.length} dashboards`;
}
