import { readFileSync, writeFileSync } from 'node:fs';
import { envExample } from './env-example';
import { GENERATED_PARTS, withPart } from './generated-parts';

/** Brings the generated parts of the pages up to the code: `npm run docs:generate`, in the project's folder. */
for (const part of GENERATED_PARTS) writeFileSync(part.page, withPart(readFileSync(part.page, 'utf8'), part));
writeFileSync('.env.example', envExample());
