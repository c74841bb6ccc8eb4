// Exit code 0 when the service in this container is ready, or with the argument `live` when it only runs: a restart does not
// mend what a store lacks. Workers answer on their health port, the gateway on its own.
const port = process.env.ANNALS_HEALTH_PORT || process.env.ANNALS_HTTP_PORT;
const path = process.argv[2] === 'live' ? 'live' : 'ready';
const response = await fetch(`http://127.0.0.1:${port}/health/${path}`).catch(() => undefined);
process.exit(response?.ok ? 0 : 1);
