import type { JsonObject } from '../../../src/vocabulary/json';
import type { Collection, CollectionSpec, Documents } from '../../../src/kernel/ports/documents';
import type { EventStore } from '../../../src/kernel/ports/event-store';

export type Engines = { readonly documents: Documents; readonly store: EventStore };
export type Death = { readonly atCall: number; readonly moment: 'before' | 'after' };

const never = new Promise<never>(() => undefined);

/**
 * The engines as seen by a process that dies at one of its calls. From its death on, nothing that the process does
 * takes effect, and nothing returns.
 */
export class MortalEngines {
  calls = 0;
  private isDead = false;

  constructor(
    private readonly engines: Engines,
    private readonly death: Death,
  ) {}

  get died(): boolean {
    return this.isDead;
  }

  get documents(): Documents {
    const { documents } = this.engines;
    const open = async <Body extends JsonObject>(spec: CollectionSpec): Promise<Collection<Body>> =>
      this.mortal(await documents.open<Body>(spec));
    return new Proxy(documents, { get: (target, name) => (name === 'open' ? open : Reflect.get(target, name)) });
  }

  get store(): EventStore {
    return this.mortal(this.engines.store);
  }

  private mortal<Port extends object>(port: Port): Port {
    const member = (name: string | symbol): unknown => {
      const own: unknown = Reflect.get(port, name);
      if (typeof own !== 'function') return own;
      return (...args: unknown[]) => this.call(() => own.apply(port, args) as Promise<unknown>);
    };
    return new Proxy(port, { get: (_, name) => member(name) });
  }

  private async call(act: () => Promise<unknown>): Promise<unknown> {
    if (this.isDead) return never;
    const isLast = ++this.calls === this.death.atCall;
    if (isLast && this.death.moment === 'before') this.isDead = true;
    if (this.isDead) return never;
    const outcome = await act();
    if (isLast) this.isDead = true;
    return this.isDead ? never : outcome;
  }
}
