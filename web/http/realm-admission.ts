import type { ApiRequest } from '../../src/platform/http/caller';
import type { PageAdmission, PageRule, Reader } from '../../src/platform/http/page-admission';
import type { RealmName } from '../../src/vocabulary/realms';

/** Leads each page's readers to the admission of the page's realm. */
export class RealmAdmission implements PageAdmission {
  constructor(private readonly realms: Readonly<Record<RealmName, PageAdmission>>) {}

  admit(request: ApiRequest, rule: PageRule): Promise<Reader> {
    return this.realms[rule.realm].admit(request, rule);
  }

  permit(request: ApiRequest, rule: PageRule): void {
    this.realms[rule.realm].permit(request, rule);
  }

  checkToken(request: ApiRequest, rule: PageRule): Promise<void> {
    return this.realms[rule.realm].checkToken(request, rule);
  }
}
