import { MAX_TOLERANCE_BPS } from '../../../src/modules/merchants/merchant-settings';
import { judgeInference } from '../../../src/modules/transfers/inferred-credit';
import { Prng } from '../../simulation/prng';
import { clearMistake, type ClearMistake } from './inferred-clear';
import { CLASSES, depositOf, HARD_CLASSES, isOfNobody, type DepositClass } from './inferred-corpus';
import { factsOf, isReserved, type Deposit } from './inferred-deposits';
import { quietOf, shopOf, type Shop } from './inferred-shops';

const SEED = 20_261_101;
const TRANSFERS_OF_A_SHOP = 200;
const BPS = 10_000n;

export type End = 'reserved' | 'credited' | 'queued' | 'wrong';
export type Judged = {
  readonly kind: DepositClass;
  readonly baitAfterMs: number | null;
  readonly end: End;
  /** By the evidence, of which nothing more is kept: half a million of them do not fit into memory. Null as `clear`. */
  readonly isDedicated: boolean | null;
  /** A payment of a dedicated wallet becomes confirmed or overpaid by the credit. */
  readonly isSettled: boolean;
  /** Null where the transfer met a reservation, or is no clear mistake. */
  readonly clear: ClearMistake | null;
};

/** `quiet`: the listed first mistakes once more, where every other payment is paid: nothing else lies unpaid. */
export type Corpora = Readonly<Record<'listed' | 'hard' | 'quiet', readonly Judged[]>>;

/** Equal shares of the classes of each corpus, at the same shops. */
export function judgedAll(isDedicated: boolean, transfers: number): Corpora {
  const prng = new Prng(SEED + Number(isDedicated));
  const [listedClasses, hardClasses] = [classesOf(CLASSES, isDedicated), classesOf(HARD_CLASSES, isDedicated)];
  const [listed, hard, quiet]: [Judged[], Judged[], Judged[]] = [[], [], []];
  let [shop, quietShop]: [Shop | null, Shop | null] = [null, null];
  for (let number = 0; number < transfers; number++) {
    if (shop === null || quietShop === null || number % TRANSFERS_OF_A_SHOP === 0) {
      shop = shopOf(prng, isDedicated);
      quietShop = quietOf(shop);
    }
    const kind = listedClasses[number % listedClasses.length] as DepositClass;
    const hardKind = hardClasses[number % hardClasses.length] as DepositClass;
    const deposit = depositOf(kind, shop, prng);
    listed.push(judged(kind, deposit));
    if (deposit.isFirstInTime) quiet.push(judged(kind, quietDeposit(deposit, quietShop)));
    hard.push(judged(hardKind, depositOf(hardKind, shop, prng)));
  }
  return { listed, hard, quiet };
}

/** The deposit at a quiet shop, where nobody takes a quote for another one's money. */
function quietDeposit(deposit: Deposit, quietShop: Shop): Deposit {
  const { world, blockTimeMs } = deposit;
  const payments = world.payments.filter(({ quotedAtMs }) => quotedAtMs <= blockTimeMs);
  return { ...deposit, world: { shop: quietShop, payments } };
}

export function classesOf(classes: readonly DepositClass[], isDedicated: boolean): readonly DepositClass[] {
  return classes.filter(kind => !isDedicated || !isOfNobody(kind));
}

function judged(kind: DepositClass, deposit: Deposit): Judged {
  const { baitAfterMs, meant, valueBaseUnits } = deposit;
  const seen = { kind, baitAfterMs };
  if (isReserved(deposit)) return { ...seen, end: 'reserved', isDedicated: null, isSettled: false, clear: null };
  const inference = judgeInference(factsOf(deposit));
  const isCredited = inference.verdict === 'credit';
  const end = isCredited ? (inference.paymentIntent === meant ? 'credited' : 'wrong') : 'queued';
  const due = BigInt(inference.evidence.due_base_units ?? 0);
  const isEnough = valueBaseUnits * BPS >= due * (BPS - BigInt(MAX_TOLERANCE_BPS));
  const isDedicated = inference.evidence.is_dedicated;
  const isSettled = isCredited && isDedicated === true && isEnough;
  return { ...seen, end, isDedicated, isSettled, clear: clearMistake(deposit, inference) };
}
