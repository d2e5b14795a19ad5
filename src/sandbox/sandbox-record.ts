import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { makeOwnFolder, OWNER_ONLY_FILE } from '../platform/embedded-file/owner-only';
import { SandboxSent } from './sandbox-sent';
import type { SandboxNetwork } from './sandbox-networks';

const FILE_PATTERN = /^sandbox-(tron|bnb|base)\.(?:json|lock)$/;

const recordSchema = z.strictObject({
  pid: z.int().positive(),
  port: z.int().min(1).max(65_535),
  chain_id: z.int().positive(),
  /** Null until the chain holds its tokens: a start that broke off before is done again. */
  genesis_hash: z.string().nullable(),
  started_at: z.iso.datetime(),
});
export type SandboxRecord = z.infer<typeof recordSchema>;

/** The record that a data folder has of its local chain of one network: `{folder}/sandbox-{network}.json`. */
export class SandboxFiles {
  readonly record: string;
  readonly output: string;
  readonly cache: string;
  readonly sent: SandboxSent;
  /** The lock of the process that starts or ends the chain. */
  readonly lock: string;

  constructor(
    private readonly folder: string,
    readonly network: SandboxNetwork,
  ) {
    const base = path.join(path.resolve(folder), `sandbox-${network}`);
    this.record = `${base}.json`;
    this.output = `${base}.log`;
    this.cache = `${base}-cache`;
    this.lock = `${base}.lock`;
    this.sent = new SandboxSent(`${base}-sent`);
  }

  static of(folder: string): readonly SandboxFiles[] {
    if (!existsSync(folder)) return [];
    const networks = readdirSync(folder).flatMap(name => FILE_PATTERN.exec(name)?.[1] ?? []);
    return [...new Set(networks)].map(network => new SandboxFiles(folder, network as SandboxNetwork));
  }

  /** `unreadable` for a file that this service did not write, or not whole. */
  read(): SandboxRecord | 'none' | 'unreadable' {
    if (!existsSync(this.record)) return 'none';
    try {
      return recordSchema.parse(JSON.parse(readFileSync(this.record, 'utf8')));
    } catch {
      return 'unreadable';
    }
  }

  /** The file is written beside and renamed: a reader sees the old record or the new one. */
  write(record: SandboxRecord): void {
    const temporary = `${this.record}.${process.pid}.tmp`;
    writeFileSync(temporary, `${JSON.stringify(record)}\n`, { mode: OWNER_ONLY_FILE, flush: true });
    renameSync(temporary, this.record);
  }

  makeFolder(): void {
    makeOwnFolder(this.folder);
  }

  /** Prepares the files for a new chain, on which nothing was sent. */
  prepare(): void {
    this.sent.forget();
    makeOwnFolder(this.cache);
  }

  remove(): void {
    this.sent.forget();
    for (const file of [this.cache, this.output, this.record]) rmSync(file, { recursive: true, force: true });
  }

  /** The end of the node's output, to name in an error. */
  lastOutput(): string {
    return existsSync(this.output) ? readFileSync(this.output, 'utf8').trim().slice(-300) : '';
  }
}
