import { operationsOf, type ApiDocument, type Components } from './api-document';
import { errorListPage, errorPage, unknownPage } from './error-pages';
import { operationPage } from './operation-page';
import { operationsPage } from './operations-page';
import type { Asset, Page } from './page';
import { STYLE } from './style';
import { TRY_IT_SCRIPT } from './try-it-script';

/** The documentation's pages, made from the contract. `root` is their path as a browser sees it. */
export class DocsSite {
  readonly assets: Readonly<Record<string, Asset>> = {
    'docs.css': { type: 'text/css; charset=utf-8', body: STYLE },
    'try-it.js': { type: 'text/javascript; charset=utf-8', body: TRY_IT_SCRIPT },
  };

  constructor(
    private readonly root: string,
    private readonly document: () => ApiDocument,
    /** An envelope of every code of the catalogue: the document has those of its operations alone. */
    private readonly envelopes: Components['examples'],
  ) {}

  operations(): Page {
    return operationsPage(this.root, this.document());
  }

  operation(operationId: string): Page {
    const document = this.document();
    const located = operationsOf(document).find(({ operation }) => operation.operationId === operationId);
    return located
      ? operationPage(this.root, document, located)
      : unknownPage(this.root, 'There is no such operation.');
  }

  errors(): Page {
    return errorListPage(this.root);
  }

  error(code: string): Page {
    return errorPage(this.root, code, this.envelopes);
  }

  nothing(): Page {
    return unknownPage(this.root, 'There is no such page.');
  }
}
