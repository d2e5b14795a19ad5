import type { FixtureSite } from './fixture-site';
import { inBrowser } from './in-browser';
import { servePages } from './page-site';
import { baselinesOf, faultsOf, type PicturedPage, type PictureSet } from './picture-set';
import { PAGES } from './rendered-pages';
import { stubEvmWallet } from './stub-wallets';

const ICON = `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2"><path d="M1 0 2 2H0z" fill="gold"/></svg>`;
const WALLET = {
  name: 'Pyramid Wallet',
  icon: ICON,
  address: `0x${'1'.repeat(40)}`,
  chainId: '0x14a34',
  send: () => `0x${'ab'.repeat(32)}`,
};
/** Pages as a person has used them, by names of their own. */
const USED: Readonly<Record<string, Omit<PicturedPage, 'url'> & { readonly page: string }>> = {
  'awaiting with a wallet': { page: 'awaiting', before: visit => stubEvmWallet(visit, WALLET) },
  'awaiting with the link chosen': { page: 'awaiting', use: page => page.locator('label[for=code-link]').click() },
  'awaiting unfolded': { page: 'awaiting', use: page => page.locator('summary').click() },
  'awaiting and not up to date': {
    page: 'awaiting',
    use: page => page.evaluate('document.getElementById("not-current").hidden = false'),
  },
  'created with a choice': { page: 'created', use: page => page.locator('[value=usdt-tron]').check() },
  'a fixed link printed': { page: 'a fixed link', use: page => page.emulateMedia({ media: 'print' }) },
  'an open invoice printed': { page: 'an open invoice', use: page => page.emulateMedia({ media: 'print' }) },
  'receipt printed': { page: 'receipt', use: page => page.emulateMedia({ media: 'print' }) },
};
const NAMES = Object.keys(PAGES);
/** The pages that most customers meet, and those on which most is at stake. */
const WEIGHTY = [
  'created',
  'awaiting',
  'confirming',
  'confirmed',
  'underpaid',
  'expired',
  'a refused naming',
  'receipt',
  'an open link',
  'an open invoice',
];
const SETS = [
  { surface: 'checkout', lang: 'en', theme: 'light', screen: 'desktop', names: NAMES },
  { surface: 'checkout', lang: 'en', theme: 'dark', screen: 'phone', names: NAMES },
  { surface: 'checkout', lang: 'en', theme: 'dark', screen: 'desktop', names: WEIGHTY },
  { surface: 'checkout', lang: 'en', theme: 'light', screen: 'phone', names: [...WEIGHTY, ...Object.keys(USED)] },
  { surface: 'checkout-ar', lang: 'ar', theme: 'dark', screen: 'desktop', names: WEIGHTY },
  { surface: 'checkout-ar', lang: 'ar', theme: 'light', screen: 'phone', names: WEIGHTY },
  { surface: 'checkout-zh', lang: 'zh', theme: 'light', screen: 'phone', names: WEIGHTY },
] as const satisfies readonly (PictureSet & { lang: string })[];
const LIMIT_MS = 300_000;

inBrowser(
  'pictures of checkout',
  start => {
    let site: FixtureSite;
    beforeAll(async () => {
      site = await servePages(['en', 'ar', 'zh'], PAGES);
    });
    afterAll(() => site.close());

    it.each(SETS)(
      'are as recorded: $surface, $theme, $screen',
      async set => {
        const { lang, theme, screen } = set;
        const pageOf = (name: string): PicturedPage => {
          const { page = name, ...used } = USED[name] ?? {};
          return { ...used, url: `${site.origin}/${lang}/${page.replaceAll(' ', '_')}` };
        };
        expect(await faultsOf(set, () => start({ lang, theme, screen }), pageOf)).toEqual([]);
      },
      LIMIT_MS,
    );

    it('are all recorded, and no others', () => {
      const { wanted, recorded } = baselinesOf(SETS);
      expect(recorded).toEqual(wanted);
    });
  },
  { kinds: ['packed'] },
);
