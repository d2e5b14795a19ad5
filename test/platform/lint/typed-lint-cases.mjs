import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ESLint, Linter } from 'eslint';
import tseslint from 'typescript-eslint';
import layers from '../../../eslint-layers.mjs';
import positions from '../../../eslint-positions.mjs';

// Reads {path, code, files, imports} as JSON. Lints the code in the place of the file at the path, compiled with its
// imports alone. Writes the lines that are refused. Also writes the files for which the project's own configuration
// does not ask for the rule. The imports are pairs of a path and code, and the messages about each are written too. The
// rules are ECMAScript modules, so they need a process of their own. One process serves both: the parser loads slowly.
const ts = createRequire(import.meta.url)('typescript');
const RULE = 'positions/ordered';
const root = join(import.meta.dirname, '../../..');
const { path, code, files, imports } = JSON.parse(readFileSync(0, 'utf8'));
const name = join(root, path);
const options = {
  strict: true,
  target: ts.ScriptTarget.ES2022,
  // The types of a browser, which come along by default, take longer than everything else.
  lib: ['lib.es2022.d.ts'],
  module: ts.ModuleKind.Node20,
  types: [],
  noEmit: true,
};
const host = ts.createCompilerHost(options, true);
const readSource = host.getSourceFile;
host.getSourceFile = (file, ...rest) =>
  file === name ? ts.createSourceFile(file, code, ...rest.slice(0, 1), true) : readSource(file, ...rest);
const program = ts.createProgram([name], options, host);
const config = {
  files: ['**/*.ts'],
  languageOptions: { parser: tseslint.parser, parserOptions: { programs: [program] } },
  plugins: { positions },
  rules: { [RULE]: 'error' },
};
const refused = new Linter({ configType: 'flat', cwd: root }).verify(code, config, name);
const eslint = new ESLint({ cwd: root });
const unasked = [];
for (const file of files) {
  const { rules } = await eslint.calculateConfigForFile(file);
  if (rules[RULE]?.[0] !== 2) unasked.push(file);
}
const ofLayers = {
  files: ['**/*.ts'],
  languageOptions: { parser: tseslint.parser },
  plugins: { layers },
  rules: { 'layers/arrows': 'error' },
};
const linter = new Linter({ configType: 'flat' });
const arrows = imports.map(([place, line]) => linter.verify(line, ofLayers, place).map(({ message }) => message));
process.stdout.write(
  JSON.stringify({ refused: refused.map(({ line, message }) => ({ line, message })), unasked, arrows }),
);
