import { z } from 'zod';
import { configSchema } from '../../src/platform/config/config-schema';

const COLUMNS = 120;
const HEAD = [
  '# Copy this file to .env, and take the mark from each line that you set.',
  '# Production needs SECRET_KEY, PUBLIC_URL, CHECKOUT_URL and CONSOLE_URL.',
  '# A value with a dollar sign stands in single quotes.',
  '# Made by `npm run docs:generate` from src/platform/config/config-schema.ts.',
];

/** Every variable that the service reads, as lines of an env file: its meaning, and its default behind a mark. */
export function envExample(): string {
  const parts = Object.entries(configSchema.shape).map(([name, rule]) => {
    const fallback = rule instanceof z.ZodPrefault ? String(rule.def.defaultValue) : '';
    return [...commentOf(rule.description ?? ''), `#${name}=${fallback}`].join('\n');
  });
  return `${[HEAD.join('\n'), ...parts].join('\n\n')}\n`;
}

function commentOf(text: string): readonly string[] {
  const lines = ['#'];
  for (const word of text.replaceAll('`', '').split(' ')) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length > COLUMNS) lines.push(`# ${word}`);
    else lines[lines.length - 1] = line;
  }
  return lines;
}
