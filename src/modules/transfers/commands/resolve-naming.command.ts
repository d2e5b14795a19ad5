import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PlatformContext } from '../../../kernel/command-context';
import { WritePath } from '../../../kernel/write-path';
import type { Mode } from '../../../vocabulary/modes';
import { namings, type NamingResolution } from '../naming.decider';

/** An administrator decides what came of a transaction that was named for a payment. */
export class ResolveNaming extends Command<void> {
  constructor(
    /** The stream of all namings on the transaction. */
    readonly namingsId: string,
    readonly paymentIntent: string,
    readonly resolution: NamingResolution,
    readonly context: PlatformContext<Mode>,
  ) {
    super();
  }
}

@CommandHandler(ResolveNaming)
export class ResolveNamingHandler implements ICommandHandler<ResolveNaming> {
  constructor(private readonly writePath: WritePath) {}

  /** Throws Refusal invalid_resolution unless people are looking into the naming, and the refusals of the note. */
  async execute({ namingsId, paymentIntent, resolution, context }: ResolveNaming): Promise<void> {
    await this.writePath.execute(namings, namingsId, { type: 'resolve', paymentIntent, ...resolution }, context);
  }
}
