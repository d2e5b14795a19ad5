import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import type { SecretBox } from '../../../kernel/ports/secret-box';
import { currentCase } from '../current-case';
import { kybCasesReadModel, type KybCaseDocument } from '../kyb-cases.read-model';

/** A case as its merchant sees it. */
export type ShownKybCase = KybCaseDocument & { readonly id: string };

export type KybStanding = {
  /** Null where no case is open: for a merchant who needs none, and after a rejection. */
  readonly current: ShownKybCase | null;
  /** The case before the current one, where it was rejected. */
  readonly rejected: ShownKybCase | null;
};

/** The verification of a merchant as it stands now. */
export class GetKybStanding extends Query<KybStanding> {
  constructor(readonly merchantId: string) {
    super();
  }
}

@QueryHandler(GetKybStanding)
export class GetKybStandingHandler implements IQueryHandler<GetKybStanding> {
  constructor(
    @Inject(PORTS.secretBox) private readonly secretBox: SecretBox,
    @Inject(PORTS.readModels) private readonly readModels: ReadModels,
  ) {}

  async execute({ merchantId }: GetKybStanding): Promise<KybStanding> {
    const { current, rejected } = await currentCase(
      this.secretBox,
      merchantId,
      id => this.find(id),
      standing => standing?.status === 'rejected',
    );
    return { current, rejected };
  }

  private async find(id: string): Promise<ShownKybCase | null> {
    const found = await this.readModels.get(kybCasesReadModel, 'platform', id);
    return found && { ...found.body, id };
  }
}
