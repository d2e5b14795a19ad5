import { readFileSync } from 'node:fs';
import path from 'node:path';
import { DAY_MS, HOUR_MS } from '../../src/kernel/clock';
import { DEFAULT_SESSION_POLICY } from '../../src/modules/sessions/session-policy';
import { MAX_SESSIONS } from '../../src/modules/sessions/session-seats';
import { TOKEN_LIFETIME_MS } from '../../src/modules/users/mailed-tokens';
import { NAVIGATION } from '../../web/dashboard/navigation';
import { guide } from './guide-pages';

const ROOT = path.resolve(__dirname, '..', '..');
const WORDS = ['web/sign-in/sign-in.page.tsx', 'web/dashboard/simulate/simulate-form.ts'];
const QUOTED = /"([A-Z][^"]+)"/g;
const ROW = /^\| ([A-Z][\w, ]+) \| [^|]+\|$/gm;
const COMMANDS = /`npx quittance ([a-z-]+) ([a-z-]+)[^`]*`((?:(?:,| and) `[a-z-]+`)*)/g;
const page = guide('dashboard.md');
const text = page.replaceAll(/\s+/g, ' ');

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');

it('quotes words that stand on the pages', () => {
  const shown = WORDS.map(read).join('\n');
  const quoted = [...text.matchAll(QUOTED)].map(([, words = '']) => words);
  expect(quoted.length).toBeGreaterThan(3);
  expect(quoted.filter(words => !shown.includes(words))).toEqual([]);
});

it('names pages as the navigation does', () => {
  const [, day = ''] = page.split('## The work of a day');
  const [table = ''] = day.split('## ', 1);
  const named = [...table.matchAll(ROW)].flatMap(([, names = '']) => names.split(', ')).filter(name => name !== 'Page');
  expect(named.length).toBeGreaterThan(9);
  expect(named.filter(name => !NAVIGATION.some(way => way.text === name))).toEqual([]);
});

it('names commands that there are', () => {
  const named = [...text.matchAll(COMMANDS)].flatMap(([, command = '', first = '', others = '']) =>
    [first, ...others.split(/[^a-z-]+/).filter(name => name !== '' && name !== 'and')].map(name => [command, name]),
  );
  expect(named.length).toBeGreaterThan(9);
  const missing = named.filter(
    ([command, name]) => !new RegExp(`['.]${name}'`).test(read(`src/cli/commands/${command}.ts`)),
  );
  expect(missing).toEqual([]);
});

it('tells the limits that there are', () => {
  expect(MAX_SESSIONS).toBe(5);
  expect(text).toContain('signed in on five devices');
  const { idle_minutes, absolute_minutes } = DEFAULT_SESSION_POLICY;
  expect(text).toContain(`after ${idle_minutes} minutes without use, and after ${absolute_minutes / 60} hours`);
  expect(TOKEN_LIFETIME_MS).toMatchObject({ sign_up: 24 * HOUR_MS, reset: HOUR_MS, invitation: 7 * DAY_MS });
  for (const words of ['good for 24 hours', 'good for an hour', 'good for seven days']) expect(text).toContain(words);
});
