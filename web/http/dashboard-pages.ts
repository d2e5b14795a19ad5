import { h, type ComponentChild } from 'preact';
import type { MerchantContext } from '../../src/kernel/command-context';
import type { ApiRequest } from '../../src/platform/http/caller';
import type { Mode } from '../../src/vocabulary/modes';
import { ShownOncePage } from '../dashboard/shown-once.page';
import { DashboardContext, type Modes, type NavEntry } from '../parts/dashboard-context';
import { pathInMode } from '../parts/dashboard-path';
import { MERCHANT_PAGES } from '../parts/page-realm';
import type { FormCommand } from './form-work';
import type { Person } from './person';
import { SignedPages, type FormContexts, type SignedPagesParts } from './signed-pages';
import { visitIn } from './visits';

type DashboardPagesParts = SignedPagesParts & { readonly modes: Modes; readonly nav: readonly NavEntry[] };

/** The facts for the commands of a dashboard's form, in the page's mode. */
export type DashboardContexts = FormContexts<MerchantContext>;

/** The pages of merchants' people: each stands in a mode, or above the modes. */
export class DashboardPages extends SignedPages<Person, MerchantContext> {
  constructor(private readonly parts: DashboardPagesParts) {
    super(MERCHANT_PAGES, parts);
  }

  /** The modes that the service serves. */
  get modes(): Modes {
    return this.parts.modes;
  }

  protected override homeOf(request: ApiRequest): string {
    const { mode } = request.params as { readonly mode?: Mode };
    return pathInMode('', mode ?? visitIn<Person>(request)?.person.mode ?? this.modes[0], '');
  }

  protected override within(request: ApiRequest, page: ComponentChild): ComponentChild {
    const { modes, nav } = this.parts;
    const { mode = null } = request.params as { readonly mode?: Mode };
    const value = { reader: visitIn<Person>(request)?.person ?? null, mode, modes, nav };
    return h(DashboardContext.Provider, { value, children: page });
  }

  protected override ownerOf({ mode, merchantId }: Person): { readonly mode: Mode; readonly merchantId: string } {
    return { mode, merchantId };
  }

  protected override contextOf(person: Person, command: FormCommand): MerchantContext {
    return person.contextOf(command);
  }

  protected override shownOnce(): ComponentChild {
    return h(ShownOncePage, {});
  }
}
