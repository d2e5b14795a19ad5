import { axeViolations, loadedBytes, sidewaysScroll } from './checks';
import type { Visit } from './visit';

/** Neighbours differ in all that may matter, so that few of them find most. */
export const LOOKS = [
  { theme: 'light', screen: 'phone', script: true },
  { theme: 'dark', screen: 'desktop', script: true },
  { theme: 'dark', screen: 'phone', script: false },
  { theme: 'light', screen: 'desktop', script: false },
] as const;

export type PageLook = (typeof LOOKS)[number];
/** The looks that show the same markup, which is loaded once for all of them: no page asks for its theme or screen. */
export const LOOKS_BY_SCRIPT = [true, false].map(script => ({
  script,
  looks: LOOKS.filter(look => look.script === script),
}));

/** A page by its address, and the person who looks at it. */
type Looked = { readonly at: string; readonly as: string };
/** A page as a form or a fault has answered it. */
export type AnsweredPage = { readonly name: string; readonly at: string; readonly body: string };

/** With the looks under which it is looked at. */
type Under<Item> = { readonly item: Item; readonly under: readonly PageLook[] };

type Site = {
  readonly url: (path: string) => string;
  /** Signs the visit's browser in as the person. */
  readonly become: (visit: Visit, person: string) => Promise<void>;
};

/** Compressed, with script and styles, without the font. */
const WEIGHT_LIMIT = 25_000;
/** Opens all questions of a page. */
export const UNFOLD = 'document.querySelectorAll("details").forEach(each => { each.open = true; })';
/** Questions that are closed, by name. */
const FOLDED = `[...document.querySelectorAll('details:not([open])')]
  .map(({ id, outerHTML }) => id || outerHTML.slice(0, 80))`;
/** Buttons that look like the main one of the page, before any question is opened. */
const MAIN_ACTIONS = `[...document.querySelectorAll('main .button.main')].filter(each => each.checkVisibility()).length`;

/** Expects that everybody can read the pages under their looks, and that none has two main actions. */
export async function expectReadable(
  visit: Visit,
  { url, become }: Site,
  pages: readonly Under<Looked>[],
  { script }: { readonly script: boolean },
): Promise<void> {
  const crowded = new Set<string>();
  for (const {
    item: { at, as },
    under,
  } of pages) {
    await become(visit, as);
    expect([at, await visit.open(url(at))]).toEqual([at, 200]);
    expect([at, new URL(visit.page.url()).pathname]).toEqual([at, at.split('?', 1)[0]]);
    // Pages without script come through the test, which sends them as they are.
    const weight = script ? await loadedBytes(visit.page) : 0;
    expect([at, weight <= WEIGHT_LIMIT]).toEqual([at, true]);
    for (const look of visit.fromPresent(under)) {
      await visit.turn(look);
      const mainActions = await visit.page.evaluate<number>(MAIN_ACTIONS);
      if (mainActions > 1) crowded.add(seenAs(at, look));
    }
    await expectUnfoldedReadable(visit, at, under);
  }
  expect([...crowded]).toStrictEqual([]);
}

/** Expects the same of pages that answer a form, or tell a fault. */
export async function expectAnswersReadable(
  visit: Visit,
  { url }: Pick<Site, 'url'>,
  answers: readonly Under<AnsweredPage>[],
): Promise<void> {
  // One route for all: Chromium may lose requests of a page while interception is switched on or off.
  let shown: AnsweredPage | null = null;
  await visit.context.route('**/*', route =>
    shown !== null && route.request().isNavigationRequest()
      ? route.fulfill({ contentType: 'text/html', body: shown.body })
      : route.fallback(),
  );
  for (const { item, under } of answers) {
    const { name, at } = (shown = item);
    expect([name, await visit.open(url(at))]).toEqual([name, 200]);
    await expectUnfoldedReadable(visit, name, under);
  }
}

async function expectUnfoldedReadable(visit: Visit, name: string, under: readonly PageLook[]): Promise<void> {
  for (const look of visit.fromPresent(under)) {
    await visit.turn(look);
    await visit.page.evaluate(UNFOLD);
    const seen = seenAs(name, look);
    expect([seen, await axeViolations(visit.page)]).toStrictEqual([seen, []]);
    expect([seen, await sidewaysScroll(visit.page)]).toStrictEqual([seen, []]);
    // A page that closes its questions by itself would be looked at closed.
    expect([seen, await visit.page.evaluate(FOLDED)]).toStrictEqual([seen, []]);
  }
  expect([name, visit.takeFaults()]).toStrictEqual([name, []]);
}

/** One line: an assertion shows few lines around a difference. */
function seenAs(name: string, { theme, screen }: PageLook): string {
  return `${name}, ${theme}, ${screen}`;
}
