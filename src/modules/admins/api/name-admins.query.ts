import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { PORTS } from '../../../kernel/ports/injection';
import type { ReadModels } from '../../../kernel/ports/read-models';
import { isId } from '../../../vocabulary/ids';
import { adminsReadModel } from '../admins.read-model';

/** Names of administrators by their ids. */
export type AdminNames = Readonly<Record<string, string>>;

/** The names of administrators, or their addresses where they have no name. Ids of nobody are left out. */
export class NameAdmins extends Query<AdminNames> {
  constructor(readonly ids: readonly (string | null)[]) {
    super();
  }
}

@QueryHandler(NameAdmins)
export class NameAdminsHandler implements IQueryHandler<NameAdmins> {
  constructor(@Inject(PORTS.readModels) private readonly readModels: ReadModels) {}

  async execute({ ids }: NameAdmins): Promise<AdminNames> {
    const known = [...new Set(ids.filter(id => id !== null && isId('adm', id)))] as string[];
    const found = await Promise.all(known.map(id => this.readModels.get(adminsReadModel, 'platform', id)));
    return Object.fromEntries(found.flatMap(admin => (admin ? [[admin.id, admin.body.name ?? admin.body.email]] : [])));
  }
}
