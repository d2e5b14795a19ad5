import type { ScreeningVerdict } from '../../../src/kernel/ports/screening';
import { ChainalysisApi } from '../../../src/platform/screening/chainalysis-api';
import {
  ANSWER_LIMIT_MS,
  answerWith,
  AnsweringServer,
  cutOff,
  hugeAnswer,
  neverAnswer,
  SILENCE_MS,
  type Answer,
} from '../rates/answering-server';

const PAYER = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';

let server: AnsweringServer;

beforeEach(async () => {
  server = await AnsweringServer.start();
});

afterEach(() => server.stop());

function screen(payer = PAYER): Promise<ScreeningVerdict> {
  const timeoutMs = server.answer === neverAnswer ? SILENCE_MS : ANSWER_LIMIT_MS;
  const api = new ChainalysisApi({ baseUrl: server.url, apiKey: 'key-1', timeoutMs });
  return api.screen({ mode: 'live', network: 'base', payer, recipient: '0x2' });
}

test('who has no identifications is clear', async () => {
  server.answer = answerWith('{"identifications":[]}');
  expect(await screen()).toEqual({ verdict: 'clear', source: 'chainalysis', reference: null });
  expect(server.requests).toEqual([`/api/v1/address/${PAYER}`]);
  expect(server.headers['x-api-key']).toBe('key-1');
});

test.each([
  ['[{"category":"sanctions","name":"SANCTIONS: OFAC SDN Example","description":"…","url":"https://…"}]', 'sanctions: SANCTIONS: OFAC SDN Example'],
  ['[{"category":null,"name":"Example"},{"category":"sanctions"}]', 'Example'],
  ['[{}]', null],
])('who has any is a high risk: %s', async (identifications, reference) => {
  server.answer = answerWith(`{"identifications":${identifications}}`);
  expect(await screen()).toEqual({ verdict: 'high_risk', source: 'chainalysis', reference });
}); // prettier-ignore

test('whatever the address, the path is its own', async () => {
  server.answer = answerWith('{"identifications":[]}');
  await screen('../keys?x=1');
  expect(server.requests).toEqual(['/api/v1/address/..%2Fkeys%3Fx%3D1']);
});

test.each<[string, Answer, string]>([
  ['status 403', answerWith('{"message":"Forbidden"}', 403), 'provider_unavailable'],
  ['status 429', answerWith('{}', 429), 'provider_unavailable'],
  ['status 500', answerWith('{"identifications":[]}', 500), 'provider_unavailable'],
  ['a redirect', answerWith('', 302, { location: '/elsewhere' }), 'provider_unavailable'],
  ['no answer in time', neverAnswer, 'provider_unavailable'],
  ['an answer cut off', cutOff, 'provider_unavailable'],
  ['a huge answer', hugeAnswer, 'provider_response_invalid'],
  ['an empty body', answerWith(''), 'provider_response_invalid'],
  ['an empty object', answerWith('{}'), 'provider_response_invalid'],
  ['null for a list', answerWith('{"identifications":null}'), 'provider_response_invalid'],
  ['HTML', answerWith('<html>'), 'provider_response_invalid'],
])('clears nobody with %s, and names no key', async (_, answer, code) => {
  server.answer = answer;
  const failure = screen();
  await expect(failure).rejects.toMatchObject({ code });
  await expect(failure).rejects.not.toThrow('key-1');
});
