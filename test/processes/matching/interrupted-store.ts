import { MemoryEventStore } from '../../support/memory-event-store';

/** Lets something happen between a decision and its append. */
export class InterruptedStore extends MemoryEventStore {
  meanwhile: { readonly type: string; readonly act: () => Promise<void> } | null = null;
  override async append(...append: Parameters<MemoryEventStore['append']>) {
    const { meanwhile } = this;
    if (meanwhile && append[2].some(({ type }) => type === meanwhile.type)) {
      this.meanwhile = null;
      await meanwhile.act();
    }
    return super.append(...append);
  }
}
