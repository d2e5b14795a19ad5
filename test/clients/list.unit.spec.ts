import { ConnectionError, QuittanceError } from '../../clients/typescript/src';
import { answering, refusal } from './answering';

type Row = { readonly id?: string };

function page(ids: readonly string[], hasMore: boolean) {
  const data: readonly Row[] = ids.map(id => ({ id }));
  return { status: 200, body: { object: 'list', url: '/v1/wallets', has_more: hasMore, data } };
}

describe('a list', () => {
  it('yields every object, page by page', async () => {
    const { client, sent } = answering([
      page(['wal_1', 'wal_2'], true),
      page(['wal_3', 'wal_4'], true),
      page(['wal_5'], false),
    ]);
    const ids: string[] = [];
    for await (const wallet of client.wallets.list({ limit: 2 })) ids.push((wallet as { readonly id: string }).id);
    expect(ids).toStrictEqual(['wal_1', 'wal_2', 'wal_3', 'wal_4', 'wal_5']);
    expect(sent.map(({ url }) => url)).toStrictEqual([
      'https://pay.example/v1/wallets?limit=2',
      'https://pay.example/v1/wallets?limit=2&starting_after=wal_2',
      'https://pay.example/v1/wallets?limit=2&starting_after=wal_4',
    ]);
  });

  it('asks for no page before it is needed', async () => {
    const { client, sent } = answering([page(['wal_1'], true), page(['wal_2'], false)]);
    const list = client.wallets.list();
    expect(sent).toHaveLength(0);
    for await (const wallet of list) if (wallet) break;
    expect(sent).toHaveLength(1);
  });

  it('can be read again from its start', async () => {
    const { client, sent } = answering([page([], false)]);
    const list = client.wallets.list();
    for (let round = 0; round < 2; round++) for await (const _ of list) throw new Error('it is empty');
    expect(sent).toHaveLength(2);
  });

  it('gives its pages', async () => {
    const answers = [page(['wal_1'], true), page(['wal_2'], false)];
    const { client } = answering(answers);
    const pages: unknown[] = [];
    for await (const one of client.wallets.list().pages()) pages.push(one);
    expect(pages).toStrictEqual(answers.map(({ body }) => body));
    expect(await answering(answers).client.wallets.list().firstPage()).toStrictEqual(answers[0]?.body);
  });

  it('goes on from a cursor that is given, and over a fault that passes', async () => {
    const fault = refusal(503, 'api_error', 'provider_unavailable');
    const { client, sent } = answering([page(['wal_8'], true), fault, page(['wal_9'], false)]);
    const ids: unknown[] = [];
    for await (const { id } of client.wallets.list({ starting_after: 'wal_7' }) as AsyncIterable<Row>) ids.push(id);
    expect(ids).toStrictEqual(['wal_8', 'wal_9']);
    expect(sent.map(({ url }) => new URL(url).searchParams.get('starting_after'))).toStrictEqual([
      'wal_7',
      'wal_8',
      'wal_8',
    ]);
  });

  it('ends with the fault that does not pass', async () => {
    const { client } = answering([page(['wal_1'], true), new TypeError('fetch failed')]);
    const ids: unknown[] = [];
    const read = async (): Promise<void> => {
      for await (const { id } of client.wallets.list() as AsyncIterable<Row>) ids.push(id);
    };
    await expect(read()).rejects.toThrow(ConnectionError);
    expect(ids).toStrictEqual(['wal_1']);
  });

  it.each([
    ['round', [page(['wal_1'], true), page(['wal_2'], true), page(['wal_1'], true)]],
    ['on from nothing', [page([], true)]],
  ])('does not go %s', async (_, answers) => {
    const { client } = answering(answers);
    const read = async (): Promise<void> => {
      for await (const _wallet of client.wallets.list());
    };
    await expect(read()).rejects.toThrow(QuittanceError);
  });
});
