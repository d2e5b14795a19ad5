import { setImmediate as nextTurn } from 'node:timers/promises';
import { pino } from 'pino';
import { GatheredLines } from '../../../src/platform/logging/gathered-lines';

function gathered(): { readonly lines: GatheredLines; readonly writes: string[] } {
  const writes: string[] = [];
  return { lines: new GatheredLines({ write: text => void writes.push(text) }), writes };
}

describe('gathered lines', () => {
  it('writes the lines of one turn at once, in their order, and those of the next turn apart', async () => {
    const { lines, writes } = gathered();
    for (const line of ['one\n', 'two\n']) lines.write(line);
    expect(writes).toStrictEqual([]);
    await nextTurn();
    lines.write('three\n');
    await nextTurn();
    await nextTurn();
    expect(writes).toStrictEqual(['one\ntwo\n', 'three\n']);
  });

  it('holds back no more than a bounded text within a turn', () => {
    const { lines, writes } = gathered();
    const line = `${'x'.repeat(1_023)}\n`;
    for (let count = 0; count < 65; count++) lines.write(line);
    expect(writes).toStrictEqual([line.repeat(65)]);
  });

  it('writes a fatal line before the logger goes on', () => {
    const { lines, writes } = gathered();
    const log = pino({ base: null, timestamp: false }, lines);
    log.info('before');
    log.fatal('the end');
    expect(writes.join('')).toBe('{"level":30,"msg":"before"}\n{"level":60,"msg":"the end"}\n');
  });
});
