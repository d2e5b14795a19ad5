import { createServer, type AddressInfo } from 'node:net';
import { SmtpMailSender } from '../../../src/platform/outbound/smtp-mail-sender';
import { MailServer } from '../../support/mail-server';

const mail = {
  id: 'evt-1',
  to: 'owner@example.com',
  subject: 'Über\r\nBcc: x@example.com',
  text: 'Hello\n.\nthere\n',
  html: '<!doctype html><p>Hello there</p>',
};
const from = 'Quittance <no-reply@pay.example>';

let server: MailServer;
beforeEach(async () => (server = await MailServer.start()));
afterEach(() => server.stop());

it('hands a message over, with an id that stays the same', async () => {
  const sender = new SmtpMailSender({ url: server.url(), from });
  expect(await sender.send(mail)).toStrictEqual({ status: 'sent', detail: expect.stringMatching(/^250 /) as string });
  await sender.send(mail);
  const [first, second] = server.received;
  expect(first).toMatchObject({ from: 'no-reply@pay.example', to: ['owner@example.com'] });
  expect(first?.source).toContain('Message-ID: <evt-1@pay.example>');
  expect(first?.source).toContain('Auto-Submitted: auto-generated');
  expect(first?.source).not.toMatch(/^Bcc:/m);
  expect(second?.source).toContain('Message-ID: <evt-1@pay.example>');
});

it('sends both parts of a message, and a message of before with its text alone', async () => {
  const sender = new SmtpMailSender({ url: server.url(), from });
  await sender.send(mail);
  await sender.send({ ...mail, html: null });
  const [both, alone] = server.received.map(({ source }) => source);
  expect(both).toMatch(/^Content-Type: multipart\/alternative/m);
  expect(both?.match(/^Content-Type: text\/\w+/gm)).toStrictEqual([
    'Content-Type: text/plain',
    'Content-Type: text/html',
  ]);
  expect(both).toContain('Hello');
  expect(both).toContain('<p>Hello there</p>');
  expect(alone?.match(/^Content-Type: [a-z]+\/\w+/gm)).toStrictEqual(['Content-Type: text/plain']);
});

it.each([
  [421, 'deferred'],
  [451, 'deferred'],
  [550, 'refused'],
  [554, 'refused'],
])('takes the reply %i as %s', async (code, status) => {
  server.refuseWith = code;
  const outcome = await new SmtpMailSender({ url: server.url(), from }).send(mail);
  expect(outcome).toStrictEqual({ status, detail: expect.stringContaining(String(code)) as string });
});

it('says nothing against a message because of its own login', async () => {
  const outcome = await new SmtpMailSender({ url: server.url('user:wrong@'), from }).send(mail);
  expect(outcome.status).toBe('deferred');
  expect(await new SmtpMailSender({ url: server.url('user:right@'), from }).send(mail)).toMatchObject({
    status: 'sent',
  });
});

it('tries again later where nobody answers, or what answers is no mail server', async () => {
  expect(await new SmtpMailSender({ url: 'smtp://127.0.0.1:1', from }).send(mail)).toMatchObject({
    status: 'deferred',
  });
  const closing = createServer(socket => socket.destroy());
  await new Promise<void>(resolve => closing.listen(0, '127.0.0.1', resolve));
  const url = `smtp://127.0.0.1:${(closing.address() as AddressInfo).port}`;
  expect(await new SmtpMailSender({ url, from }).send(mail)).toMatchObject({ status: 'deferred' });
  closing.close();
});

it.each(['', '?requireTLS=false', '?ignoreTLS=true', '?opportunisticTLS=true'])(
  'sends neither login nor message to another host in clear text, whatever its URL says: "%s"',
  async options => {
    // The system takes this address for itself, and the sender does not know that.
    const url = `${server.url('user:right@', '0.0.0.0')}${options}`;
    expect(await new SmtpMailSender({ url, from }).send(mail)).toStrictEqual({
      status: 'deferred',
      detail: expect.stringContaining('STARTTLS') as string,
    });
    expect({ logins: server.logins, attempts: server.attempts }).toStrictEqual({ logins: 0, attempts: 0 });
  },
);
