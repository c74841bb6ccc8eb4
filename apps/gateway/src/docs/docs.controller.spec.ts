import { ProblemError } from '@annals/contracts';
import type { FastifyReply } from 'fastify';
import type { GatewayConfig } from '../config.js';
import { DocsController } from './docs.controller.js';

describe('DocsController', () => {
  it('answers not_found when the documentation is disabled', async () => {
    const controller = new DocsController({ http: { docs: false } } as GatewayConfig);
    const reply = {} as FastifyReply;
    expect(() => controller.sendDocument(reply)).toThrow(ProblemError);
    expect(() => controller.sendPage(reply)).toThrow('not_found');
    expect(() => controller.sendStartScript(reply)).toThrow('not_found');
    await expect(controller.sendAsset('swagger-ui.css', undefined, reply)).rejects.toThrow('not_found');
  });
});
