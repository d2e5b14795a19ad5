import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeOwnFolder, OWNER_ONLY_FILE } from '../platform/embedded-file/owner-only';

/** Accounts whose transaction is remembered: some days of a busy shop's tests. */
const MOST_KEPT = 20_000;
const PRUNED_EVERY = 1_000;
const ADDRESS = /^0x[0-9a-f]{40}$/;
const HASH = /^(?:0x)?[0-9a-f]{64}$/;

/**
 * The transaction that an account signed first, written before it is sent: a process that is killed in between finds it
 * again by its hash. The node itself keeps no record of an account's transactions.
 */
export class SandboxSent {
  private writes = 0;

  /** The first transaction creates `folder`. */
  constructor(private readonly folder: string) {}

  /** Throws where the record cannot be written: then nothing may be sent. */
  keep(address: string, txHash: string): void {
    makeOwnFolder(this.folder);
    const file = this.fileOf(address);
    const temporary = `${file}.${process.pid}.tmp`;
    writeFileSync(temporary, txHash, { mode: OWNER_ONLY_FILE, flush: true });
    renameSync(temporary, file);
    this.writes += 1;
    if (this.writes % PRUNED_EVERY === 0) this.prune();
  }

  /** Null where nothing was signed. */
  of(address: string): string | null {
    try {
      const txHash = readFileSync(this.fileOf(address), 'utf8');
      return HASH.test(txHash) ? txHash : null;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  forget(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private prune(): void {
    const files = readdirSync(this.folder).map(name => path.join(this.folder, name));
    if (files.length <= MOST_KEPT) return;
    const aged = files.map(file => ({ file, at: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
    aged.sort((a, b) => a.at - b.at);
    for (const { file } of aged.slice(0, files.length - MOST_KEPT)) rmSync(file, { force: true });
  }

  private fileOf(address: string): string {
    const name = address.toLowerCase();
    if (!ADDRESS.test(name)) throw new Error(`${address} is no address`);
    return path.join(this.folder, name);
  }
}
