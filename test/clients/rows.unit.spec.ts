import { setTimeout as pause } from 'node:timers/promises';
import { ConnectionError, RefusedError, UnexpectedAnswerError, type Quittance } from '../../clients/typescript/src';
import { answering, refusal, type Answer } from './answering';

const RANGE = { from: '2026-10-01T00:00:00.000Z' };
const BUSY = refusal(429, 'invalid_request_error', 'rate_limit', { 'retry-after': '1' });

/** A file whose bytes come in these parts; an Error is a connection that breaks off. */
function file(...parts: readonly (string | Uint8Array | Error)[]): Answer {
  async function* sent() {
    for (const part of parts) {
      if (part instanceof Error) throw part;
      yield typeof part === 'string' ? Buffer.from(part) : part;
    }
  }
  return { status: 200, body: '', parts: sent };
}

async function idsOf(client: Quittance, options = {}): Promise<readonly string[]> {
  const ids: string[] = [];
  for await (const { id } of client.exports.payments(RANGE, options)) ids.push(id);
  return ids;
}

it('asks for lines of JSON, and yields each row however the bytes come', async () => {
  const bytes = Buffer.from('{"id":"pi_1"}\n{"id":"東京 🪙"}\n{"id":"pi_3"}\n');
  for (const length of [1, 2, 3, 7, bytes.length]) {
    const parts = Array.from({ length: Math.ceil(bytes.length / length) }, (_, part) =>
      bytes.subarray(part * length, (part + 1) * length),
    );
    const { client, sent } = answering([file(...parts)]);
    expect(await idsOf(client)).toEqual(['pi_1', '東京 🪙', 'pi_3']);
    expect(sent[0]?.url).toBe('https://pay.example/v1/exports/payments?from=2026-10-01T00%3A00%3A00.000Z&format=jsonl');
    expect(sent[0]?.headers.accept).toBe('application/x-ndjson');
  }
});

it('asks for nothing before it is iterated, and anew for each iteration', async () => {
  const { client, sent } = answering([file('{"id":"pi_1"}\n')]);
  const rows = client.exports.payments();
  expect(sent).toHaveLength(0);
  for (let time = 0; time < 2; time++) for await (const { id } of rows) expect(id).toBe('pi_1');
  expect(sent).toHaveLength(2);
});

it('has no rows where the file is empty', async () => {
  expect(await idsOf(answering([file()]).client)).toEqual([]);
});

it('tries again until the file begins, and never after that', async () => {
  const again = answering([new Error('refused'), BUSY, file('{"id":"pi_1"}\n')]);
  expect(await idsOf(again.client)).toEqual(['pi_1']);
  expect(again.sent).toHaveLength(3);
  const broken = answering([file('{"id":"pi_1"}\n', new Error('reset'))]);
  await expect(idsOf(broken.client)).rejects.toThrow(ConnectionError);
  expect(broken.sent).toHaveLength(1);
});

it('throws the refusal of the service', async () => {
  const { client, sent } = answering([refusal(400, 'invalid_request_error', 'invalid_range')]);
  await expect(idsOf(client)).rejects.toMatchObject({ code: 'invalid_range' });
  await expect(idsOf(client)).rejects.toBeInstanceOf(RefusedError);
  expect(sent).toHaveLength(2);
});

it('takes a file without its last line end for one that broke off', async () => {
  await expect(idsOf(answering([file('{"id":"pi_1"}\n{"id":"pi_2"}')]).client)).rejects.toThrow(ConnectionError);
});

it('takes a page of somebody else for no file', async () => {
  await expect(idsOf(answering([file('<html>\n')]).client)).rejects.toThrow(UnexpectedAnswerError);
});

it('ends the file once nobody reads on', async () => {
  let isEnded = false;
  async function* endless() {
    try {
      for (;;) yield Buffer.from('{"id":"pi_1"}\n');
    } finally {
      isEnded = true;
    }
  }
  const { client } = answering([{ status: 200, body: '', parts: endless }]);
  for await (const { id } of client.exports.payments()) {
    expect(id).toBe('pi_1');
    break;
  }
  expect(isEnded).toBe(true);
});

describe('the limit of time', () => {
  const stalled: Answer = {
    status: 200,
    body: '',
    async *parts(signal) {
      yield Buffer.from('{"id":"pi_1"}\n');
      await pause(60_000, undefined, { signal });
    },
  };

  it('is for each part that the client waits for', async () => {
    await expect(idsOf(answering([stalled]).client, { timeoutMs: 20 })).rejects.toThrow(ConnectionError);
  });

  it('does not run while the caller works on a row', async () => {
    const { client } = answering([file('{"id":"pi_1"}\n', '{"id":"pi_2"}\n')]);
    const ids: string[] = [];
    for await (const { id } of client.exports.payments({}, { timeoutMs: 10 })) {
      ids.push(id);
      await pause(40);
    }
    expect(ids).toEqual(['pi_1', 'pi_2']);
  });

  it('is that of the caller, whose signal ends the file with its reason', async () => {
    const ending = new AbortController();
    const read = idsOf(answering([stalled]).client, { signal: ending.signal });
    setTimeout(() => ending.abort(new Error('enough')), 10);
    await expect(read).rejects.toThrow('enough');
  });
});
