import type { FastifyReply } from 'fastify';
import { PAGE_POLICY } from '../pages/layout.js';

export function sendPage(reply: FastifyReply, page: string, status = 200, policy = PAGE_POLICY): FastifyReply {
  return reply.code(status).header('content-security-policy', policy).type('text/html; charset=utf-8').send(page);
}
