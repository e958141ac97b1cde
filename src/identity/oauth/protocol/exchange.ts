import type { Voucher } from '../clients/client.ts'

/** Facts of a request to the OAuth server that the request itself does not carry. */
export interface Exchange {
  /** The client that a valid API key vouches for; null without an API key. */
  readonly voucher: Voucher | null
  /**
   * Internal error that kept the server from answering. The server reports it in an event only, so `forward` throws it
   * and the service answers and logs it as on every route.
   */
  cause?: unknown
}

const exchanges = new WeakMap<object, Exchange>()

/** Attaches an exchange to its request, which the OAuth server has in every context. */
export function keepExchange(request: object, exchange: Exchange): void {
  exchanges.set(request, exchange)
}

/** Returns the exchange of a context of the OAuth server; undefined for a request that `forward` did not send. */
export function exchangeOf(context: { readonly req: object } | undefined): Exchange | undefined {
  return context === undefined ? undefined : exchanges.get(context.req)
}
