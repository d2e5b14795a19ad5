import type { ComponentChild } from 'preact';
import type { UserRole } from '../../../src/vocabulary/roles';
import type { Mode } from '../../../src/vocabulary/modes';
import { pageText } from '../../../web/http/page-sender';
import { DashboardContext, type DashboardFacts } from '../../../web/parts/dashboard-context';
import { factsIn } from '../page-facts';

type Rendering = { readonly role?: UserRole; readonly mode?: Mode; readonly fault?: DashboardFacts['fault'] };

/** The document of a dashboard's page, as a person of that role reads it. */
export function renderedFor(page: ComponentChild, { role = 'owner', mode = 'test', fault = null }: Rendering = {}) {
  const facts: DashboardFacts = {
    reader: {
      ...{ name: 'Ada', email: 'ada@shop.example', role, merchantName: 'Corner Shop', mode },
      ...{ nowMs: Date.UTC(2026, 10, 1), timeZone: 'Europe/Berlin' },
      account: { isClosed: false, pause: null },
    },
    ...{ mode, modes: ['live', 'test'], nav: [], csrf: 'token', formId: '0'.repeat(32) },
    ...{ fault, version: 'v1', events: null },
  };
  return pageText(factsIn('en'), <DashboardContext.Provider value={facts}>{page}</DashboardContext.Provider>);
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
