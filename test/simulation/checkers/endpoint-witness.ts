import { MINUTE_MS } from '../../../src/kernel/clock';
import type { RecordedEvent } from '../../../src/kernel/event';
import type { Moment } from '../outside';

/**
 * An endpoint may be disabled as an attempt is on its way. An attempt is at fault when its endpoint was disabled longer
 * before, and all had come to rest twice since.
 */
const IN_FLIGHT_MS = MINUTE_MS;
const IN_FLIGHT_PASSES = 2;

/** Compares the messages of receivers with the state of their endpoints at that moment. */
export class EndpointWitness {
  readonly found: string[] = [];
  private readonly urls = new Map<string, string>();
  private readonly disabled = new Map<string, Moment>();

  constructor(private readonly now: () => Moment) {}

  saw({ stream, type, data }: RecordedEvent): void {
    if (!stream.includes('.webhook_endpoint-')) return;
    if (typeof data.url === 'string') this.urls.set(data.url, stream);
    if (type === 'WebhookEndpointEnabled') this.disabled.delete(stream);
    if (type === 'WebhookEndpointDisabled') this.disabled.set(stream, this.now());
  }

  reached(url: string): void {
    const stream = this.urls.get(url) ?? '';
    const since = this.disabled.get(stream);
    if (!since) return;
    const { timeMs, pass } = this.now();
    if (timeMs - since.timeMs > IN_FLIGHT_MS && pass - since.pass > IN_FLIGHT_PASSES)
      this.found.push(`${stream} was sent to while it was disabled`);
  }
}
