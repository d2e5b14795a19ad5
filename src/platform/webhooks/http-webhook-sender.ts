import type { Socket } from 'node:net';
import type { WebhookOutcome, WebhookRequest, WebhookSender } from '../../kernel/ports/webhook-sender';
import { AddressResolver, UnresolvedName } from './address-resolver';
import { EgressAddresses } from './egress-addresses';
import { BlockedAddress, GuardedDialler, TlsFailure } from './guarded-socket';
import { exchange, type Reply } from './http-exchange';

const TIMEOUT_MS = 10_000;
const USER_AGENT = 'Quittance-Webhooks/1';

type HttpWebhookSenderOptions = {
  /** Subnets beside the public network that deliveries of test mode may go to. */
  readonly allowedSubnets: readonly string[];
  /** The limit for the whole attempt, from the name's resolution to the answer's end; by default 10 s. */
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

  constructor({ allowedSubnets, timeoutMs = TIMEOUT_MS, dnsServers, ca }: HttpWebhookSenderOptions) {
    this.timeoutMs = timeoutMs;
    const resolver = new AddressResolver(dnsServers ?? null);
    this.dialler = new GuardedDialler(new EgressAddresses(allowedSubnets), resolver, ca ?? null);
  }

  async send(request: WebhookRequest): Promise<WebhookOutcome> {
    const startedMs = performance.now();
    const deadline = AbortSignal.timeout(this.timeoutMs);
    const answer = await this.attempt(request, deadline).catch((error: unknown) => failure(error, deadline));
    return { ...answer, latencyMs: Math.round(performance.now() - startedMs) };
  }

  private async attempt({ url: text, mode, headers, body }: WebhookRequest, signal: AbortSignal): Promise<Answer> {
    const url = URL.canParse(text) ? new URL(text) : null;
    const isWeb = url?.protocol === 'https:' || (url?.protocol === 'http:' && mode === 'test');
    if (!url || !isWeb || url.username !== '' || url.password !== '') throw new BlockedAddress('the URL');
    const socket: Socket = await this.dialler.open({ url, mode, signal });
    const reply: Reply = await exchange(socket, url, { ...headers, 'user-agent': USER_AGENT }, body, signal);
    return { ...reply, error: null };
  }
}

type Answer = Omit<WebhookOutcome, 'latencyMs'>;

function failure(error: unknown, deadline: AbortSignal): Answer {
  return { statusCode: null, error: nameOf(error, deadline), responseExcerpt: '' };
}

function nameOf(error: unknown, deadline: AbortSignal): string {
  if (error instanceof BlockedAddress) return 'blocked_address';
  if (deadline.aborted) return 'timeout';
  if (error instanceof UnresolvedName) return 'dns_error';
  return error instanceof TlsFailure ? 'tls_error' : 'connection_failed';
}
