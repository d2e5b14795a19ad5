import { CountryDatabase } from '../../../src/platform/country-database';
import { ApiStage, type ApiInstance } from '../../support/api-stage';
import { tinyMmdb } from '../../support/tiny-mmdb';
import type { StagedMerchant } from '../../support/staged-merchant';
import { signedInAdmin, type SignedInAdmin } from '../administration/signed-in-admin';

export const ORDER = { amount: '2500', currency: 'EUR' };

/**
 * Two processes of the API: administrators act at the one, and merchants call the other one. Every caller's address is
 * in Germany.
 */
export class ControlsStage {
  private constructor(
    readonly stage: ApiStage,
    readonly here: ApiInstance,
    readonly there: ApiInstance,
    /** Of the role compliance. */
    readonly admin: SignedInAdmin,
  ) {}

  static async open(env: Readonly<Record<string, string>> = {}): Promise<ControlsStage> {
    const stage = await ApiStage.open(env);
    const countries = CountryDatabase.of(tinyMmdb([{ address: '127.0.0.0', bits: 8, country: 'DE' }]));
    const [here, there] = [await stage.startInstance({ countries }), await stage.startInstance({ countries })];
    return new ControlsStage(stage, here, there, await signedInAdmin(stage, here, 'ada@example.com', 'compliance'));
  }

  close(): Promise<void> {
    return this.stage.close();
  }

  /** A merchant with a verified wallet and a route to it, who calls the other process. */
  async merchantWithWallet(): Promise<{ readonly merchant: StagedMerchant; readonly walletId: string }> {
    const registered = await this.stage.register(this.there);
    const { id } = await registered.registerWallet();
    const walletId = String(id);
    await registered.verifyWallet(walletId);
    await registered.routeTo(walletId);
    return { merchant: registered, walletId };
  }

  act(path: string, body: Readonly<Record<string, unknown>> = {}) {
    return this.admin.browser.post(path, body);
  }

  /** The page of a list below `/admin`, as of the log's end. */
  async list(path: string) {
    await this.stage.project();
    return this.admin.browser.get(path);
  }
}
