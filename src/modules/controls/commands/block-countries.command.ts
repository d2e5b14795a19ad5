import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { PlatformContext } from '../../../kernel/command-context';
import { WritePath } from '../../../kernel/write-path';
import { CustomerCountries } from '../customer-countries';
import { geoBlocks } from '../geo-block.decider';
import { GEO_BLOCK } from '../geo-block.events';

/** Blocks the checkout in these countries from the next request on, and in no other one. */
export class BlockCountries extends Command<void> {
  constructor(
    readonly countries: readonly string[],
    readonly context: PlatformContext<'platform'>,
  ) {
    super();
  }
}

@CommandHandler(BlockCountries)
export class BlockCountriesHandler implements ICommandHandler<BlockCountries> {
  constructor(
    private readonly writePath: WritePath,
    private readonly customers: CustomerCountries,
  ) {}

  /** Throws Refusal invalid_geo_config for an unknown country, and for any without a database. */
  async execute({ countries, context }: BlockCountries): Promise<void> {
    const command = { type: 'block', countries, isTold: this.customers.areTold } as const;
    await this.writePath.execute(geoBlocks, GEO_BLOCK, command, context);
  }
}
