import type { Abuser } from './abuser.ts'
import { prepared } from './scenario.ts'

const ENTRIES = '/api/knowledge/knowledge-entries/bulk'
const PRODUCTS = '/api/knowledge/products/bulk?site_id=default'
const NDJSON = { 'content-type': 'application/x-ndjson' }
const MB = 1_000_000

const post = (path: string, body: Buffer) => ({ method: 'POST', path, headers: NDJSON, body }) as const

/** Sends the same body over several connections at once until the time is over. */
function push(path: string, connections: number, body: Buffer): (abuser: Abuser) => Promise<void> {
  return (abuser) => abuser.flood(connections, () => post(path, body))
}

/** Sends a body like `push`, but does not read the answers. */
function pushUnread(path: string, connections: number, body: Buffer): (abuser: Abuser) => Promise<void> {
  return (abuser) => abuser.unreadFlood(connections, { ...post(path, body), body: body.toString() })
}

const empty = Buffer.from('{}\n'.repeat((6 * MB) / 3))
const newlines = Buffer.alloc(20 * MB, '\n')
const faulty = Buffer.from(`{"title":5,"content":5,"tags":5,"type":"x","layer":[]}\n`.repeat(20_000))

/** Returns ten lines of almost one megabyte each. */
function largeLines(line: (text: string, n: number) => object): Buffer {
  const text = 'The quick brown fox jumps over the lazy dog. '.repeat(22_000)
  return Buffer.from(
    Array.from({ length: 10 }, (_, n) => `${JSON.stringify(line(text.slice(0, 990_000), n))}\n`).join(''),
  )
}

export const BULK = prepared({ name: 'bulk' }, (abuser) => abuser.api.category('Bulk'), [
  { name: 'bulk-empty', what: 'four bulk imports of 6 MB of `{}` lines at once', run: push(ENTRIES, 4, empty) },
  {
    name: 'bulk-empty-unread',
    what: 'the same, and the answers are not read',
    run: pushUnread(ENTRIES, 4, empty),
  },
  {
    name: 'bulk-faulty',
    what: 'four bulk imports of lines with five faults each',
    run: push(ENTRIES, 4, faulty),
  },
  {
    name: 'bulk-newlines',
    what: 'four bulk imports of 20 MB of bare newlines at once',
    run: push(ENTRIES, 4, newlines),
  },
  {
    name: 'bulk-large',
    what: 'four bulk imports of lines of 1 MB at once',
    mostSeconds: 60,
    run: (abuser, category) =>
      push(
        ENTRIES,
        4,
        largeLines((content, n) => ({ title: `Large ${n}`, content, category_id: category, language: 'en' })),
      )(abuser),
  },
  {
    name: 'products-empty',
    what: 'four product pushes of 6 MB of `{}` lines at once',
    run: push(PRODUCTS, 4, empty),
  },
  {
    name: 'products-newlines',
    what: 'four product pushes of 20 MB of bare newlines at once',
    run: push(PRODUCTS, 4, newlines),
  },
  {
    name: 'products-large',
    what: 'four product pushes of lines of 1 MB at once',
    mostSeconds: 60,
    run: push(
      PRODUCTS,
      4,
      largeLines((description, n) => ({ external_id: `p-${n}`, title: `Large ${n}`, description, language: 'en' })),
    ),
  },
])
