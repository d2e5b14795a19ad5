import { axeViolations, loadedBytes, sidewaysScroll } from './checks';
import type { Visit } from './visit';

/** Neighbours differ in all that may matter, so that few of them find most. */
export const LOOKS = [
  { theme: 'light', screen: 'phone', script: true },
  { theme: 'dark', screen: 'desktop', script: true },
  { theme: 'dark', screen: 'phone', script: false },
  { theme: 'light', screen: 'desktop', script: false },
] as const;

/** A page by its address, and the person who looks at it. */
type Looked = { readonly at: string; readonly as: string };
/** A page as a form or a fault has answered it. */
export type AnsweredPage = { readonly name: string; readonly at: string; readonly body: string };

type Site = {
  readonly url: (path: string) => string;
  /** Signs the visit's browser in as the person. */
  readonly become: (visit: Visit, person: string) => Promise<void>;
};

/** Compressed, with script and styles, without the font. */
const WEIGHT_LIMIT = 25_000;
const UNFOLD = 'document.querySelectorAll("details").forEach(each => { each.open = true; })';
/** Buttons that look like the main one of the page, before any question is opened. */
const MAIN_ACTIONS = `[...document.querySelectorAll('main .button.main')].filter(each => each.checkVisibility()).length`;

/** Expects that everybody can read the pages under the visit's look, and that none has two main actions. */
export async function expectReadable(
  visit: Visit,
  { url, become }: Site,
  pages: readonly Looked[],
  { script }: { readonly script: boolean },
): Promise<void> {
  const crowded = new Set<string>();
  for (const { at, as } of pages) {
    await become(visit, as);
    expect([at, await visit.open(url(at))]).toEqual([at, 200]);
    expect([at, new URL(visit.page.url()).pathname]).toEqual([at, at.split('?', 1)[0]]);
    // Pages without script come through the test, which sends them as they are.
    const weight = script ? await loadedBytes(visit.page) : 0;
    expect([at, weight <= WEIGHT_LIMIT]).toEqual([at, true]);
    const mainActions = await visit.page.evaluate<number>(MAIN_ACTIONS);
    if (mainActions > 1) crowded.add(at);
    await expectUnfoldedReadable(visit, at);
  }
  expect([...crowded]).toStrictEqual([]);
}

/** Expects the same of pages that answer a form, or tell a fault. */
export async function expectAnswersReadable(
  visit: Visit,
  { url }: Pick<Site, 'url'>,
  answers: readonly AnsweredPage[],
): Promise<void> {
  // One route for all: Chromium may lose requests of a page while interception is switched on or off.
  let shown: AnsweredPage | null = null;
  await visit.context.route('**/*', route =>
    shown !== null && route.request().isNavigationRequest()
      ? route.fulfill({ contentType: 'text/html', body: shown.body })
      : route.fallback(),
  );
  for (const answer of answers) {
    const { name, at } = (shown = answer);
    expect([name, await visit.open(url(at))]).toEqual([name, 200]);
    await expectUnfoldedReadable(visit, name);
  }
}

async function expectUnfoldedReadable(visit: Visit, name: string): Promise<void> {
  await visit.page.evaluate(UNFOLD);
  expect([name, await axeViolations(visit.page)]).toStrictEqual([name, []]);
  expect([name, await sidewaysScroll(visit.page)]).toStrictEqual([name, []]);
}
