import { rmSync } from 'node:fs';
import { loadConfig } from '../../src/platform/config/config';
import { createLogger } from '../../src/platform/logging/logger';
import { startService } from '../../src/composition/start-service';
import { EnginesOutage } from '../support/engines-outage';
import { MemoryDocuments } from '../support/memory-documents';
import { MemoryEventStore } from '../support/memory-event-store';
import { memoryFolder } from '../support/memory-folder';
import { eventually, freePort } from '../support/service-process';
import { inBrowser } from './in-browser';

const LIMIT_MS = 60_000;
const SETTLED_MS = 10_000;

inBrowser('a person who comes while the service starts', start => {
  it.each([
    ['with a script', true],
    ['without a script', false],
  ])(
    'is told so in their language, and led on by the page itself: %s',
    async (_, script) => {
      const [port, nowhere] = [await freePort(), await freePort()];
      const dataFolder = memoryFolder();
      const outage = new EnginesOutage();
      const config = loadConfig({
        NODE_ENV: 'test',
        DATA_FOLDER: dataFolder,
        PORT: String(port),
        SANDBOX_CHAINS: 'off',
        EVENTSTORE_URL: `esdb://127.0.0.1:${nowhere}?tls=false`,
        MONGODB_URL: `mongodb://127.0.0.1:${nowhere}/quittance`,
      });
      const starting = startService(config, createLogger({ level: 'silent' }), { connectors: outage.connectors });
      await eventually('a try', SETTLED_MS, () => (outage.tries > 0 ? true : null));
      const visit = await start({ lang: 'es', script, theme: 'dark', screen: 'phone' });
      try {
        expect(await visit.open(`http://127.0.0.1:${port}/checkout/pi_1`)).toBe(503);
        const title = visit.page.locator('h1');
        expect(await title.textContent()).toBe('Esta página no se puede mostrar ahora');
        const colour = () => visit.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
        expect(await colour()).not.toBe('rgba(0, 0, 0, 0)');
        if (process.env['SHOW_STARTING']) await visit.page.screenshot({ path: process.env['SHOW_STARTING'] });
        [outage.store, outage.documents] = [new MemoryEventStore(), new MemoryDocuments()];
        // The service answers by now: it knows no such payment.
        await visit.page.locator('h1', { hasText: 'Esta página no existe' }).waitFor();
        for (const fault of visit.takeFaults()) expect(fault).toMatch(/status of (?:404|503)/);
      } finally {
        await (await starting).stop();
        rmSync(dataFolder, { recursive: true, force: true });
      }
    },
    LIMIT_MS,
  );
});
