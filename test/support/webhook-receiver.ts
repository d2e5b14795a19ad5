import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { constructEvent, type WebhookDelivery } from '../../clients/typescript/src';
import { eventually } from './service-process';

const SIGNATURE_TOLERANCE_SECONDS = 300;

/**
 * A merchant's receiver. A message that our own client or the published `stripe` library does not verify is answered
 * 400 and counts as refused.
 */
export class WebhookReceiver {
  readonly events: WebhookDelivery[] = [];
  refused = 0;
  secret = '';

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const accepted = receiver.accept(Buffer.concat(chunks), String(request.headers['service-signature']));
        response.writeHead(accepted ? 200 : 400).end();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/webhooks`;
  }

  /** The event of this type about this payment, as soon as it has arrived. */
  waitFor(type: string, paymentIntent: string, limitMs: number): Promise<WebhookDelivery> {
    return eventually(`${type} of ${paymentIntent}`, limitMs, () => {
      return this.events.find(event => event.type === type && event.data.id === paymentIntent) ?? null;
    });
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private accept(body: Buffer, signature: string): boolean {
    try {
      Stripe.webhooks.constructEvent(body, signature, this.secret, SIGNATURE_TOLERANCE_SECONDS);
      this.events.push(constructEvent(body, signature, this.secret, SIGNATURE_TOLERANCE_SECONDS));
      return true;
    } catch {
      this.refused += 1;
      return false;
    }
  }
}
