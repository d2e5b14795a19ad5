import { STATUS_CODES } from 'node:http';
import { Badge, type Tone } from '../../parts/status-badge';

const TONES: Readonly<Record<string, Tone>> = { 2: 'ok', 3: 'info', 4: 'warn', 5: 'bad' };

/** The status of an answer with its name, such as `404 Not Found`. */
export function StatusCode({ status }: { readonly status: number }) {
  const [kind = ''] = String(status);
  return <Badge tone={TONES[kind] ?? 'idle'} text={`${status} ${STATUS_CODES[status] ?? ''}`.trim()} />;
}
