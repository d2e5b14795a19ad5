import { readFileSync } from 'node:fs';
import { Linter } from 'eslint/universal';
import language from '../../../eslint-language.mjs';

// Reads texts as JSON and writes the rules that each breaks, with their lines and messages. The rules are an ECMAScript
// module, so they need a process of their own.
const linter = new Linter({ configType: 'flat' });
const config = {
  plugins: { language },
  rules: { 'language/columns': 'error', 'language/sentences': 'error', 'language/subjects': 'error' },
};
const texts = JSON.parse(readFileSync(0, 'utf8'));
const breaches = texts.map(text =>
  linter.verify(text, config).map(({ ruleId: rule, line, message }) => ({ rule, line, message })),
);
process.stdout.write(JSON.stringify(breaches));
