// Exit code 0 when the service in this container is ready. Workers answer on their health port, the gateway on its own.
const port = process.env.ANNALS_HEALTH_PORT || process.env.ANNALS_HTTP_PORT;
const response = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
process.exit(response?.ok ? 0 : 1);
