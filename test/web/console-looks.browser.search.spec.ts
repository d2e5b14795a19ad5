import { PAGES } from '../../web/pages';
import { searchSize } from '../levels/search-size';
import { answeredPages, CONSOLE_PAGES, lookers } from './console/console-pages';
import { stagedConsole } from './console/staged-console';
import { SYSTEM_ANSWERS } from './console/system-rows';
import { ConsoleStage, type AdminBrowser } from './console-stage';
import { inBrowser } from './in-browser';
import { itemsUnder } from './looks-in-turn';
import { expectAnswersReadable, expectReadable, LOOKS, type AnsweredPage } from './readable-pages';
import type { Visit } from './visit';

/** Looks of each page and answer. */
const TIMES = searchSize('CONSOLE_LOOKS', { small: 1, full: LOOKS.length });
const START_LIMIT_MS = 60_000;
const LIMIT_MS = 180_000;

inBrowser('the pages of the console', start => {
  let stage: ConsoleStage;
  let people: Readonly<Record<string, AdminBrowser | null>>;
  let answers: readonly AnsweredPage[];
  const pages: { readonly at: string; readonly as: string }[] = [];

  beforeAll(async () => {
    stage = await ConsoleStage.open();
    const staged = await stagedConsole(stage);
    for (const { at, as = 'owner' } of CONSOLE_PAGES)
      pages.push({ as, at: typeof at === 'string' ? at : await at(staged, stage) });
    answers = [...(await answeredPages(stage, staged)), ...SYSTEM_ANSWERS];
    // The last ones, since a sign-in on its way lapses after ten minutes, and each one-time code takes half a minute.
    people = await lookers(stage);
  }, START_LIMIT_MS);
  afterAll(() => stage.close());

  async function become(visit: Visit, person: string): Promise<void> {
    await visit.context.clearCookies();
    const secret = people[person]?.secret;
    if (secret !== undefined) await visit.context.addCookies([stage.cookie(secret)]);
  }
  const under = <Item>(items: readonly Item[], look: (typeof LOOKS)[number]): readonly Item[] =>
    itemsUnder(items, { looks: LOOKS, look, times: TIMES });
  const url = (path: string) => stage.url(path);

  it('are all known to these tests', () => {
    const served = PAGES.filter(path => path.startsWith('/console'));
    expect([...new Set(CONSOLE_PAGES.map(({ route }) => route))].sort()).toEqual([...served].sort());
  });

  it.each(LOOKS)(
    'can be read by everybody: theme $theme, $screen, script $script',
    async look => expectReadable(await start(look), { url, become }, under(pages, look), look),
    LIMIT_MS,
  );

  it.each(LOOKS)(
    'can be read where they answer a form or a fault: theme $theme, $screen, script $script',
    async look => {
      const visit = await start(look);
      await become(visit, 'owner');
      await expectAnswersReadable(visit, { url }, under(answers, look));
    },
    LIMIT_MS,
  );
});
