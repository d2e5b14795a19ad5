import type { ComponentChild } from 'preact';
import type { AdminRole } from '../../../src/vocabulary/admin-roles';
import { NAVIGATION } from '../../../web/console/navigation';
import { pageText } from '../../../web/http/page-sender';
import { ConsoleContext, type ConsoleFacts } from '../../../web/parts/console-context';
import { ADMIN_PAGES } from '../../../web/parts/page-realm';
import { SignedContext, type SignedFacts } from '../../../web/parts/signed-context';
import { factsIn } from '../page-facts';

/** The document of a console's page, as an administrator of that role reads it. */
export function renderedForAdmin(page: ComponentChild, role: AdminRole = 'owner'): string {
  const signed: SignedFacts = {
    ...{ realm: ADMIN_PAGES, home: '/console', timeZone: 'UTC', csrf: 'token', formId: '0'.repeat(32) },
    ...{ fault: null, version: 'v1', events: null },
  };
  const facts: ConsoleFacts = {
    reader: { userId: 'adm_1', name: 'Ada', email: 'ada@operator.example', role, nowMs: Date.UTC(2026, 10, 1) },
    nav: NAVIGATION,
  };
  const within = (
    <SignedContext.Provider value={signed}>
      <ConsoleContext.Provider value={facts}>{page}</ConsoleContext.Provider>
    </SignedContext.Provider>
  );
  return pageText(factsIn('en', '/console'), within);
}
