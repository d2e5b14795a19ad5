import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { DatabaseSync } from '@photostructure/sqlite';
import { isRefusal, type Refusal } from '../../../src/vocabulary/errors';
import { StoreUnavailable } from '../../../src/kernel/ports/event-store';
import { EMBEDDED_FILE_NAME, EmbeddedFile } from '../../../src/platform/embedded-file/embedded-file';
import { eventually, rejection } from '../../contracts/contract-support';
import { runChild } from './child-process';
import { damage } from './damage';

jest.setTimeout(30_000);

describe('the embedded file', () => {
  let folder: string;
  let open: EmbeddedFile[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quittance-file-'));
    open = [];
  });
  afterEach(() => {
    for (const file of open) file.close();
    rmSync(folder, { recursive: true });
  });

  function openFile(role: 'service' | 'tool' = 'service'): EmbeddedFile {
    const file = EmbeddedFile.open(folder, { role });
    open.push(file);
    return file;
  }

  function openNumbers(): EmbeddedFile {
    const file = openFile();
    file.define('create table if not exists numbers (n integer primary key, text text)');
    return file;
  }

  const insert = (file: EmbeddedFile, n: number, text = ''): number =>
    file.statement('insert into numbers values (?, ?)').run(n, text).changes;
  const numbers = (file: EmbeddedFile): number[] =>
    (file.statement('select n from numbers order by n').all() as [number][]).map(([n]) => n);

  /** The modes of the folder and of the files in it, with something written. */
  function modesOf(file: EmbeddedFile) {
    file.define('create table if not exists numbers (n integer primary key, text text)');
    const modes = readdirSync(folder).map(name => statSync(join(folder, name)).mode & 0o777);
    expect(modes.length).toBeGreaterThanOrEqual(4);
    return { folder: statSync(folder).mode & 0o777, files: new Set(modes) };
  }

  function refusalOf(work: () => unknown): Refusal {
    try {
      work();
    } catch (error) {
      if (isRefusal(error)) return error;
      throw error;
    }
    throw new Error('it was not refused');
  }

  describe('opening', () => {
    it('makes the folder, and writes ahead with a sync for each commit', () => {
      folder = join(folder, 'deeper');
      const file = openFile();
      expect(file.path).toBe(join(folder, EMBEDDED_FILE_NAME));
      expect(file.statement('pragma journal_mode').get()).toStrictEqual(['wal']);
      expect(file.statement('pragma synchronous').get()).toStrictEqual([2]);
      expect(file.statement('pragma wal_autocheckpoint').get()).toStrictEqual([4_000]);
    });

    it('makes a folder with those above it, by a relative path as well, once for two at a time', () => {
      folder = join(relative(process.cwd(), folder), 'one', 'two');
      expect(openFile().path).toBe(join(folder, EMBEDDED_FILE_NAME));
      expect(openFile('tool').path).toBe(join(folder, EMBEDDED_FILE_NAME));
    });

    it('closes the folder and each of its files to other accounts', () => {
      folder = join(folder, 'made');
      expect(modesOf(openFile())).toStrictEqual({ folder: 0o700, files: new Set([0o600]) });
    });

    it('closes what was open to other accounts before', () => {
      const earlier = openNumbers();
      for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o644);
      chmodSync(folder, 0o755);
      earlier.close();
      expect(modesOf(openFile())).toStrictEqual({ folder: 0o700, files: new Set([0o600]) });
    });

    it('refuses a second service on the folder, and says what to do', () => {
      openFile();
      const refusal = refusalOf(() => openFile());
      expect(refusal).toMatchObject({ code: 'invalid_config', param: 'data_folder' });
      expect(refusal.message).toContain(folder);
      expect(refusal.message).toContain('Another service is running');
    });

    it('lets a service in when the one before has closed', () => {
      openFile().close();
      expect(openFile().statement('select 1').get()).toStrictEqual([1]);
    });

    it('lets tools in beside a service, and a service in beside tools', () => {
      openFile('tool');
      openFile();
      expect(openFile('tool').statement('select 1').get()).toStrictEqual([1]);
    });

    it('refuses a service while another process is one, and lets it in once that was killed', async () => {
      const child = runChild('lock-holder.ts', [folder]);
      await child.printed(1);
      expect(refusalOf(() => openFile()).code).toBe('invalid_config');
      openFile('tool').close();
      await child.kill();
      expect(openFile().statement('select 1').get()).toStrictEqual([1]);
    });

    it('refuses a folder that is a file, and frees what it held', () => {
      const path = join(folder, 'file');
      writeFileSync(path, '');
      expect(refusalOf(() => EmbeddedFile.open(path, { role: 'service' })).code).toBe('invalid_config');
    });

    it('refuses a file that is no database, and frees the folder', () => {
      writeFileSync(join(folder, EMBEDDED_FILE_NAME), 'no database at all '.repeat(1_000));
      expect(refusalOf(() => openFile()).message).toContain('cannot be used');
      rmSync(join(folder, EMBEDDED_FILE_NAME));
      expect(openFile().statement('select 1').get()).toStrictEqual([1]);
    });

    it('refuses a file that has lost all its bytes, and leaves it as it is', () => {
      openFile().close();
      truncateSync(join(folder, EMBEDDED_FILE_NAME));
      for (const role of ['service', 'tool'] as const) {
        const refusal = refusalOf(() => openFile(role));
        expect(refusal).toMatchObject({ code: 'invalid_config', param: 'data_folder' });
        expect(refusal.message).toMatch(/is empty.*Restore the backup/);
      }
      expect(statSync(join(folder, EMBEDDED_FILE_NAME)).size).toBe(0);
    });

    it('makes the file whole, and leaves no draft of it', () => {
      openFile('tool').close();
      expect(readdirSync(folder).filter(name => name.includes('draft'))).toStrictEqual([]);
      expect(statSync(join(folder, EMBEDDED_FILE_NAME)).size).toBeGreaterThan(0);
    });

    it.each([1, 2])('refuses a file whose page %i is damaged, in one line that names it', page => {
      openNumbers().close();
      damage(join(folder, EMBEDDED_FILE_NAME), page);
      const { code, message } = refusalOf(() => openFile());
      expect({ code, lines: message.split('\n').length }).toStrictEqual({ code: 'invalid_config', lines: 1 });
      expect(message).toMatch(/quittance\.sqlite cannot be used: .*restore the backup/);
    });

    it('refuses a database of another program, and leaves it as it is', () => {
      const path = join(folder, EMBEDDED_FILE_NAME);
      const foreign = new DatabaseSync(path);
      foreign.exec('create table events (position integer primary key, body blob)');
      foreign.close();
      const before = readFileSync(path);
      for (const role of ['service', 'tool'] as const) {
        const refusal = refusalOf(() => openFile(role));
        expect(refusal).toMatchObject({ code: 'invalid_config', param: 'data_folder' });
        expect(refusal.message).toContain('was not made by this program');
      }
      expect(readFileSync(path)).toStrictEqual(before);
    });

    it('refuses what a newer program wrote', () => {
      openFile().database.exec('pragma user_version = 99');
      open[0]?.close();
      expect(refusalOf(() => openFile()).message).toContain('newer program');
    });

    it('refuses the former layout, and says so', () => {
      openFile().database.exec('pragma user_version = 1');
      open[0]?.close();
      expect(refusalOf(() => openFile())).toMatchObject({
        code: 'invalid_config',
        message: expect.stringContaining('has the former layout 1') as string,
      });
    });
  });

  describe('writing', () => {
    it('answers what the work answered, once it is there', async () => {
      const file = openNumbers();
      const written = file.write(() => insert(file, 1));
      expect(numbers(file)).toStrictEqual([]);
      expect(await written).toBe(1);
      expect(numbers(file)).toStrictEqual([1]);
    });

    it('commits together what waits together', async () => {
      const file = openNumbers();
      const other = openFile('tool');
      const versionOf = (): unknown => other.statement('pragma data_version').get();
      const seen = new Set([JSON.stringify(versionOf())]);
      const writes = Array.from({ length: 100 }, (_, n) =>
        file.write(() => insert(file, n)).then(() => seen.add(JSON.stringify(versionOf()))),
      );
      await Promise.all(writes);
      expect(numbers(file)).toHaveLength(100);
      expect(seen.size).toBe(2);
    });

    it('commits together what a few turns of the event loop bring one after the other', async () => {
      const file = openNumbers();
      let answered = 0;
      const writes: Promise<void>[] = [];
      for (let n = 1; n <= 6; n++) {
        writes.push(file.write(() => insert(file, n)).then(() => void answered++));
        await nextTurn();
        expect(answered).toBe(0);
      }
      await Promise.all(writes);
      expect(numbers(file)).toStrictEqual([1, 2, 3, 4, 5, 6]);
    });

    it('answers the first write also while each turn brings another one', async () => {
      const file = openNumbers();
      let isAnswered = false;
      const first = file.write(() => insert(file, 0)).then(() => (isAnswered = true));
      const others: Promise<number>[] = [];
      for (let n = 1; !isAnswered && n <= 100; n++) {
        others.push(file.write(() => insert(file, n)));
        await nextTurn();
      }
      expect(others.length).toBeLessThan(40);
      await Promise.all([first, ...others]);
    });

    it('keeps the order in which writes were asked for, over many batches', async () => {
      const file = openNumbers();
      const order: number[] = [];
      await Promise.all(
        Array.from({ length: 2_000 }, (_, n) => file.write(() => insert(file, n)).then(() => order.push(n))),
      );
      expect(order).toStrictEqual(Array.from({ length: 2_000 }, (_, n) => n));
    });

    it('undoes work that failed half-way, and nothing else', async () => {
      const file = openNumbers();
      const ends = await Promise.allSettled([
        file.write(() => insert(file, 1)),
        file.write(() => {
          insert(file, 2);
          throw new Error('half-way');
        }),
        file.write(() => insert(file, 3)),
        file.write(() => insert(file, 1)),
        file.write(() => insert(file, 4)),
      ]);
      expect(ends.map(end => end.status)).toStrictEqual([
        'fulfilled',
        'rejected',
        'fulfilled',
        'rejected',
        'fulfilled',
      ]);
      expect((ends[1] as PromiseRejectedResult).reason).toStrictEqual(new Error('half-way'));
      expect(numbers(file)).toStrictEqual([1, 3, 4]);
    });

    it('tells everybody when the disk is full, has written nothing, and goes on when there is room', async () => {
      const file = openNumbers();
      await file.write(() => insert(file, 1));
      const [pages] = file.statement('pragma page_count').get() as [number];
      file.database.exec(`pragma max_page_count = ${pages}`);
      const ends = await Promise.allSettled([
        file.write(() => insert(file, 2)),
        file.write(() => insert(file, 3, 'x'.repeat(100_000))),
        file.write(() => insert(file, 4)),
      ]);
      for (const end of ends) expect((end as PromiseRejectedResult).reason).toBeInstanceOf(StoreUnavailable);
      expect(numbers(file)).toStrictEqual([1]);
      file.database.exec('pragma max_page_count = 1000000');
      await file.write(() => insert(file, 3, 'x'.repeat(100_000)));
      expect(numbers(file)).toStrictEqual([1, 3]);
    });

    it('tells everybody when the disk is read-only, and goes on when it is not', async () => {
      const file = openNumbers();
      file.database.exec('pragma query_only = on');
      const ends = await Promise.allSettled([1, 2].map(n => file.write(() => insert(file, n))));
      for (const end of ends) expect((end as PromiseRejectedResult).reason).toBeInstanceOf(StoreUnavailable);
      file.database.exec('pragma query_only = off');
      await file.write(() => insert(file, 3));
      expect(numbers(file)).toStrictEqual([3]);
    });

    it('waits for another process, while the event loop turns', async () => {
      const file = openNumbers();
      const other = new DatabaseSync(file.path);
      other.exec('begin immediate');
      let turns = 0;
      const turning = setInterval(() => turns++, 1);
      let isWritten = false;
      const written = file.write(() => insert(file, 1)).then(() => (isWritten = true));
      await eventually(() => turns >= 5);
      expect(isWritten).toBe(false);
      other.exec('commit');
      other.close();
      await written;
      clearInterval(turning);
      expect(numbers(file)).toStrictEqual([1]);
    });
  });

  it('notices what another process commits, and not what it commits itself', async () => {
    const file = openNumbers();
    const other = openFile('tool');
    let noticed = 0;
    const stop = file.onForeignCommit(() => noticed++);
    let othersNoticed = 0;
    other.onForeignCommit(() => othersNoticed++);
    await file.write(() => insert(file, 1));
    await eventually(() => othersNoticed === 1);
    expect(noticed).toBe(0);
    await other.write(() => insert(other, 2));
    await eventually(() => noticed === 1);
    stop();
    await other.write(() => insert(other, 3));
    await file.write(() => insert(file, 4));
    await eventually(() => othersNoticed === 2);
    expect(noticed).toBe(1);
  });

  it('writes what waits before it closes, and refuses afterwards', async () => {
    const file = openNumbers();
    const writes = Array.from({ length: 1_000 }, (_, n) => file.write(() => insert(file, n)));
    file.close();
    await Promise.all(writes);
    expect(numbers(openFile())).toHaveLength(1_000);
    expect(await rejection(file.write(() => 1))).toBeInstanceOf(StoreUnavailable);
    expect(() => file.read(() => 1)).toThrow(StoreUnavailable);
    file.close();
  });
});
