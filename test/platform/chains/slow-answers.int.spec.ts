import { isRefusal } from '../../../src/vocabulary/errors';
import { post, postForLists, type Question } from '../../../src/platform/chains/http-post';
import { ScriptedProvider } from './scripted-provider';

const TIMEOUT_MS = 500;
/** The time is longer than a busy machine stands still, since a pause of it ends an answer. */
const SHORT_TIMEOUT_MS = 300;
const PIECE_MS = 20;
const KIB = 1_024;

let provider: ScriptedProvider;

afterEach(() => provider.stop());

/** Writes a list of numbers: so many bytes every 20 ms, so many times. */
async function slow(bytes: number, times: number, timeoutMs = TIMEOUT_MS): Promise<Question> {
  provider = await ScriptedProvider.start((_method, _params, response) => {
    let left = times;
    const piece = '1,'.repeat(bytes / 2);
    response.write('[');
    const writing = setInterval(() => {
      if (left-- > 0) return void response.write(piece);
      clearInterval(writing);
      response.end('1]');
    }, PIECE_MS);
    response.on('close', () => clearInterval(writing));
    return 'written';
  });
  return { url: provider.url, method: 'eth_any', body: {}, headers: {}, timeoutMs, statuses: [200] };
}

const codeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'answered',
    (error: unknown) => (isRefusal(error) ? error.code : String(error)),
  );

test('an answer that keeps coming has more time than one call', async () => {
  const question = await slow(64 * KIB, 40);
  expect(await post(question)).toHaveLength(40 * 32 * KIB + 1);
});

test('so has one that is read as it comes', async () => {
  const question = await slow(64 * KIB, 40);
  let count = 0;
  await postForLists(question, [{ path: '', take: numbers => (count += numbers.length) }]);
  expect(count).toBe(40 * 32 * KIB + 1);
});

test('one that drips has the time of one call', async () => {
  const begun = performance.now();
  expect(await codeOf(post(await slow(2, Infinity)))).toBe('provider_unavailable');
  expect(performance.now() - begun).toBeLessThan(5 * TIMEOUT_MS);
});

test('one that comes without end is given up in the end, after many times that', async () => {
  const begun = performance.now();
  expect(await codeOf(postForLists(await slow(16 * KIB, Infinity, SHORT_TIMEOUT_MS), []))).toBe('provider_unavailable');
  expect(performance.now() - begun).toBeGreaterThan(5 * SHORT_TIMEOUT_MS);
});
