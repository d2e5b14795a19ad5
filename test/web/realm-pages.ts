import { DAY_MS } from '../../src/kernel/clock';
import { searchSize } from '../levels/search-size';
import { inBrowser } from './in-browser';
import { itemsWithLooks } from './looks-in-turn';
import { baselinesOf, faultsOf, type PictureSet } from './picture-set';
import { IS_RECORDING } from './pictures';
import { expectAnswersReadable, expectReadable, LOOKS, LOOKS_BY_SCRIPT, type AnsweredPage } from './readable-pages';
import type { Look, Visit } from './visit';

const START_LIMIT_MS = 60_000;
const LOOKS_LIMIT_MS = 300_000;
const PICTURES_LIMIT_MS = 300_000;
/** Pictures are compared on another day, and in another month, than that of their recording: no date may show. */
const OTHER_DAY_MS = IS_RECORDING ? 0 : 40 * DAY_MS;

type Cookie = Parameters<Visit['context']['addCookies']>[0][number];

/** A service with the people of one realm, by their names; null for a stranger. */
type Realm = {
  readonly stage: { url(path: string): string; cookie(secret: string): Cookie; close(): Promise<void> };
  readonly people: Readonly<Record<string, { readonly secret?: string | undefined } | null>>;
};

type LookedAt = Realm & {
  readonly pages: readonly { readonly at: string; readonly as: string }[];
  readonly answers: readonly AnsweredPage[];
};

/** A page of a picture; `body` is the page as a form has answered it. */
type Pictured = { readonly at: string; readonly as?: string; readonly body?: string };
type PicturedRealm = Realm & { readonly pages: Readonly<Record<string, Pictured>> };

type Looks = {
  /** The variable that tells how many pages, and how many answers, are looked at under each look. */
  readonly variable: string;
  /** The routes that the service serves, and those that the looks know. */
  readonly served: readonly string[];
  readonly routes: readonly string[];
};

/** Every page of a realm can be read, under each look. */
export function looksOf(name: string, { variable, served, routes }: Looks, open: () => Promise<LookedAt>): void {
  const count = searchSize(variable, { small: 1, full: 1_000 });
  const withLooks = <Item>(items: readonly Item[], group: (typeof LOOKS_BY_SCRIPT)[number]['looks']) =>
    itemsWithLooks(items, { looks: LOOKS, group, count });
  const tests = (start: (look?: Look) => Promise<Visit>): void => {
    let realm: LookedAt;
    beforeAll(async () => {
      realm = await open();
    }, START_LIMIT_MS);
    afterAll(() => realm.stage.close());
    const url = (path: string) => realm.stage.url(path);
    const become = (visit: Visit, person: string) => signIn(realm, visit, person);

    it('are all known to these tests', () => {
      expect([...new Set(routes)].sort()).toEqual([...served].sort());
    });

    it.each(LOOKS_BY_SCRIPT)(
      'can be read by everybody in each theme, on each screen: script $script',
      async ({ script, looks }) =>
        expectReadable(await start({ script }), { url, become }, withLooks(realm.pages, looks), { script }),
      LOOKS_LIMIT_MS,
    );

    it.each(LOOKS_BY_SCRIPT)(
      'can be read where they answer a form or a fault, in each theme, on each screen: script $script',
      async ({ script, looks }) => {
        const visit = await start({ script });
        await become(visit, 'owner');
        await expectAnswersReadable(visit, { url }, withLooks(realm.answers, looks));
      },
      LOOKS_LIMIT_MS,
    );
  };
  inBrowser(`the pages of the ${name}`, tests, { isBrief: true });
}

/** The pages of a realm look as they were recorded, in both themes. */
export function picturesOf(
  surface: PictureSet['surface'],
  names: PictureSet['names'],
  open: () => Promise<PicturedRealm>,
): void {
  const sets: readonly PictureSet[] = [
    { surface, theme: 'light', screen: 'desktop', names },
    { surface, theme: 'dark', screen: 'phone', names },
  ];
  inBrowser(
    `pictures of the ${surface}`,
    start => {
      let realm: PicturedRealm;
      beforeAll(async () => {
        const { now } = Date;
        jest.spyOn(Date, 'now').mockImplementation(() => now() + OTHER_DAY_MS);
        realm = await open();
      }, START_LIMIT_MS);
      afterAll(async () => {
        await realm.stage.close();
        jest.restoreAllMocks();
      });

      it.each(sets)(
        'are as recorded: $surface, $theme, $screen',
        async set => {
          const { theme, screen } = set;
          const startVisit = async () => {
            const visit = await start({ theme, screen });
            await signIn(realm, visit, 'owner');
            return visit;
          };
          const pageOf = (name: string) => {
            const { at, ...shown } = realm.pages[name] as Pictured;
            // A page without a `before` needs no visit of its own.
            const isPlain = Object.keys(shown).length === 0;
            return {
              url: realm.stage.url(at),
              ...(!isPlain && { before: (visit: Visit) => prepare(realm, visit, shown) }),
            };
          };
          expect(await faultsOf(set, startVisit, pageOf)).toEqual([]);
        },
        PICTURES_LIMIT_MS,
      );

      it('are all recorded, and no others', () => {
        const { wanted, recorded } = baselinesOf(sets);
        expect(recorded).toEqual(wanted);
      });
    },
    { kinds: ['packed'] },
  );
}

async function signIn({ stage, people }: Realm, visit: Visit, person: string): Promise<void> {
  await visit.context.clearCookies();
  const secret = people[person]?.secret;
  if (secret !== undefined) await visit.context.addCookies([stage.cookie(secret)]);
}

async function prepare(realm: Realm, visit: Visit, { as, body }: Omit<Pictured, 'at'>): Promise<void> {
  if (as !== undefined) await signIn(realm, visit, as);
  if (body === undefined) return;
  await visit.context.route('**/*', route =>
    route.request().isNavigationRequest() ? route.fulfill({ contentType: 'text/html', body }) : route.fallback(),
  );
}
