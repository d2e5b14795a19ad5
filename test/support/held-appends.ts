import { parseStreamName } from '../../src/kernel/event';
import type { EventStore } from '../../src/kernel/ports/event-store';

/** A slow engine: an append takes effect, and its writer waits for the answer until the test lets it go. */
export class HeldAppends {
  private category: string | null = null;
  private taken: () => void = () => undefined;
  private gate: Promise<void> = Promise.resolve();

  /** Holds the next append to a stream of the category. `reached` resolves once it has taken effect. */
  hold(category: string): { readonly reached: Promise<void>; readonly letGo: () => void } {
    let letGo: () => void = () => undefined;
    this.category = category;
    this.gate = new Promise(resolve => (letGo = resolve));
    const reached = new Promise<void>(resolve => (this.taken = resolve));
    return { reached, letGo };
  }

  log(store: EventStore): EventStore {
    const append: EventStore['append'] = async (stream, ...rest) => {
      const appended = await store.append(stream, ...rest);
      if (parseStreamName(stream).category !== this.category) return appended;
      this.category = null;
      this.taken();
      await this.gate;
      return appended;
    };
    return new Proxy(store, {
      get: (target, name): unknown => {
        const member: unknown = name === 'append' ? append : Reflect.get(target, name, target);
        return typeof member === 'function' && name !== 'append' ? member.bind(target) : member;
      },
    });
  }
}
