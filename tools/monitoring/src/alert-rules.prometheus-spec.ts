import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { startPrivatePrometheus, type PrivatePrometheus } from '@annals/testing';
import { parse, stringify } from 'yaml';
import { ALERT_CASES, listAlerts } from './alerts/alert-cases.fixture.ts';
import type { AlertName } from './alerts/alerts.ts';
import { renderAlertRules } from './render-alert-rules.ts';

type AlertTest = (typeof ALERT_CASES)[keyof typeof ALERT_CASES]['fires'];

describe('alert rules', () => {
  let prometheus: PrivatePrometheus;
  /** What promtool says of the tests of each alert, by the name of their file. */
  let results: ReadonlyMap<string, string>;

  beforeAll(async () => {
    prometheus = await startPrivatePrometheus();
    write('alerts.yml', renderAlertRules());
    const files = listAlerts().map(([name]) => `${name}.yml`);
    // Only the group of an alert: promtool evaluates every rule of the files it is given, in every minute of every test.
    const { groups } = parse(renderAlertRules()) as { groups: { name: string; rules: { alert: AlertName }[] }[] };
    for (const group of groups) {
      write(`${group.name}.yml`, stringify({ groups: [group] }));
      for (const { alert } of group.rules) write(`${alert}.yml`, describeTests(alert, `${group.name}.yml`));
    }
    const { output } = await prometheus.promtool('test', 'rules', ...files.map((file) => `{folder}/${file}`));
    results = new Map(
      output
        .split('Unit Testing:')
        .slice(1)
        .map((section) => {
          const [file, ...rest] = section.trim().split('\n');
          return [path.basename(file!.trim()), rest.join('\n').trim()];
        }),
    );
  });
  afterAll(() => prometheus?.stop());

  const write = (file: string, text: string) => writeFileSync(path.join(prometheus.folder, file), text);

  it('are accepted by promtool', async () => {
    const { status, output } = await prometheus.promtool('check', 'rules', '{folder}/alerts.yml');
    expect(output).toContain(`SUCCESS: ${listAlerts().length} rules found`);
    expect(status).toBe(0);
  });

  it.each(listAlerts().map(([name]) => name))('%s fires, and stays silent', (name) => {
    expect(results.get(`${name}.yml`)).toBe('SUCCESS');
  });
});

function describeTests(name: AlertName, rules: string): string {
  const { fires, silent } = ALERT_CASES[name];
  const test = (title: string, { series, at }: AlertTest, count: number) => ({
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
  return stringify({
    rule_files: [rules],
    evaluation_interval: '1m',
    tests: [test('fires', fires, 1), test('stays silent', silent, 0)],
  });
}
