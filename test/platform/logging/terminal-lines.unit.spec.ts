import { createLogger, type Logger } from '../../../src/platform/logging/logger';
import { terminalLines, type Output } from '../../../src/platform/logging/terminal-lines';

const ESCAPE_CHARACTER = '\u001b';

async function shown(write: (log: Logger) => void, terminal: Partial<Output> = {}): Promise<string> {
  const texts: string[] = [];
  const lines = await terminalLines({ isTTY: true, write: text => texts.push(text), ...terminal });
  if (lines === null) throw new Error('no terminal');
  write(createLogger({ level: 'info' }, lines));
  return texts.join('');
}

it('shows a line to read on a terminal, with its facts', async () => {
  const text = await shown(log => log.info({ url: 'http://127.0.0.1:8080', docs: '/docs' }, 'listening'));
  expect(text).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: listening \{.*\}\n$/);
  expect(text).toContain('"url":"http://127.0.0.1:8080"');
  expect(() => JSON.parse(text) as unknown).toThrow();
});

it('has colours where the terminal has', async () => {
  const warned = (log: Logger): void => log.warn('the price is old');
  expect(await shown(warned)).not.toContain(ESCAPE_CHARACTER);
  expect(await shown(warned, { hasColors: () => true })).toContain(`${ESCAPE_CHARACTER}[`);
});

it('shows no secret', async () => {
  const text = await shown(log => log.info({ api_key: 'CANARY', note: 'sk_live_CANARY9' }, 'for sk_test_CANARY9'));
  expect(text).not.toContain('CANARY');
  expect(text).toContain('[redacted]');
});

it('hands no control character of others to the terminal', async () => {
  const controls = ['\u001b[2J', '\u0007', '\u009b2J', '\u007f', '\r', '\b'];
  const text = await shown(log => {
    for (const control of controls) {
      log.info({ note: control, err: new Error(`node says ${control}`) }, `it says ${control}`);
      log.warn({ note: `\\${control}` }, `\\${control}`);
    }
  });
  // Of all control characters, line breaks and tabs alone.
  expect([...text].filter(each => each < ' ' || (each >= '\u007f' && each <= '\u009f')).join('')).toMatch(/^[\n\t]*$/);
  expect(text).toContain('it says \\u001b[2J');
});

it('leaves other outputs their JSON', async () => {
  const write = (): void => undefined;
  expect(await terminalLines({ write })).toBeNull();
  expect(await terminalLines({ isTTY: false, write })).toBeNull();
});
