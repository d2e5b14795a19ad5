import { FaultyStore, Killed } from '../../simulation/faulty-store';

/** The process dies as soon as the log has taken an event of that type. */
export class DyingStore extends FaultyStore {
  diesAt: string | null = null;
  override async append(...append: Parameters<FaultyStore['append']>) {
    const answer = await super.append(...append);
    if (append[2].some(({ type }) => type === this.diesAt)) {
      this.isDead = true;
      throw new Killed();
    }
    return answer;
  }
}
