import type { StoryShop } from '../../support/story-shop';

export type Story = (shop: StoryShop) => Promise<void>;

/** Each story is a test. The stories of a lane are told one after another, the lanes beside one another. */
export class Lanes {
  private readonly lanes: (() => Promise<void>)[] = [];
  private readonly outcomes = new Map<string, Promise<void>>();
  private running: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly limitMs: number,
    /** So many stories of each lane are told. */
    private readonly most: number,
  ) {}

  /** Declares the tests; the caller is a test file. */
  lane(shop: () => StoryShop, stories: Readonly<Record<string, Story>>): void {
    const names = Object.keys(stories).slice(0, this.most);
    this.lanes.push(async () => {
      let last: Promise<void> = Promise.resolve();
      for (const name of names) {
        last = last.catch(() => undefined).then(() => stories[name]?.(shop()));
        this.outcomes.set(name, last);
      }
      await last.catch(() => undefined);
    });
    it.each(names)('%s', name => this.outcomes.get(name), this.limitMs);
  }

  start(): void {
    this.running = Promise.all(this.lanes.map(lane => lane()));
  }

  /** Resolves when every story is over, whatever its outcome. */
  async ended(): Promise<void> {
    await this.running;
  }
}
