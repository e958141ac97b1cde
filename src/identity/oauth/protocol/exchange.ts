import type { Voucher } from '../clients/client.ts'

/** What goes along with a request to the OAuth server, beside what the server is shown of it. */
export interface Exchange {
  /** What a valid API key speaks for in it; null where none was sent. */
  readonly voucher: Voucher | null
  /**
   * What kept the server from answering, which it tells nobody else: our own HTTP frame then answers and logs it as on
   * every route.
   */
  cause?: unknown
}

const exchanges = new WeakMap<object, Exchange>()

/** Lets an exchange be found by its request, which the OAuth server has in every context. */
export function keepExchange(request: object, exchange: Exchange): void {
  exchanges.set(request, exchange)
}

/** The exchange of a context of the OAuth server; undefined where the server answers nothing of ours. */
export function exchangeOf(context: { readonly req: object } | undefined): Exchange | undefined {
  return context === undefined ? undefined : exchanges.get(context.req)
}
