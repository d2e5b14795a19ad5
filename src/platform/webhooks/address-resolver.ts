import { NODATA, NOTFOUND, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

const QUERY_TIMEOUT_MS = 2_500;
const QUERY_TRIES = 2;
/** By RFC 6761 this name is never asked of a server. */
const LOCALHOST = { name: 'localhost', addresses: ['127.0.0.1'] };

export class UnresolvedName extends Error {
  constructor(host: string, options?: ErrorOptions) {
    super(`${host} has no address`, options);
    this.name = 'UnresolvedName';
  }
}

/** All addresses of a name, asked anew each time: IPv4 first, since that is what most receivers can be reached by. */
export class AddressResolver {
  /** `servers` as `127.0.0.1:5353`; those of the system unless given. */
  constructor(private readonly servers: readonly string[] | null = null) {}

  /** The host of a parsed URL. Throws UnresolvedName; what comes after `signal` aborts is of no interest any more. */
  async resolve(hostname: string, signal: AbortSignal): Promise<readonly string[]> {
    const host = hostname.replace(/^\[|\]$/g, '');
    if (isIP(host) !== 0) return [host];
    if (host === LOCALHOST.name || host === `${LOCALHOST.name}.`) return LOCALHOST.addresses;
    const resolver = new Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
    if (this.servers) resolver.setServers(this.servers);
    const cancel = (): void => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await this.ask(resolver, host);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** One family's failure says nothing of the other's addresses, and nothing is dialled but what was answered. */
  private async ask(resolver: Resolver, host: string): Promise<readonly string[]> {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    const addresses = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const failures = answers.flatMap(answer =>
      answer.status === 'rejected' ? [answer.reason as { code?: string }] : [],
    );
    const failure = failures.find(({ code }) => code !== NODATA && code !== NOTFOUND) ?? failures[0];
    throw new UnresolvedName(host, { cause: failure });
  }
}
