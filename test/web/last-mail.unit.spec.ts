import { lastMailOf } from '../../web/http/last-mail';

const MAIL = { to: 'ada@shop.example', subject: 'Your link', text: 'https://pay.example/link' };
const SMTP = { url: 'smtp://mail.example', from: 'pay@pay.example' };
const outbox = { newestLinkTo: () => Promise.resolve(MAIL) };

it.each([
  ['development', null, MAIL],
  ['development', SMTP, null],
  ['production', null, null],
  ['production', SMTP, null],
] as const)('in %s with the mail server %j is %j', async (environment, smtp, shown) => {
  expect(await lastMailOf({ environment, smtp }, outbox).to(MAIL.to)).toEqual(shown);
});
