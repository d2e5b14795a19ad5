import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import checkRoutes from './check-routes';

/** A folder in which tests have told of these lines. */
function told(lines: Readonly<Record<string, readonly string[]>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'routes-'));
  for (const [name, each] of Object.entries(lines)) writeFileSync(path.join(folder, name), `${each.join('\n')}\n`);
  process.env['COUNTED_ROUTES'] = folder;
  return folder;
}

const ROUTES = ['GET /one', 'HEAD /one', 'POST /two'];

it('refuses a run that has left out a route, and removes what was told', () => {
  const folder = told({ routes: ROUTES, counted: ['GET /one', 'GET /one'] });
  expect(() => checkRoutes({})).toThrow(/success: POST \/two$/);
  expect(existsSync(folder)).toBe(false);
  told({ routes: ROUTES });
  expect(() => checkRoutes({})).toThrow(/success: GET \/one, POST \/two$/);
});

it('refuses a run in which nothing was told', () => {
  told({});
  expect(() => checkRoutes({})).toThrow('No test has told of any route');
});

it('takes a run that counted each route', () => {
  told({ routes: ROUTES, counted: ['POST /two', 'GET /one'] });
  expect(() => checkRoutes({ nonFlagArgs: [], testPathPatterns: { patterns: [] } })).not.toThrow();
});

it.each([
  { nonFlagArgs: ['test/web'] },
  { testPathPatterns: { patterns: ['test/web'] } },
  { testNamePattern: 'takes' },
  { onlyChanged: true },
  { onlyFailures: true },
  { bail: 1 },
  { shard: {} },
])('asks nothing of a run of less than the level: %j', run => {
  told({ routes: ROUTES });
  expect(() => checkRoutes(run)).not.toThrow();
});
