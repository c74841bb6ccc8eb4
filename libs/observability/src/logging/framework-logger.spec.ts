import { createLogger } from './create-logger.js';
import { createFrameworkLogger } from './framework-logger.js';

function capture() {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger({
    service: 'gateway',
    level: 'debug',
    clock: { now: () => 0 },
    destination: { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) },
  });
  return { framework: createFrameworkLogger(logger), lines };
}

describe('the logger given to the web framework', () => {
  it('logs routine lines at debug with the name of the logging class', () => {
    const { framework, lines } = capture();
    framework.log('Mapped {/v1/memories, GET} route', 'RouterExplorer');
    framework.warn('careful', 'A sentence is not a class.');
    expect(lines.map(({ level, event, context }) => [level, event, context])).toEqual([
      ['debug', 'framework_message', { source: 'RouterExplorer', note: 'Mapped {/v1/memories, GET} route' }],
      ['warn', 'framework_message', { source: 'framework', note: 'careful' }],
    ]);
  });

  it.each([
    ['an error object', [new Error('Zenobia said so'), 'ExceptionsHandler']],
    ['an error as the second argument', ['Zenobia said so', new Error('Zenobia said so'), 'ExceptionsHandler']],
    [
      'message and stack as strings',
      ['Zenobia said so', 'Error: Zenobia said so\n    at f (file:///a.js:1:2)', 'ExceptionsHandler'],
    ],
  ])('omits the message when it is passed %s', (_form, [message, ...rest]) => {
    const { framework, lines } = capture();
    framework.error(message, ...rest);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 'error',
      event: 'framework_error',
      context: { source: 'ExceptionsHandler', error: { name: 'Error' } },
    });
    expect(JSON.stringify(lines)).not.toContain('Zenobia');
  });
});
