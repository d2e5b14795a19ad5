import { isIP } from 'node:net';

/**
 * Which of the addresses that a request passed are trusted, told by their number: the first `hops`, counted from this
 * process. The header X-Forwarded-For is believed as far as they wrote it; with none it is ignored. It is the
 * operator's word that clients cannot pass them by.
 */
export function trustedProxies(hops: number): false | ((address: string, hop: number) => boolean) {
  return hops === 0 ? false : (address, hop) => hop < hops && isIP(address) !== 0;
}
