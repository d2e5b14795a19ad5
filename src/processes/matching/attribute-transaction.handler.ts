import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import {
  AttributeTransaction,
  type AttributionOutcome,
} from '../../modules/transfers/commands/attribute-transaction.command';
import { NamingIntake } from './naming-intake';

@CommandHandler(AttributeTransaction)
export class AttributeTransactionHandler implements ICommandHandler<AttributeTransaction> {
  constructor(private readonly naming: NamingIntake) {}

  execute({ paymentIntent, named, side, context }: AttributeTransaction): Promise<AttributionOutcome> {
    return this.naming.name(paymentIntent, named, side, context);
  }
}
