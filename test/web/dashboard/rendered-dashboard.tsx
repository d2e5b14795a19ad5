import type { ComponentChild } from 'preact';
import type { UserRole } from '../../../src/vocabulary/roles';
import type { Mode } from '../../../src/vocabulary/modes';
import { pageText } from '../../../web/http/page-sender';
import { DashboardContext, type DashboardFacts } from '../../../web/parts/dashboard-context';
import { pathInMode } from '../../../web/parts/dashboard-path';
import { MERCHANT_PAGES } from '../../../web/parts/page-realm';
import { SignedContext, type SignedFacts } from '../../../web/parts/signed-context';
import { factsIn } from '../page-facts';

type Rendering = { readonly role?: UserRole; readonly mode?: Mode; readonly fault?: SignedFacts['fault'] };

/** The document of a dashboard's page, as a person of that role reads it. */
export function renderedFor(page: ComponentChild, { role = 'owner', mode = 'test', fault = null }: Rendering = {}) {
  const facts: DashboardFacts = {
    reader: {
      ...{ name: 'Ada', email: 'ada@shop.example', role, merchantName: 'Corner Shop', mode },
      ...{ nowMs: Date.UTC(2026, 10, 1), timeZone: 'Europe/Berlin' },
      account: { isClosed: false, pause: null },
    },
    ...{ mode, modes: ['live', 'test'], nav: [] },
  };
  return pageText(factsIn('en'), withinDashboard(page, facts, { fault, version: 'v1' }));
}

/** A page of the dashboard, or a part of one, within the facts that it asks for. */
export function withinDashboard(page: ComponentChild, facts: DashboardFacts, changes: Partial<SignedFacts> = {}) {
  const { reader, mode, modes } = facts;
  const signed: SignedFacts = {
    ...{ realm: MERCHANT_PAGES, home: pathInMode('', mode ?? modes[0], ''), timeZone: reader?.timeZone ?? null },
    ...{ csrf: 'token', formId: '0'.repeat(32), fault: null, version: null, events: null },
    ...changes,
  };
  return (
    <SignedContext.Provider value={signed}>
      <DashboardContext.Provider value={facts}>{page}</DashboardContext.Provider>
    </SignedContext.Provider>
  );
}

/** The text of a document, as people read it. */
export function textIn(html: string): string {
  return html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
}

/** The value of a page's field, as it stands there; null where the page has no such field. */
export function typedIn({ body }: { readonly body: string }, name: string): string | null {
  const [, value, text] = new RegExp(`name="${name}"(?:[^>]* value(?:="([^"]*)")?|[^>]*>([^<]*)<)`).exec(body) ?? [
    null,
  ];
  return body.includes(`name="${name}"`) ? (value ?? text ?? '') : null;
}
