import { FixtureSite, served } from './fixture-site';
import { inBrowser } from './in-browser';
import { readPng } from './png';

const LETTERS = { tea: '茶', green: '绿', unknown: '\u{e000}', blank: '&nbsp;' };
type Name = keyof typeof LETTERS;

const letters = Object.entries(LETTERS).map(([name, letter]) => `<p id="${name}">${letter}</p>`);
const HEAD = '<title>Letters</title><link rel="stylesheet" href="/letters.css">';
const PAGE = `<!doctype html><html lang="zh"><head>${HEAD}</head><body>${letters.join('')}</body></html>`;
const STYLE = 'p { width: 3em; height: 3em; margin: 0; font: 32px system-ui }';

inBrowser(
  'the fonts of the tests',
  start => {
    let site: FixtureSite;
    beforeAll(async () => {
      site = await FixtureSite.start({ '/': served(PAGE), '/letters.css': served(STYLE, 'text/css') });
    });
    afterAll(() => site.close());

    it('draw each Chinese letter as itself, and not as the box of a letter that is missing', async () => {
      const visit = await start({ lang: 'zh' });
      await visit.open(`${site.origin}/`);
      const drawn = async (name: Name) => readPng(await visit.page.locator(`#${name}`).screenshot()).colours.join();
      const [tea, green] = [await drawn('tea'), await drawn('green')];
      expect(tea === green).toBe(false);
      expect([tea, green]).not.toContain(await drawn('unknown'));
      expect([tea, green]).not.toContain(await drawn('blank'));
    });
  },
  { kinds: ['packed'] },
);
