import { answeredPages, lookers } from './console/console-pages';
import { PICTURED, picturedPages } from './console/pictured-pages';
import { stagedConsole } from './console/staged-console';
import { SYSTEM_ANSWERS } from './console/system-rows';
import { ConsoleStage } from './console-stage';
import { picturesOf } from './realm-pages';

picturesOf('console', PICTURED, async () => {
  const stage = await ConsoleStage.open();
  const staged = await stagedConsole(stage);
  const pages = picturedPages(staged, [...(await answeredPages(stage, staged)), ...SYSTEM_ANSWERS]);
  return { stage, pages, people: await lookers(stage) };
});
