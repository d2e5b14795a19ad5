import 'reflect-metadata';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { runProgram } from '../../src/cli/program';

/**
 * The command line program for a terminal, run in this process. A process for each command would take most of its time
 * to load the program. The terminal's `npx` hands the command over by curl, which prints the output. A failed
 * command breaks the answer off, so that curl fails. A curl that is killed interrupts its command, as Ctrl-C does.
 */
export class TerminalProgram {
  private readonly server = createServer((request, response) => void this.track(request, response));
  private readonly running = new Set<Promise<void>>();

  /** `told` takes what the program writes beside its output. */
  private constructor(private readonly told: (text: string) => void) {}

  /** Writes an `npx` that runs the program, and nothing else, into the folder. */
  static async start(folder: string, told: (text: string) => void): Promise<TerminalProgram> {
    const program = new TerminalProgram(told);
    mkdirSync(folder);
    const socket = path.join(folder, 'program.socket');
    program.server.listen(socket);
    await once(program.server, 'listening');
    writeFileSync(path.join(folder, 'npx'), npx(socket), { mode: 0o755 });
    return program;
  }

  /** Its terminal has ended before, and with it each curl. */
  async close(): Promise<void> {
    await Promise.all(this.running);
    this.server.close();
  }

  private async track(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const run = this.answer(request, response);
    this.running.add(run);
    await run;
    this.running.delete(run);
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const interruption = new AbortController();
    response.once('close', () => interruption.abort(new Error('interrupted')));
    const asked = new URLSearchParams(await text(request));
    const exitCode = await runProgram(asked.getAll('word'), {
      env: environment(asked.get('environment') ?? ''),
      out: written => void response.write(written),
      err: this.told,
      user: 'alice',
      isInteractive: false,
      readLine: () => Promise.resolve(''),
      signal: interruption.signal,
    });
    if (exitCode === 0) response.end();
    else response.destroy();
  }
}

/** The variables as `env` prints them. */
function environment(printed: string): Readonly<Record<string, string>> {
  return Object.fromEntries(printed.split('\n').map(line => line.split(/=(.*)/s) as [string, string]));
}

/** npm takes longer than the program to find it, and `test/e2e/npx.e2e.spec.ts` holds that npm does. */
function npx(socket: string): string {
  return [
    '#!/bin/sh',
    '[ "$1" = quittance ] || exit 127',
    'shift',
    'for word do set -- "$@" --data-urlencode "word=$word"; shift; done',
    `exec curl -sSN --unix-socket '${socket}' --data-urlencode "environment=$(env)" "$@" http://quittance/`,
    '',
  ].join('\n');
}
