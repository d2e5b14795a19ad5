import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CommandHandler } from '@event-driven-io/emmett';
import { getSQLiteEventStore, sqliteConnection, sqliteProjection } from '@event-driven-io/emmett-sqlite';
import { EVENT_TYPES } from '../../dist/bench/payment-commands.js';
import { decided, evolve, initialState } from './peer-commands.mjs';

/** The value that SQLite prints where each transaction is flushed. */
const FULL = 2;
const TRIES = 10;

/**
 * Emmett's commands over SQLite, with one document by payment written in the transaction of the append. The store is
 * opened as its documentation does. Concurrent commands would fail as busy, so they take turns.
 */
export async function sqliteSide() {
  const { folder, fileName } = await emptyFile();
  const store = getSQLiteEventStore({ fileName, projections: [{ type: 'inline', projection: payments() }] });
  const handle = CommandHandler({ evolve, initialState });
  const inTurn = turns();
  return {
    execute: (paymentId, step) =>
      inTurn(() => unlessBusy(() => handle(store, `peer-${paymentId}`, state => decided(step, state)))),
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** The same side with one connection that is kept open, which the store's own pool does not do. */
export async function oneConnectionSide() {
  const { folder, fileName } = await emptyFile();
  const connection = sqliteConnection({ fileName });
  const inTurn = turns();
  const pool = {
    connection: () => Promise.resolve(connection),
    withConnection: work => inTurn(() => work(connection)),
    close: () => Promise.resolve(),
  };
  const store = getSQLiteEventStore({ fileName, pool, projections: [{ type: 'inline', projection: payments() }] });
  const handle = CommandHandler({ evolve, initialState });
  return {
    execute: (paymentId, step) => handle(store, `peer-${paymentId}`, state => decided(step, state)),
    close: () => {
      connection.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * The peer sets the journal's mode on each new connection, and waits for it nowhere. Now and then that is still under
 * way when the peer commits. The commit fails then, and a caller tries again.
 */
async function unlessBusy(work) {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      if (error.code !== 'SQLITE_BUSY' || tried === TRIES) throw error;
    }
  }
}

/** Every connection to the file flushes each transaction; throws where one does not. */
async function emptyFile() {
  const folder = mkdtempSync(path.join(tmpdir(), 'quittance-peer-'));
  const fileName = path.join(folder, 'peer.db');
  const connection = sqliteConnection({ fileName });
  const { synchronous } = await connection.querySingle('PRAGMA synchronous');
  connection.close();
  if (synchronous !== FULL) throw new Error(`the peer's SQLite flushes by synchronous=${synchronous}`);
  return { folder, fileName };
}

function turns() {
  let last = Promise.resolve();
  return work => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}

/** The document carries the folded state, as the service's own does. */
function payments() {
  return sqliteProjection({
    name: 'payments',
    canHandle: EVENT_TYPES,
    init: ({ context: { connection } }) => connection.command('CREATE TABLE payments (id TEXT PRIMARY KEY, body TEXT)'),
    handle: async (events, { connection }) => {
      const id = events[0].metadata.streamName;
      const found = await connection.querySingle('SELECT body FROM payments WHERE id = ?', [id]);
      const state = events.reduce(evolve, found ? JSON.parse(found.body) : initialState());
      await connection.command('INSERT OR REPLACE INTO payments (id, body) VALUES (?, ?)', [id, JSON.stringify(state)]);
    },
  });
}
