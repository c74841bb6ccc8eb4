import { expect } from '../checklist.mjs';
import { OWN_SERVICES, serviceOf } from '../stack/stack.mjs';

/** What every running container must be. */
export async function checkContainers({ check }, stack) {
  const { engine } = stack;
  const own = () => stack.inspect().filter((container) => OWN_SERVICES.includes(serviceOf(container)));
  const running = () => stack.inspect().filter((container) => container.State.Running);

  await check('every running container is healthy by a health check of its own', () => {
    const states = running().map((container) => [serviceOf(container), container.State.Health?.Status ?? 'none']);
    // Its image has no program that could ask (docker-compose.yml).
    const unwell = states.filter(([service, status]) => status !== 'healthy' && service !== 'otel-collector');
    expect(unwell.length === 0, unwell.map((state) => state.join(' is ')).join('\n'));
    return states.map(([service]) => service).join(', ');
  });
  await check('containers of Annals run one process, node, as user 1000', () => {
    for (const container of own()) {
      const lines = engine.docker(['top', container.Id, '-eo', 'uid,pid,args']).trim().split('\n').slice(1);
      const processes = lines.filter((line) => !line.includes('healthcheck.mjs'));
      expect(processes.length === 1, `${serviceOf(container)} runs ${processes.length}:\n${processes.join('\n')}`);
      expect(/^\s*1000\s+\d+\s+node /.test(processes[0]), `${serviceOf(container)}: ${processes[0]}`);
    }
  });
  await check('every container has a read-only root, no capabilities beyond its start, no new privileges', () => {
    for (const container of running()) {
      const { ReadonlyRootfs, CapDrop, SecurityOpt, Privileged } = container.HostConfig;
      const isHardened =
        ReadonlyRootfs &&
        CapDrop?.includes('ALL') &&
        SecurityOpt?.some((option) => option.startsWith('no-new-privileges'));
      expect(isHardened && !Privileged, `${serviceOf(container)} is not hardened.`);
    }
    for (const container of own()) {
      const { status, output } = engine.tryDocker(['exec', container.Id, 'sh', '-c', 'echo x > /app/x']);
      expect(status !== 0 && /Read-only/.test(output), `${serviceOf(container)} could write /app/x: ${output}`);
    }
  });
  await check('no secret is an argument of a process, a health check or a container', () => {
    const secrets = Object.entries(stack.settings).filter(([name]) => /PASSWORD|KEY|TOKEN/.test(name));
    for (const container of running()) {
      const { Cmd, Entrypoint, Healthcheck } = container.Config;
      const processes = engine.docker(['top', container.Id, '-eo', 'pid,args']);
      const visible = JSON.stringify([container.Path, container.Args, Cmd, Entrypoint, Healthcheck]) + processes;
      const shown = secrets.filter(([, value]) => visible.includes(value)).map(([name]) => name);
      expect(shown.length === 0, `${serviceOf(container)} shows ${shown.join(', ')}.`);
    }
    return `${secrets.length} secrets, ${running().length} containers`;
  });
  await check('Valkey asks for its password', () => {
    const [{ Id }] = stack.inspect('redis');
    const ping = engine.tryDocker([
      'exec',
      '--env',
      'REDISCLI_AUTH=',
      Id,
      'sh',
      '-c',
      'unset REDISCLI_AUTH; valkey-cli ping',
    ]);
    expect(/NOAUTH/.test(ping.output), `Without a password it answers: ${ping.output}`);
  });
}

/** Stops everything; every service must end by itself in the time that it is given. */
export async function checkStop({ check }, stack) {
  await check('every service stops with exit code 0 within its stop period', () => {
    stack.compose(['--profile', '*', 'stop']);
    const ended = stack.inspect().map((container) => [serviceOf(container), container.State]);
    for (const [service, { Running, ExitCode, OOMKilled }] of ended)
      expect(
        !Running && ExitCode === 0 && !OOMKilled,
        `${service} ended with ${ExitCode}${OOMKilled ? ', out of memory' : ''}.`,
      );
    return ended.map(([service]) => service).join(', ');
  });
}
