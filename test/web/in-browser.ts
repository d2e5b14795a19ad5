import type { Browser } from 'playwright-core';
import { browserKind, launchBrowser, type BrowserKind } from './chromium';
import { Visit, type Look } from './visit';

/** The browser is unpacked, started and ended within this time, also on a busy machine. */
const LIMIT_MS = 120_000;
const ANY: readonly BrowserKind[] = ['named', 'packed', 'chrome'];

/**
 * Tests in a real browser, one for the file. A visit ends with its test, and the test fails for each fault that it
 * did not take. Without a browser of the kinds the tests are skipped loudly, and fail where `CI` is set. `isBrief` is
 * that of `launchBrowser`.
 */
export function inBrowser(
  what: string,
  tests: (start: (look?: Look) => Promise<Visit>) => void,
  { kinds = ANY, isBrief = false }: { readonly kinds?: readonly BrowserKind[]; readonly isBrief?: boolean } = {},
): void {
  const kind = browserKind();
  const skipped = (kind === null || !kinds.includes(kind)) && !process.env['CI'];
  const remedy = kind === null ? 'Set CHROMIUM_PATH or install Chrome.' : `They need another browser than ${kind}.`;
  if (skipped) process.stderr.write(`SKIPPED, no browser here: ${what}. ${remedy}\n`);
  (skipped ? describe.skip : describe)(what, () => {
    let browser: Browser;
    const visits: Visit[] = [];

    beforeAll(async () => {
      browser = await launchBrowser({ isBrief });
    }, LIMIT_MS);

    afterEach(async () => {
      const ended = visits.splice(0);
      const faults = ended.flatMap(visit => visit.takeFaults());
      await Promise.all(ended.map(({ context }) => context.close()));
      expect(faults).toEqual([]);
    }, LIMIT_MS);

    afterAll(() => browser?.close());

    tests(async look => {
      const visit = await Visit.start(browser, look);
      visits.push(visit);
      return visit;
    });
  });
}
