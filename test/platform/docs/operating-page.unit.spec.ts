import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fragments } from '../../docs/pages';

const ROOT = path.resolve(__dirname, '..', '..', '..');
const page = readFileSync(path.join(ROOT, 'docs/operating.md'), 'utf8');

it.each([
  'the-data-folder', 'the-command-line-in-a-container', 'a-proxy-for-tls', 'mail', 'backups', 'upgrades',
])('tells of %s', heading => {
  expect(fragments(page)).toContain(heading);
}); // prettier-ignore

it('names every command', () => {
  const files = readdirSync(path.join(ROOT, 'src/cli/commands')).filter(file => file !== 'coverage-report.ts');
  const names = files.map(file => file.replace('.ts', ''));
  expect(names.filter(name => !new RegExp(`npm run cli -- ${name}\\b`).test(page))).toEqual([]);
});

it('tells to trust no more proxies than there are', () => {
  expect(page).toMatch(/TRUSTED_PROXIES=1/);
  expect(page).toMatch(/X-Forwarded-For/);
});
