import { EventEmitter } from 'node:events';
import type { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb';
import { StoreUnavailable } from '../../../src/kernel/ports/event-store';
import { AppendCall } from '../../../src/platform/event-store/eventstoredb/append-call';
import type { EncodedEvent } from '../../../src/platform/event-store/eventstoredb/event-codec';
import { rejection } from '../../contracts/contract-support';

/** Takes everything, and keeps it. */
class DeafStream extends EventEmitter {
  readonly written: BatchAppendReq[] = [];

  write(request: BatchAppendReq): boolean {
    this.written.push(request);
    return false;
  }

  cancel(): void {
    this.emit('error', Object.assign(new Error('1 CANCELLED'), { code: 1 }));
  }
}

describe('a call of appends', () => {
  const ends: Error[] = [];
  let stream: DeafStream;
  let call: AppendCall;
  let number = 0;

  beforeEach(() => {
    ends.length = 0;
    stream = new DeafStream();
    call = new AppendCall(stream, error => ends.push(error));
  });

  function append(dataBytes = 2): Promise<bigint> {
    const event: EncodedEvent = {
      id: '0192f0c4-0000-4000-8000-000000000000',
      type: 'Kept',
      data: Buffer.alloc(dataBytes),
      metadata: Buffer.of(),
    };
    const appended = call.append({ number: ++number, stream: 'test.kept-1', expected: 'no_stream', events: [event] });
    appended.catch(() => undefined);
    return appended;
  }

  it('takes 4,096 appends that wait, and refuses one more unsent', async () => {
    for (let count = 0; count < 4_096; count++) void append();
    expect(await rejection(append())).toBeInstanceOf(StoreUnavailable);
    expect(stream.written).toHaveLength(4_096);
    call.forget(number - 1);
    void append();
    expect(stream.written).toHaveLength(4_097);
  });

  it('takes 64 MiB of appends that wait, and refuses what is more unsent', async () => {
    for (let count = 0; count < 64; count++) void append(1_024 * 1_024);
    expect(await rejection(append(1))).toBeInstanceOf(StoreUnavailable);
    expect(stream.written).toHaveLength(64);
  });

  it('tells each append of its end, and whoever opened it, once', async () => {
    const waiting = [append(), append()];
    stream.emit('error', new Error('14 UNAVAILABLE'));
    stream.emit('end');
    for (const one of waiting) expect(await rejection(one)).toMatchObject({ message: '14 UNAVAILABLE' });
    expect(ends).toMatchObject([{ message: '14 UNAVAILABLE' }]);
    expect(await rejection(append())).toBeInstanceOf(StoreUnavailable);
  });
});
