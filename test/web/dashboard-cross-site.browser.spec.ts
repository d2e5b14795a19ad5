import type { Request } from 'playwright-core';
import { DashboardStage } from './dashboard-stage';
import { inBrowser } from './in-browser';

const START_LIMIT_MS = 60_000;
const LIMIT_MS = 60_000;
const SECURITY = '/dashboard/test/security';
const FORM = 'application/x-www-form-urlencoded';

/** A page of another site: 127.0.0.1 and localhost are two. */
inBrowser('another site (ASVS 3.5.1, 3.5.8)', start => {
  let dashboard: DashboardStage;

  beforeAll(async () => {
    dashboard = await DashboardStage.open();
  }, START_LIMIT_MS);
  afterAll(() => dashboard.close());

  const devices = async (): Promise<number> =>
    ((await dashboard.owner.open(SECURITY)).body.match(/<th scope="row">/g) ?? []).length;

  /** A visit that is signed in at localhost and looks at a page of 127.0.0.1, which holds `body`. */
  async function foreignPage(body: string) {
    const visit = await start();
    await visit.context.addCookies([dashboard.cookie(dashboard.owner.secret)]);
    const site = `http://127.0.0.1:${dashboard.instance.port}/foreign`;
    await visit.context.route(site, route => route.fulfill({ contentType: 'text/html', body }));
    await visit.open(site);
    return visit;
  }

  it(
    'leads a signed-in person to a page, which is then shown',
    async () => {
      const visit = await foreignPage(`<a href="${dashboard.url(SECURITY)}">Your account</a>`);
      await visit.page.click('a');
      await visit.page.waitForSelector('h1');
      expect(visit.page.url()).toBe(dashboard.url(SECURITY));
      expect(await visit.page.textContent('h1')).toBe('Security');
      visit.takeFaults();
    },
    LIMIT_MS,
  );

  it.each([
    ['a form', `document.forms[0].submit()`],
    [
      'a script',
      `fetch(URL, { method: 'POST', mode: 'no-cors', credentials: 'include', body: new URLSearchParams(FIELDS) })`,
    ],
    ['a frame', `document.body.append(Object.assign(document.createElement('iframe'), { src: PAGE }))`],
  ])(
    'changes nothing by %s, also where it knows a token',
    async (_, script) => {
      const { owner } = dashboard;
      await owner.another().signIn();
      const { body } = await owner.open(SECURITY);
      const fields = ['csrf', 'form_id'].map(name => [
        name,
        new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1],
      ]);
      const url = dashboard.url(`${SECURITY}/sessions/others`);
      const inputs = fields.map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`).join('');
      const form = `<form method="post" action="${url}" enctype="${FORM}">${inputs}</form>`;
      const visit = await foreignPage(`<body>${form}</body>`);
      const isOurs = (request: Request) => request.url().startsWith(dashboard.url('/dashboard'));
      const ended = Promise.race([
        visit.page.waitForEvent('requestfinished', isOurs),
        visit.page.waitForEvent('requestfailed', isOurs),
      ]);
      const given = `const URL = ${JSON.stringify(url)}, PAGE = ${JSON.stringify(dashboard.url(SECURITY))},
        FIELDS = ${JSON.stringify(Object.fromEntries(fields))};`;
      await visit.page.evaluate(`(() => { ${given} ${script}; })()`);
      await ended;
      expect(await devices()).toBeGreaterThanOrEqual(2);
      const shown = await Promise.all(visit.page.frames().map(frame => frame.content().catch(() => '')));
      expect(shown.join('')).not.toContain('Corner Shop');
      visit.takeFaults();
    },
    LIMIT_MS,
  );
});
