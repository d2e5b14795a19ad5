import { isIP } from 'node:net';

/**
 * The trusted addresses among those that a request passed: the first `hops`, counted from this process. The header
 * X-Forwarded-For counts as far as these wrote it; with no hops it is ignored. The operator must make sure that clients
 * cannot bypass these proxies.
 */
export function trustedProxies(hops: number): false | ((address: string, hop: number) => boolean) {
  return hops === 0 ? false : (address, hop) => hop < hops && isIP(address) !== 0;
}
