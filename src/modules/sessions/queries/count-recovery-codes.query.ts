import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { refuse } from '../../../vocabulary/errors';
import { realmOf } from '../../../vocabulary/realms';
import { Realms } from '../realms';

/** The number of a person's recovery codes that were not used yet. Throws Refusal resource_missing. */
export class CountRecoveryCodes extends Query<number> {
  constructor(readonly userId: string) {
    super();
  }
}

@QueryHandler(CountRecoveryCodes)
export class CountRecoveryCodesHandler implements IQueryHandler<CountRecoveryCodes> {
  constructor(private readonly realms: Realms) {}

  async execute({ userId }: CountRecoveryCodes): Promise<number> {
    const person = await this.realms.of(realmOf(userId)).people.find(userId);
    if (person === null) throw refuse('resource_missing');
    return person.recoveryCodesLeft;
  }
}
