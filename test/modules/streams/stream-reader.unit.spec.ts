import { statesOf } from '../../../src/composition/streams';
import type { RecordedEvent } from '../../../src/kernel/event';
import type { LogPosition } from '../../../src/kernel/log-position';
import { StreamReader } from '../../../src/modules/streams/stream-reader';
import { metadata } from '../../contracts/contract-support';

const STREAM = 'test.webhook_endpoint-we_1';

const moved = (revision: number): RecordedEvent => ({
  ...{ id: `event-${revision}`, type: 'WebhookEndpointMoved', stream: STREAM, revision },
  data: { url: `https://shop.example/${revision}` },
  position: revision as LogPosition,
  metadata: metadata(),
});

it('reads a watched stream whole once, and anew only where it has grown', async () => {
  const events = Array.from({ length: 5 }, (_, revision) => moved(revision));
  let read = 0;
  const readStream = async (_: string, { from = 0, limit = Infinity } = {}) => {
    const found = events.slice(from, from + limit);
    read += found.length;
    return found;
  };
  const reader = new StreamReader({
    recorded: { readStream },
    categories: ['webhook_endpoint'],
    newestShape: event => event,
    statesOf,
  });
  const look = reader.watchFor('viewer', STREAM, null);
  const first = await look();
  expect([first.revisions, read]).toEqual([5, 5]);
  expect([await look(), read]).toEqual([first, 5]);
  events.push(moved(5));
  expect([(await look()).revisions, read]).toEqual([6, 12]);
});
