import { ProblemError } from '@annals/contracts';
import type { FastifyReply } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { DocsController } from './docs.controller.js';

describe('DocsController', () => {
  it('answers not_found when the documentation is disabled', () => {
    const controller = new DocsController({ http: { docs: false } } as GatewayConfig);
    expect(() => controller.sendDocument({} as FastifyReply)).toThrow(ProblemError);
    expect(() => controller.sendPage({} as FastifyReply)).toThrow('not_found');
  });
});
