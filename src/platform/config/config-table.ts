import { z } from 'zod';
import { configSchema } from './config-schema';

/** The README's table of variables, in Markdown. */
export function configTable(): string {
  const rows = Object.entries(configSchema.shape).map(([name, rule]) => {
    const fallback = rule instanceof z.ZodPrefault ? `\`${rule.def.defaultValue}\`` : 'unset';
    return `| \`${name}\` | ${fallback} | ${rule.description} |`;
  });
  return ['| Variable | Default | What it is for |', '|---|---|---|', ...rows].join('\n');
}
