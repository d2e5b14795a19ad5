import { z } from 'zod';
import { configSchema } from '../../src/platform/config/config-schema';

/** Every variable that the service reads, in Markdown. */
export function configTable(): string {
  const rows = Object.entries(configSchema.shape).map(([name, rule]) => {
    const fallback = rule instanceof z.ZodPrefault ? `\`${rule.def.defaultValue}\`` : 'unset';
    return `| \`${name}\` | ${fallback} | ${rule.description} |`;
  });
  return ['| Variable | Default | Meaning |', '|---|---|---|', ...rows].join('\n');
}
