import type { SyncOutcome } from './full-sync.ts'

/** Words that depend on the channel of the push. */
interface ChannelWords {
  /** Option that allows a full sync to retire more products, such as `max_retired=`. */
  readonly option: string
}

const products = (count: number): string => (count === 1 ? '1 product' : `${count} products`)

/** Says why a full sync did not retire all unnamed products, and what its sender can do; null when it retired all. */
export function sayRefusal(outcome: SyncOutcome, { option }: ChannelWords): string | null {
  const { refusal, unnamed, had, allowed, unread } = outcome
  if (refusal === null) return null
  if (refusal === 'stopped') {
    const why = outcome.fault?.details.map(({ msg }) => msg).join('; ')
    return `Only ${outcome.retired} of ${products(unnamed)} that the feed does not name were retired: ${why}. Send it again`
  }
  const not = `${products(unnamed)} that it does not name ${unnamed === 1 ? 'was' : 'were'} not retired`
  if (refusal === 'empty') return `The feed names no product, so ${not}. Check whether it was cut, and send all of it`
  if (refusal === 'unread') {
    const what =
      unread.count === 1
        ? `${upperFirst(unread.first)} could not be read, so it may name any product`
        : `${unread.count} lines could not be read, the first is ${unread.first}, so they may name any product`
    return `${what}: ${not}. Correct the feed and send it again`
  }
  return (
    `The feed does not name ${unnamed} of the ${products(had)} that the site had of its source, and may retire ` +
    `${allowed}: nothing was retired. Check whether it was cut; if the products are gone for good, send it again with ` +
    `${option}${unnamed}`
  )
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
