import { ImageUnavailable, type ImageSource } from '../../kernel/ports/image-source';
import { AddressResolver, UnresolvedName } from './address-resolver';
import { EgressAddresses, type WebhookPorts } from './egress-addresses';
import { BlockedAddress, GuardedDialler, TlsFailure } from './guarded-socket';
import { BodyTooLong, download } from './http-exchange';

/** A server has so long to be connected to, and as long again for the whole image. */
const TIMEOUT_MS = 10_000;
const OK = 200;
const HEADERS = {
  accept: 'image/png, image/jpeg, image/webp',
  'accept-encoding': 'identity',
  'user-agent': 'Quittance-Logos/1',
};

type HttpImageSourceOptions = {
  /** Subnets beside the public network from which test mode may fetch. */
  readonly allowedSubnets: readonly string[];
  /** The ports at public addresses. */
  readonly ports: WebhookPorts;
  readonly timeoutMs?: number;
  /** DNS servers as `address:port`; by default those of the system. */
  readonly dnsServers?: readonly string[];
  /** Certificates to trust, as PEM; by default the well-known ones. */
  readonly ca?: string;
};

/** GETs over https by the guard that webhooks pass: no private address, no redirect, a connection for each image. */
export class HttpImageSource implements ImageSource {
  private readonly timeoutMs: number;
  private readonly dialler: GuardedDialler;

  constructor({ allowedSubnets, ports, timeoutMs = TIMEOUT_MS, dnsServers, ca }: HttpImageSourceOptions) {
    this.timeoutMs = timeoutMs;
    const resolver = new AddressResolver(dnsServers ?? null);
    this.dialler = new GuardedDialler(new EgressAddresses(allowedSubnets, ports), resolver, ca ?? null);
  }

  async fetch({ mode, url: text, mostBytes }: Parameters<ImageSource['fetch']>[0]): Promise<Uint8Array> {
    const url = URL.canParse(text) ? new URL(text) : null;
    const isPlain = url?.protocol === 'https:' && url.username === '' && url.password === '';
    if (!url || !isPlain) throw new ImageUnavailable('blocked_address');
    const socket = await this.inTime(signal => this.dialler.open({ url, mode, signal }));
    const { statusCode, body } = await this.inTime(signal => download(socket, url, HEADERS, mostBytes, signal));
    if (statusCode !== OK) throw new ImageUnavailable(`status_${statusCode}`);
    return body;
  }

  private async inTime<T>(part: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const deadline = AbortSignal.timeout(this.timeoutMs);
    try {
      return await part(deadline);
    } catch (error) {
      throw new ImageUnavailable(codeOf(error, deadline.aborted), { cause: error });
    }
  }
}

function codeOf(error: unknown, isLate: boolean): string {
  if (error instanceof BlockedAddress) return 'blocked_address';
  if (error instanceof BodyTooLong) return 'too_large';
  if (isLate) return 'timeout';
  if (error instanceof UnresolvedName) return 'dns_error';
  return error instanceof TlsFailure ? 'tls_error' : 'connection_failed';
}
