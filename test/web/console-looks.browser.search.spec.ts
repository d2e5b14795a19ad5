import { PAGES } from '../../web/pages';
import { answeredPages, CONSOLE_PAGES, lookers } from './console/console-pages';
import { stagedConsole } from './console/staged-console';
import { SYSTEM_ANSWERS } from './console/system-rows';
import { ConsoleStage } from './console-stage';
import { looksOf } from './realm-pages';

const LOOKS = {
  variable: 'CONSOLE_LOOKS',
  served: PAGES.filter(path => path.startsWith('/console')),
  routes: CONSOLE_PAGES.map(({ route }) => route),
};

looksOf('console', LOOKS, async () => {
  const stage = await ConsoleStage.open();
  const staged = await stagedConsole(stage);
  const pages: { readonly at: string; readonly as: string }[] = [];
  for (const { at, as = 'owner' } of CONSOLE_PAGES)
    pages.push({ as, at: typeof at === 'string' ? at : await at(staged, stage) });
  const answers = [...(await answeredPages(stage, staged)), ...SYSTEM_ANSWERS];
  // The last ones, since a sign-in on its way lapses after ten minutes, and each one-time code takes half a minute.
  return { stage, pages, answers, people: await lookers(stage) };
});
