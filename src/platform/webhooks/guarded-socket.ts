import { once } from 'node:events';
import { connect, isIP, isIPv6, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { Mode } from '../../vocabulary/modes';
import type { AddressResolver } from './address-resolver';
import type { EgressAddresses } from './egress-addresses';

export class BlockedAddress extends Error {
  constructor(host: string) {
    super(`${host} is at an address or a port that webhooks may not go to`);
    this.name = 'BlockedAddress';
  }
}

export class TlsFailure extends Error {
  constructor(cause: unknown) {
    super('the TLS handshake failed', { cause });
    this.name = 'TlsFailure';
  }
}

type Dial = { readonly url: URL; readonly mode: Mode; readonly signal: AbortSignal };

/**
 * Opens a connection only to a checked address of the URL's host, at an open port. The resolved address is the dialled
 * address. The reached address is checked once more before the first byte is written.
 */
export class GuardedDialler {
  /** `ca`: certificates to trust in place of the well-known ones. */
  constructor(
    private readonly addresses: EgressAddresses,
    private readonly resolver: AddressResolver,
    private readonly ca: string | null = null,
  ) {}

  /** Throws BlockedAddress, UnresolvedName, TlsFailure, or the socket's error. */
  async open({ url, mode, signal }: Dial): Promise<Socket> {
    const resolved = await this.resolver.resolve(url.hostname, signal);
    signal.throwIfAborted();
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    const isOpen = (address: string): boolean =>
      this.addresses.isReachable(mode, address) && this.addresses.isPortOpen(mode, address, port);
    // One blocked record condemns the whole answer: a mixed answer may lead the request into the private network.
    if (!resolved.every(isOpen)) throw new BlockedAddress(url.hostname);
    const socket = connect({
      host: resolved[0] as string,
      port,
      family: isIPv6(resolved[0] as string) ? 6 : 4,
      autoSelectFamily: false,
    });
    // The waiting code sees the socket's errors; an error while no code waits must not end the process.
    socket.on('error', () => undefined);
    try {
      await once(socket, 'connect', { signal });
      if (!isOpen(socket.remoteAddress ?? '')) throw new BlockedAddress(url.hostname);
      return url.protocol === 'https:' ? await this.secure(socket, url, signal) : socket;
    } catch (error) {
      socket.destroy();
      throw error;
    }
  }

  private async secure(socket: Socket, url: URL, signal: AbortSignal): Promise<TLSSocket> {
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const secured = connectTls({
      socket,
      host,
      ...(isIP(host) === 0 && { servername: host.replace(/\.$/, '') }),
      ...(this.ca !== null && { ca: this.ca }),
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: true,
    });
    secured.on('error', () => undefined);
    try {
      await once(secured, 'secureConnect', { signal });
      return secured;
    } catch (error) {
      secured.destroy();
      signal.throwIfAborted();
      throw new TlsFailure(error);
    }
  }
}
