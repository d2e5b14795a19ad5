import { MemoryEventStore } from '../support/memory-event-store';
import { PaymentFixture } from '../support/payment-fixture';

const BROKEN = 'pi_00000000000000000000000001';
const SOUND = 'pi_00000000000000000000000002';
const DEPTH = 12;

/** The stream of one payment cannot be read. */
class DamagedStore extends MemoryEventStore {
  isDamaged = false;
  override async readStream(...read: Parameters<MemoryEventStore['readStream']>) {
    if (this.isDamaged && read[0].endsWith(BROKEN)) throw new Error('damaged on purpose');
    return super.readStream(...read);
  }
}

it('a payment whose stream cannot be read holds up no other', async () => {
  const store = new DamagedStore();
  const fixture = new PaymentFixture({ store });
  fixture.mineEmpty(20);
  const watcher = await fixture.watcher();
  await watcher.tick();
  for (const id of [BROKEN, SOUND]) {
    const due = await fixture.quoted(id);
    fixture.chain.mine(fixture.transfer(`0x${id.slice(-1).repeat(64)}`, due));
  }
  await watcher.tick();
  store.isDamaged = true;
  for (let tick = 0; tick < 2; tick++) {
    fixture.mineEmpty(DEPTH);
    await watcher.tick();
  }
  expect((await fixture.payment(SOUND)).status).toBe('confirmed');
  store.isDamaged = false;
  await watcher.tick();
  await watcher.tick();
  expect((await fixture.payment(BROKEN)).status).toBe('confirmed');
});
