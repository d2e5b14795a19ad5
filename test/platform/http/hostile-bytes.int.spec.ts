import { cpuMs } from '../../support/longest-hold';
import { sendRaw } from './exchange';
import { startTestApp, type TestApp } from './http-test-app';

const CONNECTIONS = 64;
const LINE_BYTES = 16_000;
/** The CPU time of all connections, with their clients in this process. Some lines of quadratic time took as long. */
const CPU_LIMIT_MS = 3_000;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.app.close());

it.each([
  ['spaces', `GET /${' '.repeat(LINE_BYTES)}T`, 'invalid_request'],
  ['spaces before another protocol', `GET /${' '.repeat(LINE_BYTES)} HTTP/1.x\r\n\r\n`, 'invalid_request'],
  ['spaces in the target', `GET /a b${' '.repeat(LINE_BYTES)}`, 'invalid_request'],
  ['spaces in the target, before the protocol', `GET /a b${' '.repeat(LINE_BYTES)} HTTP/1.1\r\n`, 'invalid_path'],
])(
  'answers request lines of %s without holding up everybody else',
  async (_, bytes, code) => {
    const startMs = cpuMs();
    const answers = await Promise.all(Array.from({ length: CONNECTIONS }, () => sendRaw(app, bytes)));
    const takenMs = cpuMs() - startMs;
    expect(answers.map(({ body }) => (body as { error: { code: string } }).error.code)).toEqual(
      Array.from({ length: CONNECTIONS }, () => code),
    );
    expect(takenMs).toBeLessThan(CPU_LIMIT_MS);
  },
  60_000,
);
