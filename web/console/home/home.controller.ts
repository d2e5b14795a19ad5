import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { h } from 'preact';
import type { Clock } from '../../../src/kernel/clock';
import { PORTS } from '../../../src/kernel/ports/injection';
import { ADMIN_LISTS } from '../../../src/modules/administration/api/admin-lists';
import { AdminLists } from '../../../src/modules/administration/api/admin-lists.reader';
import { ApprovalReader } from '../../../src/modules/administration/api/approval.reader';
import type { ApprovalStatus } from '../../../src/modules/approvals/approval.transitions';
import type { ApiRequest } from '../../../src/platform/http/caller';
import { ConsolePages } from '../../http/console-pages';
import { ConsoleRoute } from '../../http/signed-in';
import { ConsoleHomePage, type Waiting } from './home.page';

/** Rows that are counted; of more, the page says that there are more. */
const COUNTED = 25;
const LIMIT = { limit: String(COUNTED) };

type Listed = { readonly data: readonly unknown[]; readonly has_more: boolean };

/** The first page of the console. */
@Controller('console')
export class ConsoleHomeController {
  constructor(
    private readonly pages: ConsolePages,
    private readonly lists: AdminLists,
    private readonly approvals: ApprovalReader,
    @Inject(PORTS.clock) private readonly clock: Clock,
  ) {}

  @Get()
  @ConsoleRoute('console.read')
  async show(@Req() request: ApiRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.pages.show(
      { request, reply },
      () => this.waiting(),
      waiting => h(ConsoleHomePage, { waiting }),
    );
  }

  private async waiting(): Promise<readonly Waiting[]> {
    const { lists } = this;
    const { kybCases, holds, reviews, unmatchedTransfers, claims, deferredTransfers, coverageHoles } = ADMIN_LISTS;
    return Promise.all([
      this.counted('approvals?status=pending', 'proposals to decide', this.proposals('pending')),
      this.counted('approvals?status=approved', 'approved proposals to carry out', this.proposals('approved')),
      this.counted(
        'kyb?status=submitted',
        'businesses to verify',
        lists.page(kybCases, { ...LIMIT, status: 'submitted' }),
      ),
      this.counted('holds?status=open', 'held payments', lists.page(holds, { ...LIMIT, status: 'open' })),
      this.counted('reviews', 'payments to review', lists.page(reviews, LIMIT)),
      this.counted('transfers', 'unmatched transfers', lists.page(unmatchedTransfers, LIMIT)),
      this.counted('claims', 'named transactions', lists.page(claims, LIMIT)),
      this.counted('coverage', 'transfers that are tried again', lists.page(deferredTransfers, LIMIT)),
      this.counted('coverage', 'runs of blocks that were passed unread', lists.page(coverageHoles, LIMIT)),
    ]);
  }

  private proposals(status: ApprovalStatus): Promise<Listed> {
    return this.approvals.list({ ...LIMIT, status }, this.clock.now());
  }

  private async counted(path: string, text: string, listed: Promise<Listed>): Promise<Waiting> {
    const { data, has_more: isMore } = await listed;
    return { path, text, count: data.length, isMore };
  }
}
