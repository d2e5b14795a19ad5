import type { BrowserContext } from 'playwright-core';

const SCRIPT = /<script\b[^>]*>[^<]*<\/script>/gi;
const NOSCRIPT = /<\/?noscript>/gi;

/**
 * Pages arrive as a browser without script shows them. The browser's own switch would also stop the timers that axe
 * needs. The answer to a form keeps its `<noscript>`, since answers after a redirection cannot be changed.
 */
export async function stripScripts(context: BrowserContext): Promise<void> {
  await context.route('**', async (route, request) => {
    if (request.resourceType() === 'script') return route.fulfill({ contentType: 'text/javascript', body: '' });
    if (request.resourceType() !== 'document' || request.method() !== 'GET') return route.continue();
    const response = await route.fetch({ maxRedirects: 0 });
    const isPage = (response.headers()['content-type'] ?? '').startsWith('text/html');
    if (!isPage) return route.fulfill({ response });
    const body = (await response.text()).replaceAll(SCRIPT, '').replaceAll(NOSCRIPT, '');
    return route.fulfill({ response, body });
  });
}
