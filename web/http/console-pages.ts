import { h, type ComponentChild } from 'preact';
import type { PlatformContext } from '../../src/kernel/command-context';
import type { ApiRequest } from '../../src/platform/http/caller';
import { ShownOncePage } from '../console/shown-once.page';
import { ConsoleContext, type ConsoleEntry } from '../parts/console-context';
import { ADMIN_PAGES } from '../parts/page-realm';
import type { Administrator } from './administrator';
import type { FormCommand } from './form-work';
import { SignedPages, type SignedPagesParts } from './signed-pages';
import { visitIn } from './visits';

type ConsolePagesParts = SignedPagesParts & { readonly nav: readonly ConsoleEntry[] };

/** The pages of administrators, which stand above the modes. */
export class ConsolePages extends SignedPages<Administrator, PlatformContext<'platform'>> {
  constructor(private readonly parts: ConsolePagesParts) {
    super(ADMIN_PAGES, parts);
  }

  protected override homeOf(): string {
    return ADMIN_PAGES.place;
  }

  protected override within(request: ApiRequest, page: ComponentChild): ComponentChild {
    const value = { reader: visitIn<Administrator>(request)?.person ?? null, nav: this.parts.nav };
    return h(ConsoleContext.Provider, { value, children: page });
  }

  protected override ownerOf({ userId }: Administrator): { readonly mode: 'platform'; readonly merchantId: string } {
    return { mode: 'platform', merchantId: userId };
  }

  protected override contextOf(person: Administrator, command: FormCommand): PlatformContext<'platform'> {
    return person.accountContextOf(command);
  }

  protected override shownOnce(): ComponentChild {
    return h(ShownOncePage, {});
  }
}
