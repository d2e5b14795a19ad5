import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { RequestTurns, WAITING_BY_CONNECTION_LIMIT } from '../../../src/platform/http/request-turns';

class Connection {
  destroyed = false;

  destroy(): void {
    this.destroyed = true;
  }
}

describe('requests that come at once', () => {
  let turns: RequestTurns;
  let begun: string[];

  beforeEach(() => {
    turns = new RequestTurns();
    begun = [];
  });

  function ask(connection: Connection, name: string): void {
    turns.take(connection as unknown as Socket, () => begun.push(name));
  }

  it('are begun one in each turn of the event loop, the first of them at once', async () => {
    const connection = new Connection();
    for (const name of ['a', 'b', 'c']) ask(connection, name);
    const seen = [[...begun]];
    for (let turn = 0; turn < 3; turn++) {
      await nextTurn();
      seen.push([...begun]);
    }
    expect(seen).toStrictEqual([['a'], ['a', 'b'], ['a', 'b', 'c'], ['a', 'b', 'c']]);
  });

  it('take turns between connections, so that a lone one waits for one of each', async () => {
    const [flood, other, lone] = [new Connection(), new Connection(), new Connection()];
    for (let n = 0; n < 20; n++) ask(flood, `flood ${n}`);
    for (let n = 0; n < 20; n++) ask(other, `other ${n}`);
    ask(lone, 'lone');
    for (let turn = 0; turn < 50; turn++) await nextTurn();
    expect(begun.indexOf('lone')).toBe(3);
    expect(begun.filter(name => name.startsWith('flood'))).toStrictEqual(
      Array.from({ length: 20 }, (_, n) => `flood ${n}`),
    );
    expect(begun).toHaveLength(41);
  });

  it('end the connection of a client that sends more than may wait, and nothing of it is begun', async () => {
    const [flood, other] = [new Connection(), new Connection()];
    ask(other, 'other');
    for (let n = 0; n < WAITING_BY_CONNECTION_LIMIT + 10; n++) ask(flood, `flood ${n}`);
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    expect([flood.destroyed, begun]).toStrictEqual([true, ['other']]);
  });
});
