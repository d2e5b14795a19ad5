import { readFileSync } from 'node:fs';
import { Linter } from 'eslint/universal';
import tseslint from 'typescript-eslint';
import layers from '../../../eslint-layers.mjs';

// Reads [[path, code]] as JSON and writes the messages of each. A process of its own, because the rule is an ECMAScript
// module.
const linter = new Linter({ configType: 'flat' });
const config = {
  files: ['**/*.ts'],
  languageOptions: { parser: tseslint.parser },
  plugins: { layers },
  rules: { 'layers/arrows': 'error' },
};
const cases = JSON.parse(readFileSync(0, 'utf8'));
const results = cases.map(([path, code]) => linter.verify(code, config, path).map(({ message }) => message));
process.stdout.write(JSON.stringify(results));
