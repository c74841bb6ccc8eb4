import { createServer, type ServerResponse } from 'node:http';

// An OpenAI-compatible server that answers at once: the time that is measured is that of the connection and the proxy.

const PIECES = 50;
/** A question with this word keeps its stream open after the first piece. */
const HOLD = 'keep-open';

const chunkOf = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

const held = new Set<ServerResponse>();

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (piece: string) => (body += piece));
  request.on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(chunkOf({ role: 'assistant', content: 'It is' }));
    if (body.includes(HOLD)) {
      held.add(response);
      response.on('close', () => held.delete(response));
      return;
    }
    for (let piece = 0; piece < PIECES; piece += 1) response.write(chunkOf({ content: ` word ${piece}` }));
    response.end(`${chunkOf({}, 'stop')}data: [DONE]\n\n`);
  });
});

server.listen(Number(process.env['ANNALS_HTTP_PORT'] ?? 0), '127.0.0.1');
// The frame asks whether it is ready, and stops it by a signal.
process.on('SIGTERM', () => process.exit(0));
