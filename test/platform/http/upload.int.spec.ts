import { Reflector } from '@nestjs/core';
import type { ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { isRefusal } from '../../../src/vocabulary/errors';
import { BodyStep } from '../../../src/platform/http/body.step';
import type { ApiRequest } from '../../../src/platform/http/caller';
import {
  SentUpload,
  TakesUpload,
  UPLOADS_AT_ONCE,
  UPLOADS_OF_ACCOUNT,
  type Upload,
} from '../../../src/platform/http/upload';

const MIB = 1_048_576;
const MAX_BYTES = 10 * MIB;
const BOUNDARY = '----form';
/** Several large bodies, on a busy machine. */
const LARGE_LIMIT_MS = 60_000;

type Outcome = {
  readonly code?: string;
  readonly param?: string | null;
  readonly name?: string;
  readonly size?: number;
};

class Route {
  @TakesUpload({ fields: ['csrf', 'kind'], file: 'file', maxBytes: MAX_BYTES })
  take(@SentUpload() upload: Upload): Outcome {
    if (upload.fault) return { ...upload.form, code: upload.fault.code, param: upload.fault.param };
    return { ...upload.form, name: upload.file.name, size: upload.file.bytes.length };
  }
}

let server: Server;
let url: string;
/** The outcomes of all requests, in their order. */
const outcomes: Promise<Outcome>[] = [];

beforeAll(async () => {
  const step = new BodyStep(new Reflector(), () => undefined as never);
  server = createServer((raw, response) => {
    const readerMerchantId = raw.headers['x-account'] ?? 'mch_1';
    const request = { raw, method: 'POST', readerMerchantId } as unknown as ApiRequest;
    const handler: unknown = Reflect.get(Route.prototype, 'take');
    const http = { getRequest: () => request };
    const context = { getHandler: () => handler, getClass: () => Route, switchToHttp: () => http };
    const outcome = step.take(context as unknown as ExecutionContext).then(
      () => new Route().take(sentUpload(context as unknown as ExecutionContext)),
      (error: unknown) => {
        if (!isRefusal(error)) throw error;
        return { code: error.code, param: error.param };
      },
    );
    outcomes.push(outcome);
    outcome.then(
      outcome => response.end(JSON.stringify(outcome)),
      () => response.destroy(),
    );
  });
  // The client keeps its connection, which may end on a busy machine just as the next large body is on its way.
  server.keepAliveTimeout = 0;
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise(resolve => server.close(resolve)));

/** The argument of the route, as the framework takes it from the request. */
function sentUpload(context: ExecutionContext): Upload {
  type Argument = { readonly factory: (data: unknown, context: ExecutionContext) => Upload };
  const [argument] = Object.values(Reflect.getMetadata(ROUTE_ARGS_METADATA, Route, 'take') as Record<string, Argument>);
  return (argument as Argument).factory(undefined, context);
}

const OWN = { 'sec-fetch-site': 'same-origin' };
const part = (head: string, content: string | Buffer) =>
  Buffer.concat([Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')]);
const field = (name: string, value: string) => part(`Content-Disposition: form-data; name="${name}"`, value);
const fileOf = (content: string | Buffer, fileName = 'a.pdf', name = 'file') =>
  part(
    `Content-Disposition: form-data; name="${name}"; filename="${fileName}"\r\nContent-Type: application/pdf`,
    content,
  );
const END = Buffer.from(`--${BOUNDARY}--\r\n`);
const whole = (...parts: readonly Buffer[]) => Buffer.concat([...parts, END]);
const [CSRF, KIND, FILE] = [field('csrf', 'token'), field('kind', 'identity'), fileOf('%PDF')];

/** The head of a request whose body comes later. */
function headOf(length: number, account = 'mch_1'): string {
  const head = [
    'POST / HTTP/1.1',
    'Host: x',
    `X-Account: ${account}`,
    'Sec-Fetch-Site: same-origin',
    `Content-Length: ${length}`,
  ];
  return [...head, `Content-Type: multipart/form-data; boundary=${BOUNDARY}`, '', ''].join('\r\n');
}

async function send(
  body: Buffer,
  headers: Readonly<Record<string, string>> = OWN,
  type = `multipart/form-data; boundary=${BOUNDARY}`,
): Promise<Outcome> {
  const sent = { method: 'POST', headers: { ...headers, 'content-type': type }, body: new Uint8Array(body) };
  return (await (await fetch(url, sent)).json()) as Outcome;
}

describe('a form with a file', () => {
  it('is taken with its fields, in any order', async () => {
    const taken = { csrf: 'token', kind: 'identity', name: 'a.pdf', size: 4 };
    expect(await send(whole(CSRF, KIND, FILE))).toEqual(taken);
    expect(await send(whole(FILE, KIND, CSRF))).toEqual(taken);
    expect(await send(whole(CSRF, field('kind', 'Zoé'), FILE))).toMatchObject({ kind: 'Zoé' });
  });

  it(
    'is as large as 10 MiB, and no byte larger',
    async () => {
      expect(await send(whole(CSRF, KIND, fileOf(Buffer.alloc(MAX_BYTES))))).toMatchObject({ size: MAX_BYTES });
      const tooLarge = { csrf: 'token', kind: 'identity', code: 'request_too_large', param: 'file' };
      for (const beyond of [1, 5 * MIB])
        expect(await send(whole(CSRF, KIND, fileOf(Buffer.alloc(MAX_BYTES + beyond))))).toEqual(tooLarge);
      // Fields that come after the file are not read any more, so there is no form.
      expect(await send(whole(CSRF, fileOf(Buffer.alloc(MAX_BYTES + MIB)), KIND))).toEqual({
        code: 'request_too_large',
        param: 'file',
      });
    },
    LARGE_LIMIT_MS,
  );

  it('is read up to twice its limit, and never to its end', async () => {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const closed = new Promise(resolve => socket.once('close', resolve));
    const before = outcomes.length;
    socket.write(headOf(1_000 * MIB));
    socket.write(Buffer.concat([CSRF, KIND, fileOf('%PDF').subarray(0, -2)]));
    const piece = Buffer.alloc(MIB);
    let sent = 0;
    while (!socket.destroyed && sent < 100) {
      sent += 1;
      if (!socket.write(piece)) await Promise.race([closed, new Promise(resolve => socket.once('drain', resolve))]);
    }
    await closed;
    expect(await outcomes[before]).toMatchObject({ code: 'request_too_large', kind: 'identity' });
    expect(sent).toBeLessThan(40);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }, 'permission_denied'],
    ['nobody', {}, 'permission_denied'],
    ['a page, compressed', { ...OWN, 'content-encoding': 'gzip' }, 'unsupported_media_type'],
  ])('of %s is refused', async (_, headers, code) => {
    expect(await send(whole(CSRF, KIND, FILE), headers)).toMatchObject({ code });
  });

  it.each([
    'application/x-www-form-urlencoded', 'multipart/form-data', 'multipart/form-data; boundary=', 'text/plain',
    `multipart/form-data; boundary=${'x'.repeat(71)}`, `multipart/mixed; boundary=${BOUNDARY}`,
  ])('is not of the type %s', async type => {
    expect(await send(whole(CSRF, KIND, FILE), OWN, type)).toMatchObject({ code: 'unsupported_media_type' });
  }); // prettier-ignore

  it.each<[string, Buffer, string, string | null]>([
    ['an unknown field', whole(CSRF, KIND, field('more', '1'), FILE), 'parameter_invalid', 'more'],
    ['a repeated field', whole(CSRF, CSRF, KIND, FILE), 'parameter_invalid', 'csrf'],
    ['a field less', whole(CSRF, FILE), 'parameter_missing', 'kind'],
    ['two files', whole(CSRF, KIND, FILE, FILE), 'parameter_invalid', 'file'],
    ['a file in the place of a field', whole(CSRF, fileOf('x', 'a', 'kind'), FILE), 'parameter_invalid', 'kind'],
    ['a field in the place of the file', whole(CSRF, KIND, field('file', 'x')), 'parameter_invalid', 'file'],
    ['a field that is too long', whole(CSRF, field('kind', 'x'.repeat(8_193)), FILE), 'parameter_invalid', 'kind'],
    ['too many parts', whole(...Array.from({ length: 99 }, () => part('X: y', ''))), 'parameter_invalid', null],
    [
      'a part without a name',
      whole(CSRF, KIND, part('Content-Disposition: form-data', 'x'), FILE),
      'parameter_invalid',
      null,
    ],
    [
      'a nested form',
      whole(
        CSRF,
        part('Content-Disposition: form-data; name="kind"\r\nContent-Type: multipart/mixed; boundary=x', '--x--'),
        FILE,
      ),
      'parameter_invalid',
      'kind',
    ],
    ['nothing', Buffer.alloc(0), 'invalid_request', null],
    ['no boundary in it', Buffer.from('hello'), 'invalid_request', null],
    ['no end', Buffer.concat([CSRF, KIND, FILE]), 'invalid_request', null],
    ['a file that breaks off', Buffer.concat([CSRF, KIND, FILE.subarray(0, -3)]), 'invalid_request', null],
  ])('with %s is refused', async (_, body, code, param) => {
    expect(await send(body)).toEqual({ code, param });
  });

  it.each([
    ['no file', whole(CSRF, KIND)],
    ['an empty file', whole(CSRF, KIND, fileOf('', ''))],
    [
      'a huge header',
      whole(
        CSRF,
        KIND,
        part(`X: ${'y'.repeat(MIB)}\r\nContent-Disposition: form-data; name="file"; filename="a"`, 'x'),
      ),
    ],
  ])('with %s keeps its fields', async (_, body) => {
    const missing = { code: 'parameter_missing', param: 'file' };
    expect(await send(body)).toEqual({ csrf: 'token', kind: 'identity', ...missing });
  });

  it('is answered wherever it breaks off', async () => {
    const body = whole(CSRF, FILE, KIND);
    const ends = Array.from({ length: (body.length - END.length) / 3 }, (_, index) => index * 3);
    const codes = new Set<string | undefined>();
    for (const length of ends) codes.add((await send(body.subarray(0, length))).code);
    expect([...codes]).toEqual(['invalid_request']);
  });

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\me\\extract.pdf', 'extract.pdf'],
    ['a%0d%0aSet-Cookie: x.pdf', 'a0d0aSet-Cookie x.pdf'],
    ['\u202egnp.exe', 'gnp.exe'],
    ['..', 'file'],
    ['.htaccess', 'htaccess'],
    ['Zoé  Feuille.pdf', 'Zoé Feuille.pdf'],
    [`${'x'.repeat(200)}.pdf`, `${'x'.repeat(96)}.pdf`],
  ])('has a clean name: %j', async (given, name) => {
    expect(await send(whole(CSRF, KIND, fileOf('x', given)))).toMatchObject({ name });
  });

  it('waits for its turn where a process reads many of them, or many of its account', async () => {
    const sockets: Socket[] = [];
    const begin = async (account: string) => {
      const next = new Promise(resolve => server.once('request', resolve));
      const { port } = server.address() as AddressInfo;
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.write(headOf(5_000, account));
      sockets.push(socket);
      await next;
    };
    const outcomeOf = (account: string) => send(whole(CSRF, KIND, FILE), { ...OWN, 'x-account': account });
    const before = outcomes.length;
    for (let count = 0; count < UPLOADS_OF_ACCOUNT; count++) await begin('mch_1');
    expect(await outcomeOf('mch_1')).toEqual({ code: 'rate_limit', param: null });
    expect(await outcomeOf('mch_2')).toMatchObject({ size: 4 });
    for (let count = UPLOADS_OF_ACCOUNT; count < UPLOADS_AT_ONCE; count++) await begin(`mch_${count}`);
    expect(await outcomeOf('mch_2')).toEqual({ code: 'rate_limit', param: null });
    for (const socket of sockets) socket.destroy();
    const codes = (await Promise.all(outcomes.slice(before))).map(({ code }) => code);
    expect(codes.filter(code => code === 'request_aborted')).toHaveLength(UPLOADS_AT_ONCE);
    expect(await outcomeOf('mch_1')).toMatchObject({ size: 4 });
  });

  it('that its sender breaks off is refused, and kept nowhere', async () => {
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    const begun = new Promise(resolve => server.once('request', resolve));
    socket.write(`${headOf(5_000)}${FILE.toString()}`);
    await begun;
    socket.destroy();
    expect(await outcomes.at(-1)).toEqual({ code: 'request_aborted', param: null });
  });
});
