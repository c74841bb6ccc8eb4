import { type BeforeApplicationShutdown, Injectable, Inject, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';

const POLL_INTERVAL_MS = 20;

/**
 * Lets a stopping process finish its answers and then go at once. Node waits for every open connection, also for one
 * on which a client has not asked anything yet and may never do.
 */
@Injectable()
export class ConnectionDrain implements OnModuleInit, BeforeApplicationShutdown {
  private openAnswers = 0;

  constructor(@Inject(HttpAdapterHost) private readonly host: HttpAdapterHost) {}

  onModuleInit(): void {
    this.server.on('request', (_request: IncomingMessage, response: ServerResponse) => {
      this.openAnswers += 1;
      response.once('close', () => (this.openAnswers -= 1));
    });
  }

  /** Runs before the server is closed, so it leaves a poll behind that acts once no new connection is taken. */
  beforeApplicationShutdown(): void {
    const { server } = this;
    if (!server.listening) return;
    const poll = setInterval(() => {
      if (!server.listening && this.openAnswers === 0) server.closeAllConnections();
    }, POLL_INTERVAL_MS);
    server.once('close', () => clearInterval(poll));
  }

  private get server(): Server {
    return this.host.httpAdapter.getHttpServer() as Server;
  }
}
