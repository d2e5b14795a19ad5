import { isoTime } from '../kernel/clock';
import type { Mode } from '../vocabulary/modes';
import { comparePositions } from '../kernel/log-position';
import type { BlockHeader } from '../kernel/ports/chain';
import type { SystemCommands } from '../kernel/system-commands';
import type { NetworkId } from '../vocabulary/networks';
import type { Loaded } from '../kernel/loaded';
import {
  coverage,
  coverageEpoch,
  coverageStreamId,
  lastOfEpoch,
  type Coverage,
  type CoverageCommand,
} from '../modules/coverage/coverage.decider';
import type { CoverageEvent } from '../modules/coverage/coverage.events';

/** A block up to which everything was covered when it was recorded. */
export type CoverageMark = { readonly number: number; readonly hash: string; readonly time: string };

/** Marks that are looked at for one that still stands: some thousand blocks, far more than any reorganisation. */
const MARKS_LIMIT = 32;

type HeaderAt = (height: number) => Promise<BlockHeader>;
/** The providers that were asked, and the headers that they gave. */
type Source = { readonly providers: readonly string[]; readonly headerAt: HeaderAt };

/** The coverage of one chain in the log: its beginning, and the ranges that have been sealed since. */
export class CoverageHistory {
  constructor(
    private readonly mode: Mode,
    private readonly network: NetworkId,
    private readonly instance: string,
    private readonly commands: SystemCommands,
  ) {}

  /** Null where the chain was never watched. */
  async start(): Promise<CoverageMark | null> {
    const { history } = await this.load('start');
    const [first] = history;
    return first?.type === 'CoverageStarted' ? first.data : null;
  }

  async begin({ number, hash, timeMs }: BlockHeader): Promise<void> {
    await this.execute('start', { type: 'start', block: { number, hash, time: isoTime(timeMs) } });
  }

  /**
   * The newest sealed end; `start` where nothing is sealed. Epochs follow one another, so the last is found by doubling
   * and halving.
   */
  async newest(start: CoverageMark): Promise<CoverageMark> {
    const first = coverageEpoch(start.number + 1);
    if (!(await this.isSealed(first))) return start;
    let step = 1;
    while (await this.isSealed(first + step)) step *= 2;
    let [last, missing] = [first + Math.floor(step / 2), first + step];
    while (missing - last > 1) {
      const middle = Math.floor((last + missing) / 2);
      if (await this.isSealed(middle)) last = middle;
      else missing = middle;
    }
    return this.marksOf((await this.load(last)).history)[0] ?? start;
  }

  /** Marks of the last two epochs up to `sealedTo`, the newest first, and the start. */
  async marks(sealedTo: number): Promise<readonly CoverageMark[]> {
    const epoch = coverageEpoch(sealedTo);
    const start = await this.start();
    const events = [...(await this.load(epoch - 1)).history, ...(await this.load(epoch)).history];
    return [...this.marksOf(events).slice(0, MARKS_LIMIT), ...(start ? [start] : [])];
  }

  /** Every recorded event up to the epoch of `sealedTo`, in the order of recording. */
  async events(sealedTo: number): Promise<readonly CoverageEvent[]> {
    const { history } = await this.load('start');
    const [first] = history;
    if (first?.type !== 'CoverageStarted') return [];
    const all = [...history];
    for (let epoch = coverageEpoch(first.data.number + 1); epoch <= coverageEpoch(sealedTo); epoch++)
      all.push(...(await this.load(epoch)).history);
    return all.sort((a, b) => comparePositions(a.position, b.position));
  }

  /** One event for each epoch that the range after `sealed` touches. */
  async seal(sealed: Pick<CoverageMark, 'number' | 'hash'>, to: BlockHeader, { providers, headerAt }: Source) {
    let parentHash = sealed.hash;
    for (const { from, end } of await this.byEpoch(sealed.number + 1, to, headerAt)) {
      const range = { from_number: from, from_parent_hash: parentHash, ...endOf(end), providers };
      await this.execute(coverageEpoch(from), { type: 'seal', range });
      parentHash = end.hash;
    }
  }

  async replace(from: number, to: BlockHeader, { providers, headerAt }: Source): Promise<void> {
    for (const part of await this.byEpoch(from, to, headerAt)) {
      const range = { from_number: part.from, ...endOf(part.end), providers };
      await this.execute(coverageEpoch(part.from), { type: 'replace', range });
    }
  }

  private async byEpoch(first: number, to: BlockHeader, headerAt: HeaderAt) {
    const parts: { readonly from: number; readonly end: BlockHeader }[] = [];
    for (let from = first; from <= to.number;) {
      const last = lastOfEpoch(coverageEpoch(from));
      const end = last < to.number ? await headerAt(last) : to;
      parts.push({ from, end });
      from = end.number + 1;
    }
    return parts;
  }

  private marksOf(events: readonly CoverageEvent[]): readonly CoverageMark[] {
    const marks = new Map<number, CoverageMark>();
    for (const { type, data } of events) {
      if (type === 'CoverageStarted') continue;
      // A mark that a reorganisation has replaced since is none any more.
      if (type === 'CoverageReplaced')
        for (const number of marks.keys()) if (number >= data.from_number) marks.delete(number);
      marks.set(data.to_number, { number: data.to_number, hash: data.to_hash, time: data.to_time });
    }
    return [...marks.values()].sort((a, b) => b.number - a.number);
  }

  private async isSealed(epoch: number): Promise<boolean> {
    return (await this.load(epoch)).state.sealedTo !== null;
  }

  private load(epoch: number | 'start'): Promise<Loaded<Coverage, CoverageEvent>> {
    return this.commands.read(coverage, this.mode, coverageStreamId(this.network, this.instance, epoch));
  }

  private async execute(epoch: number | 'start', command: CoverageCommand): Promise<void> {
    const id = coverageStreamId(this.network, this.instance, epoch);
    await this.commands.execute(coverage, id, () => ({ command, actor: 'watcher' }), { mode: this.mode, cause: null });
  }
}

function endOf({ number, hash, timeMs }: BlockHeader) {
  return { to_number: number, to_hash: hash, to_time: isoTime(timeMs) };
}
