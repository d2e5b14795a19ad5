import type { ApiRequest } from '../../../src/platform/http/caller';
import { RequestRates } from '../../../src/platform/http/rate-limit';
import type { RateLimits } from '../../../src/platform/rate-limits/rate-limits';

const UNDER_WAY_LIMIT = 32;
const ALLOWED = { allowed: true, limit: 1_000, remaining: 999, resetSeconds: 1, retryAfterSeconds: 0 };
const READER = { keyId: 'usr_1', merchantId: 'mch_1', mode: 'test' } as const;

const limits = { look: () => ALLOWED, take: () => ALLOWED } as unknown as RateLimits;
const asked = () => ({ method: 'GET', headers: { accept: 'text/event-stream' } }) as unknown as ApiRequest;

it('counts a request that asks for a stream as under way until its stream has begun', () => {
  const rates = new RequestRates(limits);
  const requests = Array.from({ length: UNDER_WAY_LIMIT }, asked);
  for (const request of requests) rates.chargeReader(request, READER);
  expect(() => rates.chargeReader(asked(), READER)).toThrow(expect.objectContaining({ code: 'rate_limit' }));
  requests[0]?.leave?.();
  expect(() => rates.chargeReader(asked(), READER)).not.toThrow();
});
