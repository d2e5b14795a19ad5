import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** The client's address, as far as trusted proxies tell it; null where the address is gone, or is none. */
export function clientIp({ ip }: FastifyRequest): string | null {
  return typeof ip === 'string' && isIP(ip) !== 0 ? ip : null;
}

const AGENT_LENGTH = 256;

/** The browser that a request comes from. */
export function clientOf(request: FastifyRequest): { readonly ip: string | null; readonly userAgent: string } {
  return { ip: clientIp(request), userAgent: (request.headers['user-agent'] ?? '').slice(0, AGENT_LENGTH) };
}
