import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const source = (module: string) => readFileSync(require.resolve(module), 'utf8');

interface AxeFinding {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
}

/**
 * The same script. A browser keeps a script with other characters in twice the bytes. Each document reads the script:
 * without such characters, a page with axe takes a third less processor time.
 */
function inAscii(script: string): string {
  return script.replace(/[\u0080-\uffff]/g, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The windows that hold axe. Each further page of such a window finds axe there, so axe is sent once. */
const withAxe = new WeakSet<Page>();

async function bringAxe(page: Page): Promise<void> {
  if (withAxe.has(page)) return;
  const axe = inAscii(source('axe-core/axe.min.js'));
  await page.addInitScript(axe);
  await page.evaluate(axe);
  withAxe.add(page);
}

/** Axe's findings on the page as it stands: one line for each element. */
export async function axeViolations(page: Page): Promise<readonly string[]> {
  await bringAxe(page);
  const options = JSON.stringify({ runOnly: RULES, resultTypes: ['violations'] });
  const found = await page.evaluate<readonly AxeFinding[]>(
    `axe.run(document, ${options}).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
  );
}

/** The elements that stick out beside the window; none where the page does not scroll sideways. */
export function sidewaysScroll(page: Page): Promise<readonly string[]> {
  return page.evaluate<readonly string[]>(`(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth <= clientWidth) return [];
    const sticksOut = element => {
      const { left, right } = element.getBoundingClientRect();
      return left < 0 || right > clientWidth;
    };
    const names = [...document.body.querySelectorAll('*')].filter(sticksOut).map(({ outerHTML }) => outerHTML.slice(0, 80));
    return ['the page is ' + scrollWidth + ' px wide', ...names.slice(0, 5)];
  })()`);
}

/** The pixels of the page's first table that are out of sight beside its region. */
export function hiddenWidth(page: Page): Promise<number> {
  return page.evaluate<number>(`(() => {
    const { scrollWidth, clientWidth } = document.querySelector('.scroller');
    return scrollWidth - clientWidth;
  })()`);
}

/** The compressed bytes of the page with its script and its styles: fonts and pictures do not count. */
export function loadedBytes(page: Page): Promise<number> {
  return page.evaluate<number>(`performance.getEntries()
    .filter(({ entryType, initiatorType }) => entryType === 'navigation' || /^(link|script)$/.test(initiatorType))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`);
}

/** The text of a QR code, as a camera would read it from the screen. Null: unreadable. */
export async function readQr(code: Locator): Promise<string | null> {
  const picture = (await code.screenshot()).toString('base64');
  // The blank page has no content policy.
  const reader = await code.page().context().newPage();
  try {
    await reader.evaluate(source('jsqr'));
    return await reader.evaluate<string | null>(`(async () => {
      const bitmap = await createImageBitmap(await (await fetch('data:image/png;base64,${picture}')).blob());
      const { width, height } = bitmap;
      const canvas = new OffscreenCanvas(width, height).getContext('2d');
      canvas.drawImage(bitmap, 0, 0);
      return jsQR(canvas.getImageData(0, 0, width, height).data, width, height)?.data ?? null;
    })()`);
  } finally {
    await reader.close();
  }
}
