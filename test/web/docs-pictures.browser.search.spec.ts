import { DevelopersStage, DEVELOPERS_PAGES, LOG, LONGEST_CODE } from './developers-stage';
import { inBrowser } from './in-browser';
import { baselinesOf, faultsOf, type PictureSet } from './picture-set';
import type { Visit } from './visit';

/** Pages by the names of their pictures. */
const DOCS = {
  operations: '/docs',
  'quick start': '/docs/quick-start',
  'a guide to the dashboard': '/docs/dashboard',
  webhooks: '/docs/webhooks',
  'an operation': '/docs/operations/createPaymentIntent',
  'an operation without a key': '/docs/operations/getHealth',
  errors: '/docs/errors',
  'an error': '/docs/errors/rate_limit',
  'an error with a long name': `/docs/errors/${LONGEST_CODE}`,
};
const REQUESTS = { 'a log': LOG, 'the way to a log': '/dashboard/requests/req_00000000000000000000000000' };
const FAULTS = {
  'no route': '/nothing',
  'no documentation': '/docs/nothing',
  'a path without its end': '/docs/errors/',
  'no dashboard': '/dashboard/nothing',
  'no payment': '/checkout/pi_none',
  'no payment in Arabic': '/checkout/pi_none?lang=ar',
  'no link': '/pay/plink_none',
};
const PAGES: Readonly<Record<string, string>> = { ...DOCS, ...REQUESTS, ...FAULTS };
const LOOKS = [
  { theme: 'light', screen: 'desktop' },
  { theme: 'dark', screen: 'phone' },
] as const;
const SETS: readonly PictureSet[] = [
  ...Object.entries({ docs: DOCS, requests: REQUESTS, faults: FAULTS }).flatMap(([surface, pages]) =>
    LOOKS.map(look => ({ ...look, surface, names: Object.keys(pages) })),
  ),
  { surface: 'docs', theme: 'dark', screen: 'desktop', names: ['an operation', 'an error'] },
  { surface: 'docs', theme: 'light', screen: 'phone', names: ['an operation', 'an error'] },
];
const START_LIMIT_MS = 60_000;
const LIMIT_MS = 300_000;

inBrowser(
  'pictures of the pages of developers, and of faults',
  start => {
    let stage: DevelopersStage;
    beforeAll(async () => {
      stage = await DevelopersStage.open();
    }, START_LIMIT_MS);
    afterAll(() => stage.close());

    it.each(SETS)(
      'are as recorded: $surface, $theme, $screen',
      async set => {
        const { theme, screen } = set;
        const visits: Visit[] = [];
        const startVisit = async () => {
          const visit = await start({ theme, screen });
          visits.push(visit);
          return visit;
        };
        const faults = await faultsOf(set, startVisit, name => stage.request(PAGES[name] ?? ''));
        // A browser tells of each answer that is an error.
        const told = visits.flatMap(visit => visit.takeFaults());
        expect(faults).toEqual([]);
        expect(told.filter(fault => !/the server responded with a status of 40[04]/.test(fault))).toEqual([]);
      },
      LIMIT_MS,
    );

    it('are all recorded, and no others', () => {
      expect(Object.values(PAGES).sort()).toEqual(Object.keys(DEVELOPERS_PAGES).sort());
      const { wanted, recorded } = baselinesOf(SETS);
      expect(recorded).toEqual(wanted);
    });
  },
  { kinds: ['packed'] },
);
