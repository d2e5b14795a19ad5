import type { CommandBus } from '@nestjs/cqrs';
import type { Clock } from '../../src/kernel/clock';
import type { Entropy } from '../../src/kernel/entropy';
import type { SecretBox } from '../../src/kernel/ports/secret-box';
import { FormTokens } from '../../src/platform/http/form-tokens';
import type { BuiltPages } from '../http/built-pages';
import { ConsoleAdmission } from '../http/console-admission';
import { ConsolePages } from '../http/console-pages';
import type { FormWork } from '../http/form-work';
import type { LivePages } from '../http/live-pages';
import { PagePaths } from '../http/page-paths';
import { DEVELOPERS, PageSender } from '../http/page-sender';
import { ADMIN_PAGES } from '../parts/page-realm';
import { NAVIGATION } from './navigation';

type ConsoleParts = {
  readonly built: BuiltPages;
  readonly clock: Clock;
  readonly entropy: Entropy;
  readonly secretBox: Pick<SecretBox, 'deriveKey'>;
  readonly forms: FormWork;
  readonly live: LivePages;
  /** The path below which administrators reach the service; empty where that is the host itself. */
  readonly root: string;
  /** The routes of all pages, such as `/console/holds`. */
  readonly pages: readonly string[];
};

/** The console's pages, and the admission to them. */
export function composeConsole(
  { built, clock, entropy, secretBox, forms, live, root, pages }: ConsoleParts,
  commands: CommandBus,
): { readonly pages: ConsolePages; readonly admission: ConsoleAdmission } {
  const { place } = ADMIN_PAGES;
  const paths = new PagePaths(pages, place);
  const tokens = new FormTokens(secretBox, entropy);
  const nav = NAVIGATION.filter(({ path }) => paths.serves(path === '' ? place : `${place}/${path}`));
  const sender = new PageSender(built, root, DEVELOPERS);
  return {
    pages: new ConsolePages({ pages: sender, forms, live, entropy, clock, commands, tokens, paths, nav }),
    admission: new ConsoleAdmission({ commands, clock, tokens, paths, root }),
  };
}
