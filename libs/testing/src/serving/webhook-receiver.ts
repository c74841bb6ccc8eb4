import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './certificate.js';

/** A request as it was received. */
export interface ReceivedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly event: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: Readonly<Record<string, unknown>>;
  };
}

type Answer = (response: ServerResponse, request: ReceivedRequest) => unknown;

/** What lets services reach a {@link WebhookReceiver}. */
export const WEBHOOK_VARIABLES = {
  ANNALS_WEBHOOKS_ALLOW_HTTP: 'true',
  ANNALS_WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.1',
};

/** A receiver of webhooks on a real port of this machine. It accepts everything until `answer` says otherwise. */
export class WebhookReceiver {
  readonly received: ReceivedRequest[] = [];
  /** Requests of which the whole body arrived and that were not answered yet. */
  open = 0;
  mostOpen = 0;
  answer: Answer = acknowledge;
  /** How many were opened. */
  connections = 0;
  private readonly server: Server;
  private readonly waiting: (() => void)[] = [];

  private constructor(certificate?: Certificate) {
    const receive = (request: IncomingMessage, response: ServerResponse) => void this.receive(request, response);
    this.server = certificate ? createTlsServer(certificate, receive) : createServer(receive);
    this.server.on('connection', () => (this.connections += 1));
  }

  /** On a free port unless one is given; over TLS with a certificate. */
  static async start(port = 0, address = '127.0.0.1', certificate?: Certificate): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(certificate);
    await receiver.listen(port, address);
    return receiver;
  }

  get port(): number {
    return this.bound.port;
  }

  get url(): string {
    return `http://${this.bound.address}:${this.bound.port}/hook`;
  }

  private get bound(): AddressInfo {
    return this.server.address() as AddressInfo;
  }

  /** Ids of the events in the order in which they arrived, of one user. */
  idsOf(userId: string | null): string[] {
    return this.received
      .filter(({ event }) => event.data['user_id'] === userId)
      .map(({ headers }) => headers['webhook-id']!);
  }

  /** The same, where what was sent again at once counts as one: it is sent before what is behind it. */
  firstIdsOf(userId: string | null): string[] {
    return this.idsOf(userId).filter((id, index, all) => id !== all[index - 1]);
  }

  /** Resolves when the next request has arrived. */
  nextRequest(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  private listen(port: number, address: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once('error', reject).listen(port, address, resolve);
    });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch {
      return;
    }
    const body = Buffer.concat(chunks).toString();
    const received = {
      path: request.url!,
      headers: request.headers as Record<string, string>,
      body,
      event: JSON.parse(body) as ReceivedRequest['event'],
    };
    this.received.push(received);
    for (const resolve of this.waiting.splice(0)) resolve();
    this.open += 1;
    this.mostOpen = Math.max(this.mostOpen, this.open);
    response.once('close', () => (this.open -= 1));
    await this.answer(response, received);
  }
}

export function acknowledge(response: ServerResponse): void {
  response.writeHead(204).end();
}

export const answerWith =
  (status: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    response.writeHead(status, headers).end('a body of the receiver');
  };

/** Never answers. */
export const hang: Answer = () => undefined;

/** Breaks the connection without an answer. */
export const breakOff: Answer = (response) => response.destroy();
