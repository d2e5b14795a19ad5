import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PlatformContext } from '../../../kernel/command-context';
import { WritePath } from '../../../kernel/write-path';
import { sanctionedAddresses } from '../sanctioned-address.decider';
import { checkedEntry, networkOf, type GivenEntry } from '../sanctions-entry';

type Context = PlatformContext<'platform'>;

/** Lists an address beside the imported lists. Answers the id of the address, which is the same on every network. */
export class AddSanctionsEntry extends Command<string> {
  constructor(
    readonly entry: GivenEntry,
    readonly context: Context,
  ) {
    super();
  }
}

/** Takes an entry back that an administrator has added; imported entries stay. */
export class RemoveSanctionsEntry extends Command<void> {
  constructor(
    readonly id: string,
    readonly place: Pick<GivenEntry, 'network' | 'listSource'>,
    readonly reason: string,
    readonly context: Context,
  ) {
    super();
  }
}

@CommandHandler(AddSanctionsEntry)
export class AddSanctionsEntryHandler implements ICommandHandler<AddSanctionsEntry> {
  constructor(private readonly writePath: WritePath) {}

  /** Throws Refusal invalid_sanctions_entry, invalid_sanctions_address or duplicate_sanctions_entry. */
  async execute({ entry: given, context }: AddSanctionsEntry): Promise<string> {
    const entry = checkedEntry(given);
    await this.writePath.execute(sanctionedAddresses, entry.id, { type: 'add', entry }, context);
    return entry.id;
  }
}

@CommandHandler(RemoveSanctionsEntry)
export class RemoveSanctionsEntryHandler implements ICommandHandler<RemoveSanctionsEntry> {
  constructor(private readonly writePath: WritePath) {}

  /** Throws Refusal invalid_sanctions_entry. An address without the entry has nothing to remove. */
  async execute({ id, place: { network, listSource }, reason, context }: RemoveSanctionsEntry): Promise<void> {
    const place = { network: networkOf(network), list_source: listSource };
    await this.writePath.execute(sanctionedAddresses, id, { type: 'remove', place, reason }, context);
  }
}
