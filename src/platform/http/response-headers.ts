import type { FastifyInstance } from 'fastify';

/** No answer may be cached, sniffed or framed. Pages that need a wider policy set their own. */
export const FIXED_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
} as const;

export function addFixedHeaders(server: FastifyInstance): void {
  server.addHook('onSend', async (request, reply) => {
    reply.header('request-id', request.id);
    for (const [name, value] of Object.entries(FIXED_HEADERS)) if (!reply.hasHeader(name)) reply.header(name, value);
  });
}
