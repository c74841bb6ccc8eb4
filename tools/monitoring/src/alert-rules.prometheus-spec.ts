import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { startPrivatePrometheus, type PrivatePrometheus } from '@annals/testing';
import { stringify } from 'yaml';
import { ALERT_CASES, listAlerts } from './alerts/alert-cases.fixture.ts';
import { renderAlertRules } from './render-alert-rules.ts';

describe('alert rules', () => {
  let prometheus: PrivatePrometheus;

  beforeAll(async () => {
    prometheus = await startPrivatePrometheus();
    write('alerts.yml', renderAlertRules());
  });
  afterAll(() => prometheus.stop());

  const write = (file: string, text: string) => writeFileSync(path.join(prometheus.folder, file), text);

  it('are accepted by promtool', async () => {
    const { status, output } = await prometheus.promtool('check', 'rules', '{folder}/alerts.yml');
    expect(output).toContain(`SUCCESS: ${listAlerts().length} rules found`);
    expect(status).toBe(0);
  });

  it.each(listAlerts().map(([name]) => name))('%s fires, and stays silent', async (name) => {
    const { fires, silent } = ALERT_CASES[name];
    const test = (title: string, { series, at }: typeof fires, count: number) => ({
      name: `${name} ${title}`,
      interval: '1m',
      input_series: Object.entries(series).map(([labels, values]) => ({ series: labels, values })),
      promql_expr_test: [
        {
          expr: `count(ALERTS{alertname="${name}",alertstate="firing"})`,
          eval_time: at,
          exp_samples: count === 0 ? [] : [{ labels: '{}', value: count }],
        },
      ],
    });
    write(
      `${name}.yml`,
      stringify({
        rule_files: ['alerts.yml'],
        evaluation_interval: '1m',
        tests: [test('fires', fires, 1), test('stays silent', silent, 0)],
      }),
    );
    const { status, output } = await prometheus.promtool('test', 'rules', `{folder}/${name}.yml`);
    expect(output).toContain('SUCCESS');
    expect(status).toBe(0);
  });
});
