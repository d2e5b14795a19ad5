import type { ComponentChild } from 'preact';
import { brandStyle } from '../../web/checkout/brand-style';
import { BuiltPages } from '../../web/http/built-pages';
import { PAGE_HEADERS, pageText } from '../../web/http/page-sender';
import { FixtureSite, type Answer } from './fixture-site';
import { factsIn } from './page-facts';

const built = BuiltPages.read();
const BRANDS = ['f2a900'];
/** A sun of eight pixels, which pages draw five times as large. */
const LOGO =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAMUlEQVR42mP4DwOfVjJ8WskA5zLAhZARXglMUQhiOBEgghWBdGGKQu3AKQEBcCEIAADZ+XjfQXrBcQAAAABJRU5ErkJggg==';

/** Serves pages at `/{language}/{name}` with the headers, scripts and styles that the service gives them. */
export function servePages(languages: readonly string[], pages: Readonly<Record<string, ComponentChild>>) {
  const answers: Record<string, Answer> = {};
  for (const code of languages)
    for (const [name, page] of Object.entries(pages)) {
      const facts = factsIn(code);
      answers[`/${code}/${name.replaceAll(' ', '_')}`] = (_, response) =>
        void response
          .writeHead(200, { ...PAGE_HEADERS.reported, 'content-type': 'text/html; charset=utf-8' })
          .end(pageText(facts, page));
    }
  for (const source of ['checkout.js', 'checkout.css']) {
    const name = built.assetName(source);
    const asset = built.asset(name);
    answers[`/assets/${name}`] = (_, response) =>
      void response.writeHead(200, { 'content-type': asset?.type }).end(asset?.bytes.identity);
  }
  for (const color of BRANDS)
    answers[`/checkout/brand/${color}.css`] = (_, response) =>
      void response.writeHead(200, { 'content-type': 'text/css; charset=utf-8' }).end(brandStyle(`#${color}`));
  answers['/checkout/brand/logo.png'] = (_, response) =>
    void response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from(LOGO, 'base64'));
  // No page of these tests changes: it asks from time to time.
  for (const page of ['/checkout/pi_1', '/invoices/inv_1'])
    answers[`${page}/events`] = (_, response) => void response.writeHead(204).end();
  return FixtureSite.start(answers);
}
