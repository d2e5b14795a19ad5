import { hostNameOf } from './host-name';

/**
 * Whether a request came to the sandbox's own address. The header Host alone tells that, and its port does not count:
 * a proxy may leave the port out. Without an address there is none to come to.
 */
export function sandboxHost(sandboxUrl: string | null): (host: string | undefined) => boolean {
  const own = sandboxUrl === null ? null : hostNameOf(new URL(sandboxUrl).host);
  return host => own !== null && host !== undefined && hostNameOf(host) === own;
}
