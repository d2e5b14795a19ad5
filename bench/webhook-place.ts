import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ALL_PROJECTIONS } from '../projections/all';
import { ProjectionRunner } from '../projections/runner/projection-runner';
import { compose } from '../src/composition/compose';
import { composeCore, type Core } from '../src/composition/core';
import type { CorePorts } from '../src/composition/ports';
import { openCorePorts } from '../src/composition/real-ports';
import type { Webhooks } from '../src/composition/webhooks';
import { NEWEST_API_VERSION } from '../src/vocabulary/api-versions';
import type { CommandContext } from '../src/kernel/command-context';
import { randomUuid } from '../src/kernel/entropy';
import { START_OF_LOG } from '../src/kernel/ports/event-store';
import type { WebhookSender } from '../src/kernel/ports/webhook-sender';
import { paymentIntents } from '../src/modules/payment-intents/payment-intent.decider';
import { webhookEndpoints } from '../src/modules/webhooks/webhook-endpoint.decider';
import type { WebhookUrl } from '../src/modules/webhooks/webhook-url';
import { loadConfig } from '../src/platform/config/config';
import { createLogger } from '../src/platform/logging/logger';
import { HttpWebhookSender } from '../src/platform/webhooks/http-webhook-sender';
import { ensureGroups, GROUPS } from '../src/processes/groups';
import { selfSigned } from '../test/platform/webhooks/certificates';
import { stagePorts } from '../test/support/stage-ports';

const HOST = 'localhost';
const MODE = 'test';

export const merchant = (number: number): string => `mch_${String(number).padStart(26, '0')}`;

/** The receivers, and the certificate that clients trust. */
export class Receivers {
  private constructor(
    private readonly child: ChildProcess,
    readonly ca: string,
    private readonly ports: { readonly prompt: number; readonly hanging: number },
  ) {}

  static async start(): Promise<Receivers> {
    const { cert, key } = selfSigned(HOST);
    const child = fork(path.join(__dirname, 'webhook-receiver.js'), { env: { TLS_CERT: cert, TLS_KEY: key } });
    const [ports] = (await once(child, 'message')) as [{ prompt: number; hanging: number }];
    return new Receivers(child, cert, ports);
  }

  url(kind: 'prompt' | 'hanging'): string {
    return `https://${HOST}:${this.ports[kind]}/hooks`;
  }

  stop(): void {
    this.child.disconnect();
  }
}

/** An embedded engine of its own, with the parts that schedule and send webhooks. */
export class WebhookPlace {
  private running: readonly Promise<void>[] = [];
  private sender: WebhookSender = { send: () => Promise.reject(new Error('nothing is sent yet')) };
  private sending!: Webhooks;
  private stopping = new AbortController();
  private numbers = 0;
  private scheduledTo = START_OF_LOG;

  private constructor(
    readonly core: Core,
    private readonly ports: CorePorts,
    private readonly runner: ProjectionRunner,
    private readonly folder: string,
  ) {}

  static async open(): Promise<WebhookPlace> {
    const folder = mkdtempSync(path.join(tmpdir(), 'quittance-bench-'));
    const env = { DATA_FOLDER: folder, MODES: MODE, SANDBOX_CHAINS: 'off', WEBHOOK_ALLOWED_SUBNETS: '127.0.0.0/8' };
    const config = loadConfig(env);
    const ports = await openCorePorts(config, createLogger({ level: 'error' }), 'service');
    const core = composeCore(config, ports);
    await ensureGroups(core.store);
    const { store, documents, log, clock } = core;
    const runner = new ProjectionRunner({ store, documents, log, clock, projections: ALL_PROJECTIONS });
    runner.start();
    const place = new WebhookPlace(core, ports, runner, folder);
    await place.prepare();
    return place;
  }

  /** The parts work on events until `pause`. `answered` gets each payment's webhook that was answered with 2xx. */
  go(ca: string, answered: (payment: string) => void): void {
    this.stopping = new AbortController();
    const { signal } = this.stopping;
    const { webhookAllowedSubnets: allowedSubnets, webhookPorts: ports } = this.core.config;
    const real = new HttpWebhookSender({ allowedSubnets, ports, ca });
    this.sender = {
      send: async request => {
        const outcome = await real.send(request);
        const { data } = JSON.parse(request.body) as { data: { id: string } };
        if (outcome.statusCode === 200) answered(data.id);
        return outcome;
      },
    };
    const { scheduling, dispatcher } = this.sending;
    const { store } = this.core;
    const { webhooks, deliveries } = GROUPS;
    this.running = [
      store.consume('webhooks', message => scheduling.handle(message), { concurrency: webhooks.concurrency, signal }),
      store.consume('deliveries', message => dispatcher.handle(message), {
        concurrency: deliveries.concurrency,
        signal,
      }),
      scheduling.run(signal),
      dispatcher.run(signal),
    ];
  }

  /** Opens the deliveries of all payments so far, and sends none. */
  async schedule(): Promise<void> {
    const { scheduling } = this.sending;
    const signal = new AbortController();
    const last = await this.core.store.lastPosition();
    const filter = { categories: ['payment_intent'] };
    for await (const { events, position } of this.core.store.subscribe(filter, this.scheduledTo, signal.signal)) {
      // Events are opened one after the other, so that none is deferred.
      for (const event of events) await scheduling.handle({ event, retries: 0 });
      if (position >= last) signal.abort();
      this.scheduledTo = position;
    }
  }

  async pause(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.running);
    await this.prepare();
  }

  async endpoint(merchantId: string, url: string): Promise<void> {
    const id = `we_${String((this.numbers += 1)).padStart(26, '0')}`;
    const context = this.context(merchantId);
    const owner = { universe: context.universe, merchantId };
    const sealed = await this.core.secretBox.seal('whsec_bench', `ws_${id}`, owner);
    const secret = { id: `ws_${id}`, sealed };
    const settings = { description: null, enabledEvents: ['*'], apiVersion: NEWEST_API_VERSION, secret };
    const command = { type: 'create', url: url as WebhookUrl, ...settings } as const;
    await this.core.writes.execute(webhookEndpoints, id, command, context);
  }

  /** Answers the payment's id as it is on its way to the log. */
  payment(merchantId: string): { readonly id: string; readonly created: Promise<unknown> } {
    const id = `pi_${String((this.numbers += 1)).padStart(26, '0')}`;
    const amount = { amount_minor_units: '2500', currency: 'EUR', currency_decimals: 2 };
    const terms = {
      ...amount,
      metadata: { order: '42' },
      description: null,
      success_url: null,
      restarted_from: null,
      payment_link: null,
      invoice: null,
    };
    const context = this.context(merchantId);
    return { id, created: this.core.writes.execute(paymentIntents, id, { type: 'create', terms }, context) };
  }

  async close(): Promise<void> {
    await this.runner.stop();
    await this.core.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** A stopped part is not started again: each round has a sending part of its own. */
  private async prepare(): Promise<void> {
    const { engines, ...means } = this.ports;
    const webhooks: WebhookSender = { send: request => this.sender.send(request) };
    const service = await compose(this.core.config, stagePorts({ ...means, ...engines, webhooks }));
    this.sending = service.parts.webhooks;
  }

  private context(merchantId: string): CommandContext {
    const now = this.core.clock.now();
    const commandId = randomUuid(this.core.entropy);
    return {
      commandId,
      actor: { role: 'api', type: 'api_key', id: 'key_00000000000000000000000000' },
      universe: MODE,
      merchantId,
      startedAt: now,
      now,
      requestId: null,
      correlationId: commandId,
      causationId: null,
      ip: '127.0.0.1',
    };
  }
}
