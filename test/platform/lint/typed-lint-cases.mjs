import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ESLint } from 'eslint';

// Reads {path, code, files} as JSON: lints the code in the place of the file at the path, by the project's own configuration, since rules that
// ask for types need a file of the project. Writes the messages by line, and of each file which rules are errors.
const eslint = new ESLint({ cwd: join(import.meta.dirname, '../../..') });
const { path, code, files } = JSON.parse(readFileSync(0, 'utf8'));
const [{ messages }] = await eslint.lintText(code, { filePath: path });
const errors = {};
for (const file of files) {
  const { rules } = await eslint.calculateConfigForFile(file);
  errors[file] = Object.keys(rules).filter(name => rules[name][0] === 2);
}
const found = messages.map(({ line, ruleId, message }) => ({ line, ruleId, message }));
process.stdout.write(JSON.stringify({ found, errors }));
