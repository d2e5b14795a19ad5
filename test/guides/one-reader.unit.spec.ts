import { readFileSync } from 'node:fs';
import path from 'node:path';
import { guide } from './guide-pages';

const EMAIL = /merchant create [^\n]*--email (\S+)/g;

const emailsIn = (page: string) => [...page.matchAll(EMAIL)].map(([, email]) => email);

test('README.md and the quick start open accounts of their own: a reader goes from one to the other with the same data', () => {
  const readme = readFileSync(path.join(__dirname, '../../README.md'), 'utf8');
  const [first, second] = [emailsIn(readme), emailsIn(guide('quick-start.md'))];
  expect([first.length, second.length]).toStrictEqual([1, 1]);
  expect(second).not.toContain(first[0]);
});
