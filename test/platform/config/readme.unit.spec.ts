import { readFileSync } from 'node:fs';
import path from 'node:path';
import { configTable } from '../../../src/platform/config/config-table';

describe('the README', () => {
  it('lists every variable as the schema has it', () => {
    const readme = readFileSync(path.resolve(__dirname, '../../../README.md'), 'utf8');
    expect(readme).toContain(configTable().trim());
  });
});
