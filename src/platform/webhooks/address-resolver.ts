import { getServers, NODATA, NOTFOUND, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { refuse } from '../../vocabulary/errors';

const QUERY_TIMEOUT_MS = 2_500;
const QUERY_TRIES = 2;
/** RFC 6761 does not allow any question about this name to a server. */
const LOCALHOST = { name: 'localhost', addresses: ['127.0.0.1'] };

export class UnresolvedName extends Error {
  constructor(host: string, options?: ErrorOptions) {
    super(`${host} has no address`, options);
    this.name = 'UnresolvedName';
  }
}

/** All addresses of a name, asked anew each time: IPv4 first, since most receivers can be reached by it. */
export class AddressResolver {
  /**
   * `servers` as `127.0.0.1:5353`; by default those of the system. Throws Refusal egress_resolver_required where there
   * are none, so that a service which could deliver nothing does not start.
   */
  constructor(
    private readonly servers: readonly string[] | null = null,
    systemServers: () => readonly string[] = getServers,
  ) {
    if ((servers ?? systemServers()).length === 0) throw refuse('egress_resolver_required');
  }

  /** The addresses for the host of a parsed URL. Throws UnresolvedName; a result after `signal` aborts is ignored. */
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

  /** One family's failure proves nothing about the other's addresses, and only answered addresses are dialled. */
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
