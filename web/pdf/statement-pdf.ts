import type { BooksStatement, StatementRow } from '../../src/modules/books/books-statement';
import { startOfDay } from '../../src/kernel/clock';
import { TOKENS } from '../../src/vocabulary/tokens';
import { pairName } from '../words/chain-names';
import { FAINT, PdfSheet, type Look } from './pdf-sheet';

/** Words for a row's figures, in the order in which they are added up. */
const FIGURES = [
  ['credited', 'Credited to payments'],
  ['unmatched', 'Unmatched: no payment was found'],
  ['unrelated', 'Unrelated to payments'],
  ['dust', 'Dust'],
  ['sent', 'Sent'],
  ['difference', 'Difference'],
] as const;
/** A wallet with its figures, in points: it stands on one page. */
const WALLET_HEIGHT = 220;
const NOT_OBSERVED = 'not observed';
const SMALL: Look = { color: FAINT, size: 9 };

/** A statement as A4 pages. The bytes follow from its figures alone. */
export function statementPdf(statement: BooksStatement): Promise<Buffer> {
  const firstDay = `${statement.month}-01`;
  const named = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const title = `Statement of ${named.format(startOfDay(firstDay))}`;
  const sheet = new PdfSheet({
    title,
    author: 'Quittance',
    // No clock tells the moment, since the same figures give the same bytes.
    createdMs: startOfDay(firstDay),
    language: 'en',
    direction: 'ltr',
    unset: '(This PDF has no letters for these words.)',
  });
  sheet.row([[title, { size: 20, weight: 'bold' }]]);
  sheet.row([
    ['Days are those of UTC, and amounts are whole tokens.', SMALL],
    ['Closing = opening + credited + unmatched + unrelated + dust − sent + difference.', SMALL],
  ]);
  const all = [...statement.rows(), ...statement.totals()];
  if (all.length === 0) sheet.row([['No wallet has a day of this month.']]);
  for (const account of new Set(all.map(accountOf)))
    for (const [at, row] of all.filter(each => accountOf(each) === account).entries()) {
      sheet.space();
      sheet.together(WALLET_HEIGHT);
      if (at === 0) sheet.row([[account, { size: 13, weight: 'bold' }]]);
      sayRow(sheet, row);
    }
  return sheet.bytes(({ page, pages }) => `${title}, page ${page} of ${pages}`);
}

function accountOf({ merchant, mode }: StatementRow): string {
  return `Merchant ${merchant}, ${mode} mode`;
}

function sayRow(sheet: PdfSheet, row: StatementRow): void {
  sheet.row([
    [pairName({ asset: TOKENS[row.token].asset, network: row.network }), { weight: 'bold' }],
    [row.wallet === '' ? 'All wallets together' : `Wallet ${row.wallet}`, SMALL],
  ]);
  sheet.rule();
  sheet.fact('Opening balance', row.opening || NOT_OBSERVED);
  for (const [column, term] of FIGURES) sheet.fact(term, row[column]);
  sheet.rule();
  sheet.row([['Closing balance', { weight: 'bold' }]], [row.closing || NOT_OBSERVED, { weight: 'bold' }]);
  const days = `Days: ${row.days}, that differ: ${row.days_different}, pending: ${row.days_pending}`;
  sheet.row([[`${days}. Transfers: ${row.transfers}.`, SMALL]]);
}
