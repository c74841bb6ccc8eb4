import { type RouteDefinition, routes } from '@annals/contracts';
import type { GatewayConfig } from '../config.js';

export type BodyLimits = Pick<GatewayConfig, 'limits' | 'chat'>;

/** Bytes that the body of a route may have. Chat completions may contain images. */
export function bodyLimitOf(route: RouteDefinition, { limits, chat }: BodyLimits): number {
  return route === routes.createChatCompletion ? chat.bodyBytes : limits.bodyBytes;
}

export function maxBodyLimit({ limits, chat }: BodyLimits): number {
  return Math.max(limits.bodyBytes, chat.bodyBytes);
}
