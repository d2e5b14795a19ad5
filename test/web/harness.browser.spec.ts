import { generate } from 'lean-qr';
import { axeViolations, readQr, sidewaysScroll } from './checks';
import { FixtureSite, served } from './fixture-site';
import { inBrowser } from './in-browser';
import { countTransfers } from './transferred';

const TEXT = 'ethereum:0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913@8453/transfer?uint256=12340000';
const WRONG_BY_MS = 600_000;
const LONG_WORD = '0123456789'.repeat(10);

function qr(text: string): string {
  const code = generate(text);
  const numbers = [...Array(code.size).keys()];
  const dark = numbers.flatMap(y => numbers.filter(x => code.get(x, y)).map(x => `M${x} ${y}h1v1h-1z`));
  const box = `-4 -4 ${code.size + 8} ${code.size + 8}`;
  return `<svg role="img" aria-label="QR" viewBox="${box}" width="240"><path d="${dark.join('')}"/></svg>`;
}

const page = (main: string, head = '') =>
  served(
    `<!doctype html><html lang="en"><head><title>Fixture</title>${head}</head>` +
      `<body><main><h1>Fixture</h1>${main}</main></body></html>`,
  );

inBrowser('the tests of pages', start => {
  let site: FixtureSite;

  beforeAll(async () => {
    site = await FixtureSite.start({
      '/good': page(`${qr(TEXT)}<form method="post" action="/form"><button>Go</button></form>`),
      '/bad': page('<p style="color:red">Name <input><img src="http://127.0.0.2:1/a.png" alt=""></p>'),
      '/wide': page(`<p>${LONG_WORD}</p>`),
      '/scripted': page('<noscript>without</noscript>', '<script src="/a.js" defer></script>'),
      '/a.js': served('document.querySelector("h1").textContent = `with, at ${Date.now()}`;', 'text/javascript'),
      '/form': (_request, response) => void response.writeHead(303, { location: '/scripted' }).end(),
    });
  });

  afterAll(() => site.close());

  it('find nothing wrong with a good page', async () => {
    const visit = await start({ screen: 'phone', theme: 'dark', lang: 'ar' });
    const transferred = await countTransfers(visit);
    expect(await visit.open(`${site.origin}/good`)).toBe(200);
    expect(await axeViolations(visit.page)).toEqual([]);
    expect(await sidewaysScroll(visit.page)).toEqual([]);
    expect(await visit.page.evaluate('matchMedia("(prefers-color-scheme: dark)").matches')).toBe(true);
    expect(await visit.page.evaluate('navigator.language')).toBe('ar');
    const { whole, byKind } = transferred();
    expect(byKind['Document']).toBeGreaterThan(TEXT.length);
    expect(whole).toBeGreaterThanOrEqual(byKind['Document'] ?? 0);
  });

  it('read a code back from the screen', async () => {
    const visit = await start();
    await visit.open(`${site.origin}/good`);
    expect(await readQr(visit.page.getByRole('img'))).toBe(TEXT);
    expect(await readQr(visit.page.getByRole('button'))).toBeNull();
  });

  it('find a field without a name, an inline style, and a request to another host', async () => {
    const visit = await start();
    await visit.open(`${site.origin}/bad`);
    expect(await axeViolations(visit.page)).toEqual([expect.stringContaining('label: input')]);
    const faults = visit.takeFaults().join('\n');
    expect(faults).toContain('policy (enforce): style-src-attr');
    expect(faults).toContain('other host: http://127.0.0.2:1/a.png');
  });

  it('find what scrolls sideways', async () => {
    const visit = await start({ screen: 'phone' });
    await visit.open(`${site.origin}/wide`);
    expect(await sidewaysScroll(visit.page)).toContainEqual(expect.stringContaining('px wide'));
  });

  it('see pages as without script, also after a form', async () => {
    const visit = await start({ script: false });
    await visit.open(`${site.origin}/scripted`);
    expect(await visit.page.textContent('main')).toBe('Fixturewithout');
    await visit.open(`${site.origin}/good`);
    await visit.page.getByRole('button').click();
    await visit.page.waitForURL('**/scripted');
    expect(await visit.page.textContent('h1')).toBe('Fixture');
    expect(await axeViolations(visit.page)).toEqual([]);
  });

  it('turn the clock of the customer', async () => {
    const visit = await start({ clockWrongByMs: WRONG_BY_MS });
    const before = Date.now();
    await visit.open(`${site.origin}/scripted`);
    const told = Number((await visit.page.textContent('h1'))?.split(' ').at(-1));
    expect(told).toBeGreaterThanOrEqual(before + WRONG_BY_MS);
    expect(told).toBeLessThanOrEqual(Date.now() + WRONG_BY_MS);
  });
});
