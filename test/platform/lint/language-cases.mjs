import { readFileSync } from 'node:fs';
import { Linter } from 'eslint';
import language from '../../../eslint-language.mjs';

// Reads texts as JSON and writes the rules that each breaks. A process of its own, because the rules are an ECMAScript
// module.
const linter = new Linter({ configType: 'flat' });
const config = { plugins: { language }, rules: { 'language/columns': 'error', 'language/sentences': 'error' } };
const texts = JSON.parse(readFileSync(0, 'utf8'));
process.stdout.write(JSON.stringify(texts.map(text => linter.verify(text, config).map(({ ruleId }) => ruleId))));
