import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { promisify } from 'node:util';

it('a unit test opens no socket, starts no process and writes no file', async () => {
  expect(() => createServer().listen(0, '127.0.0.1')).toThrow('a unit test opens no socket');
  expect(() => spawn(process.execPath, ['--version'])).toThrow('a unit test starts no process');
  expect(() => promisify(execFile)(process.execPath)).toThrow('a unit test starts no process');
  expect(() => mkdirSync('/tmp/quittance-never')).toThrow('a unit test writes no file');
  expect(() => writeFile('/tmp/quittance-never', '')).toThrow('a unit test writes no file');
  await expect(fetch('http://127.0.0.1:9/')).rejects.toThrow();
});

it('a unit test may read the sources', () => {
  expect(readFileSync(__filename, 'utf8')).toContain('may read');
});
