import type { BlockHeader } from '../../src/kernel/ports/chain';
import { UnplacedBacklog } from '../../src/watchers/unplaced-backlog';
import type { UnplacedTransfer } from '../../src/watchers/transfer-sightings';

const HELD = 20_000;
const PROVISIONAL = 512;

function header(number: number): BlockHeader {
  return { number, hash: `block ${number}`, parentHash: `block ${number - 1}`, timeMs: number };
}

function unplaced(number: number, count: number, isProvisional = false): readonly UnplacedTransfer[] {
  const block = header(number);
  return Array.from({ length: count }, (_, index) => {
    const transfer = { txHash: `${number} ${index}`, ordinal: 0, blockNumber: number, blockHash: block.hash };
    return { transfer, block, isProvisional } as unknown as UnplacedTransfer;
  });
}

let backlog: UnplacedBacklog;

beforeEach(() => {
  backlog = new UnplacedBacklog();
});

function placeAll(): number {
  const placed = backlog.first(Infinity);
  for (const transfer of placed) backlog.remove(transfer);
  return placed.length;
}

describe('coverage', () => {
  it('may pass all while nothing waits', () => {
    expect([backlog.isEmpty, backlog.edge]).toStrictEqual([true, null]);
  });

  it('stops before the lowest block with a transfer that waits, in whatever order blocks were read', () => {
    backlog.add(unplaced(8, 1));
    backlog.add(unplaced(7, 2));
    expect(backlog.edge).toMatchObject({ number: 7, parentHash: 'block 6' });
    for (const transfer of unplaced(7, 2)) backlog.remove(transfer);
    expect(backlog.edge?.number).toBe(8);
  });

  it('does not stop for what is met again when its block is agreed on', () => {
    backlog.add(unplaced(7, 1, true));
    expect([backlog.isEmpty, backlog.edge]).toStrictEqual([false, null]);
  });

  it('stops before the lowest block that found no room', () => {
    backlog.add([...unplaced(5, HELD), ...unplaced(6, 1), ...unplaced(7, 1)]);
    expect(placeAll()).toBe(HELD);
    expect(backlog.edge).toMatchObject({ number: 6, parentHash: 'block 5' });
    expect(backlog.isEmpty).toBe(false);
  });
});

describe('of more than are held', () => {
  it('one that is met twice waits once', () => {
    backlog.add(unplaced(5, 3));
    backlog.add(unplaced(5, 3));
    expect(placeAll()).toBe(3);
  });

  it('a block is held whole, however large it is', () => {
    backlog.add(unplaced(5, HELD + 500));
    expect(placeAll()).toBe(HELD + 500);
    expect(backlog.isEmpty).toBe(true);
  });

  it('those of provisional readings are left out', () => {
    backlog.add(unplaced(5, PROVISIONAL));
    backlog.add(unplaced(6, 1, true));
    expect(placeAll()).toBe(PROVISIONAL);
    expect(backlog.isEmpty).toBe(true);
  });

  it('blocks without room are read again, the oldest first, once there is room and they are settled', () => {
    for (let number = 5; number < 40; number++) backlog.add(unplaced(number, number === 5 ? HELD : 1));
    expect(backlog.nextLeft(100)).toBeNull();
    placeAll();
    expect(backlog.nextLeft(5)).toBeNull();
    expect(backlog.nextLeft(10)).toStrictEqual({ from: 6, to: 10 });
    expect(backlog.nextLeft(100)).toStrictEqual({ from: 6, to: 21 });
    backlog.takeLeft(header(21));
    backlog.add(unplaced(6, 1));
    expect(backlog.edge).toMatchObject({ number: 6 });
    placeAll();
    expect(backlog.edge).toMatchObject({ number: 22, parentHash: 'block 21' });
    expect(backlog.nextLeft(100)).toStrictEqual({ from: 22, to: 37 });
  });

  it('newer blocks have no room before the older ones', () => {
    backlog.add([...unplaced(5, HELD), ...unplaced(6, 1)]);
    placeAll();
    backlog.add(unplaced(7, 1));
    expect(placeAll()).toBe(0);
    backlog.takeLeft(header(7));
    backlog.add([...unplaced(6, 1), ...unplaced(7, 1)]);
    expect(placeAll()).toBe(2);
    expect(backlog.isEmpty).toBe(true);
  });

  it('blocks whose reading failed are left as they were', () => {
    backlog.add([...unplaced(5, HELD), ...unplaced(6, 1)]);
    placeAll();
    const putBack = backlog.takeLeft(header(6));
    putBack();
    expect(backlog.nextLeft(6)).toStrictEqual({ from: 6, to: 6 });
  });
});
