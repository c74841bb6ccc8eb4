import { type BeforeApplicationShutdown, Injectable, Inject, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const POLL_INTERVAL_MS = 20;

/** Closes connections once open responses are finished; Node alone waits for those without a request, too. */
@Injectable()
export class ConnectionDrain implements OnModuleInit, BeforeApplicationShutdown {
  private openResponses = 0;

  constructor(@Inject(HttpAdapterHost) private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    this.server.on('request', (_request: IncomingMessage, response: ServerResponse) => {
      this.openResponses += 1;
      response.once('close', () => (this.openResponses -= 1));
    });
  }

  /** Runs before the server stops listening, so it starts a poll that acts once no new connection is accepted. */
  beforeApplicationShutdown(): void {
    const { server } = this;
    if (!server.listening) return;
    const poll = setInterval(() => {
      if (!server.listening && this.openResponses === 0) server.closeAllConnections();
    }, POLL_INTERVAL_MS);
    server.once('close', () => clearInterval(poll));
  }

  private get server(): Server {
    return this.host.httpAdapter.getHttpServer() as Server;
  }
}
