import type { CommandBus } from '@nestjs/cqrs';
import type { Entropy } from '../../src/kernel/entropy';
import { invariant } from '../../src/kernel/invariant';
import type { MerchantClocks } from '../../src/kernel/merchant-clocks';
import type { SecretBox } from '../../src/kernel/ports/secret-box';
import type { Mode } from '../../src/vocabulary/modes';
import type { BuiltPages } from '../http/built-pages';
import { DashboardAdmission } from '../http/dashboard-admission';
import { DashboardPages } from '../http/dashboard-pages';
import type { FormWork } from '../http/form-work';
import { FormTokens } from '../../src/platform/http/form-tokens';
import type { LivePages } from '../http/live-pages';
import { PagePaths } from '../http/page-paths';
import { DEVELOPERS, PageSender } from '../http/page-sender';
import { MERCHANT_PAGES } from '../parts/page-realm';
import { NAVIGATION } from './navigation';

const HOME = '/dashboard/:mode';
/** The mode of real money comes first. */
const ORDER: readonly Mode[] = ['live', 'test'];

type DashboardParts = {
  readonly built: BuiltPages;
  readonly clock: MerchantClocks;
  readonly entropy: Entropy;
  readonly secretBox: Pick<SecretBox, 'deriveKey'>;
  readonly forms: FormWork;
  readonly live: LivePages;
  readonly modes: readonly Mode[];
  /** The path below which people reach the service; empty where that is the host itself. */
  readonly root: string;
  /** The routes of all pages, such as `/dashboard/{mode}/payments`. */
  readonly pages: readonly string[];
};

/** The dashboard's pages, and the admission to them. */
export function composeDashboard(
  { built, clock, entropy, secretBox, forms, live, root, pages, ...parts }: DashboardParts,
  commands: CommandBus,
): { readonly pages: DashboardPages; readonly admission: DashboardAdmission } {
  const paths = new PagePaths(pages, MERCHANT_PAGES.place);
  const [first, ...others] = ORDER.filter(mode => parts.modes.includes(mode));
  invariant(first !== undefined, 'the service serves no mode');
  const modes = [first, ...others] as const;
  const tokens = new FormTokens(secretBox, entropy);
  const nav = NAVIGATION.filter(({ path }) => paths.serves(path === '' ? HOME : `${HOME}/${path}`));
  const sender = new PageSender(built, root, DEVELOPERS);
  return {
    pages: new DashboardPages({ pages: sender, forms, live, entropy, clock, commands, tokens, paths, modes, nav }),
    admission: new DashboardAdmission({ commands, clock, modes, tokens, paths, root }),
  };
}
