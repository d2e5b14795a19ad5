import { picturedPages, PICTURED, type Pictured, type PictureName } from './dashboard/pictured-pages';
import { lookers } from './dashboard-pages';
import { DashboardStage, type PersonBrowser } from './dashboard-stage';
import { inBrowser } from './in-browser';
import { baselinesOf, faultsOf, type PictureSet } from './picture-set';
import type { Visit } from './visit';

const SETS: readonly PictureSet[] = [
  { surface: 'dashboard', theme: 'light', screen: 'desktop', names: PICTURED },
  { surface: 'dashboard', theme: 'dark', screen: 'phone', names: PICTURED },
];
const START_LIMIT_MS = 60_000;
const LIMIT_MS = 300_000;

inBrowser(
  'pictures of the dashboard',
  start => {
    let dashboard: DashboardStage;
    let pages: Readonly<Record<PictureName, Pictured>>;
    let people: Readonly<Record<string, PersonBrowser | null>>;
    beforeAll(async () => {
      dashboard = await DashboardStage.open();
      pages = await picturedPages(dashboard);
      people = await lookers(dashboard);
    }, START_LIMIT_MS);
    afterAll(() => dashboard.close());

    async function become(visit: Visit, person: string): Promise<void> {
      await visit.context.clearCookies();
      const secret = people[person]?.secret;
      if (secret !== undefined) await visit.context.addCookies([dashboard.cookie(secret)]);
    }

    /** The page as a form has answered it. */
    const showing = (body: string) => (visit: Visit) =>
      visit.context.route('**/*', route =>
        route.request().isNavigationRequest() ? route.fulfill({ contentType: 'text/html', body }) : route.fallback(),
      );

    it.each(SETS)(
      'are as recorded: $surface, $theme, $screen',
      async set => {
        const { theme, screen } = set;
        const startVisit = async () => {
          const visit = await start({ theme, screen });
          await become(visit, 'owner');
          return visit;
        };
        const pageOf = (name: string) => {
          const { at, as, body } = pages[name as PictureName];
          const before = as ? (visit: Visit) => become(visit, as) : body === undefined ? undefined : showing(body);
          return { url: dashboard.url(at), ...(before && { before }) };
        };
        expect(await faultsOf(set, startVisit, pageOf)).toEqual([]);
      },
      LIMIT_MS,
    );

    it('are all recorded, and no others', () => {
      const { wanted, recorded } = baselinesOf(SETS);
      expect(recorded).toEqual(wanted);
    });
  },
  ['packed'],
);
