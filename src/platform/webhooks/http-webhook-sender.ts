import type { WebhookOutcome, WebhookRequest, WebhookSender } from '../../kernel/ports/webhook-sender';
import { AddressResolver, UnresolvedName } from './address-resolver';
import { EgressAddresses, type WebhookPorts } from './egress-addresses';
import { BlockedAddress, GuardedDialler, TlsFailure } from './guarded-socket';
import { exchange } from './http-exchange';

/** A receiver has so long to be connected to, DNS and TLS included, and as long again to answer. */
export const TIMEOUT_MS = 10_000;
const USER_AGENT = 'Quittance-Webhooks/1';

type HttpWebhookSenderOptions = {
  /** Subnets beside the public network that deliveries of test mode may go to. */
  readonly allowedSubnets: readonly string[];
  /** The ports at public addresses. */
  readonly ports: WebhookPorts;
  /** The limit for the connection, and the limit for the answer; by default 10 s each. */
  readonly timeoutMs?: number;
  /** DNS servers as `address:port`; by default those of the system. */
  readonly dnsServers?: readonly string[];
  /** Certificates to trust, as PEM; by default the well-known ones. */
  readonly ca?: string;
};

/** POSTs over a connection of its own for each attempt: no pool, no proxy, no redirect. */
export class HttpWebhookSender implements WebhookSender {
  private readonly timeoutMs: number;
  private readonly dialler: GuardedDialler;

  constructor({ allowedSubnets, ports, timeoutMs = TIMEOUT_MS, dnsServers, ca }: HttpWebhookSenderOptions) {
    this.timeoutMs = timeoutMs;
    const resolver = new AddressResolver(dnsServers ?? null);
    this.dialler = new GuardedDialler(new EgressAddresses(allowedSubnets, ports), resolver, ca ?? null);
  }

  async send(request: WebhookRequest): Promise<WebhookOutcome> {
    const startedMs = performance.now();
    const answer = await this.attempt(request).catch(failure);
    return { ...answer, latencyMs: Math.round(performance.now() - startedMs) };
  }

  private async attempt({ url: text, mode, headers, body }: WebhookRequest): Promise<Answer> {
    const url = URL.canParse(text) ? new URL(text) : null;
    const isWeb = url?.protocol === 'https:' || (url?.protocol === 'http:' && mode === 'test');
    if (!url || !isWeb || url.username !== '' || url.password !== '') throw new BlockedAddress('the URL');
    const socket = await this.inTime(signal => this.dialler.open({ url, mode, signal }));
    const sent = { ...headers, 'user-agent': USER_AGENT };
    const reply = await this.inTime(signal => exchange(socket, url, sent, body, signal));
    return { ...reply, error: null };
  }

  /** Throws DeadlinePassed for every error that comes after the deadline, except for a blocked address. */
  private async inTime<T>(part: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const deadline = AbortSignal.timeout(this.timeoutMs);
    try {
      return await part(deadline);
    } catch (error) {
      throw deadline.aborted && !(error instanceof BlockedAddress) ? new DeadlinePassed(error) : error;
    }
  }
}

class DeadlinePassed extends Error {
  constructor(cause: unknown) {
    super('the receiver took too long', { cause });
    this.name = 'DeadlinePassed';
  }
}

type Answer = Omit<WebhookOutcome, 'latencyMs'>;

function failure(error: unknown): Answer {
  return { statusCode: null, error: nameOf(error), responseExcerpt: '' };
}

function nameOf(error: unknown): string {
  if (error instanceof BlockedAddress) return 'blocked_address';
  if (error instanceof DeadlinePassed) return 'timeout';
  if (error instanceof UnresolvedName) return 'dns_error';
  return error instanceof TlsFailure ? 'tls_error' : 'connection_failed';
}
