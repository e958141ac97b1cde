import { SaxesParser } from 'saxes'
import { JSON_DEPTH_MAX, JSON_VALUES_MAX } from '../../../platform/contract/json.ts'
import type { LineTally } from '../../../platform/lines/line-tally.ts'
import { type FeedRecord, type RecordFault, UnusableFeed } from './feed-record.ts'
import { textOf } from './text.ts'

const RECORD_CHARACTERS_MAX = 2 * 1_024 * 1_024
/** Levels of nested elements that a feed may have. */
const LEVELS_MAX = 1_000
/** Characters that a text, comment or tag may have: the parser keeps each in memory until its end. */
const SILENT_CHARACTERS_MAX = 8 * RECORD_CHARACTERS_MAX

type Members = Record<string, unknown>

interface Element {
  readonly name: string
  text: string
  /** Null until a child element has ended. */
  members: Members | null
}

/**
 * Yields the records of a Google Merchant feed: items of RSS 2.0 or entries of Atom. Elements become fields named
 * without the prefix. https://support.google.com/merchants/answer/7052112
 */
export async function* googleRecords(
  chunks: AsyncIterable<Buffer>,
  encoding: string,
  tally: LineTally,
): AsyncGenerator<FeedRecord> {
  const items = new ItemReader(tally)
  for await (const text of textOf(chunks, encoding)) yield* items.add(text)
  yield* items.end()
}

class ItemReader {
  readonly #parser = new SaxesParser()
  /** Open elements of the current item, the item first; empty outside of an item and while an item is skipped. */
  readonly #open: Element[] = []
  #depth = 0
  /** Number of all open elements, including those around items; the parser keeps each in memory. */
  #levels = 0
  #characters = 0
  #elements = 0
  /** Why the current item is refused, so that its rest is skipped; null for a good one. */
  #fault: { readonly fault: string; readonly reason: RecordFault } | null = null
  #done: FeedRecord[] = []
  readonly #tally: LineTally
  /** Characters that the parser has read since its last event. */
  #silent = 0

  constructor(tally: LineTally) {
    this.#tally = tally
    this.#parser.on('opentag', ({ name, attributes }) => this.#opened(localName(name), attributes))
    this.#parser.on('text', (text) => this.#said(text))
    this.#parser.on('cdata', (text) => this.#said(text))
    this.#parser.on('closetag', () => this.#closed())
    this.#parser.on('error', (error) => {
      throw new UnusableFeed('xml', `The file is not valid XML: ${error.message}`)
    })
  }

  /** @throws UnusableFeed when a text, comment or tag is so long that the parser would fill the memory */
  add(text: string): FeedRecord[] {
    this.#silent += text.length
    this.#parser.write(text)
    if (this.#silent > SILENT_CHARACTERS_MAX)
      throw new UnusableFeed('xml', `The file has more than ${SILENT_CHARACTERS_MAX} characters between two tags`)
    return this.#take()
  }

  end(): FeedRecord[] {
    this.#parser.close()
    return this.#take()
  }

  #take(): FeedRecord[] {
    const done = this.#done
    this.#done = []
    return done
  }

  #opened(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#silent = 0
    if (++this.#levels > LEVELS_MAX) throw new UnusableFeed('xml', `The file has more than ${LEVELS_MAX} levels`)
    if (this.#depth === 0) {
      if (name !== 'item' && name !== 'entry') return
      this.#characters = 0
      this.#elements = 0
      this.#fault = null
    }
    this.#depth++
    this.#elements++
    // In Atom the address of a product is an attribute.
    const text = name === 'link' ? (attributes.href ?? '') : ''
    this.#count(name.length + text.length)
    if (this.#depth > JSON_DEPTH_MAX) this.#refuse('tooDeep', `it has more than ${JSON_DEPTH_MAX} levels`)
    if (this.#elements > JSON_VALUES_MAX) this.#refuse('tooLarge', `it has more than ${JSON_VALUES_MAX} elements`)
    if (this.#fault === null) this.#open.push({ name, text, members: null })
  }

  #said(text: string): void {
    this.#silent = 0
    if (this.#depth === 0) return
    this.#count(text.length)
    const element = this.#open.at(-1)
    if (element !== undefined) element.text += text
  }

  #closed(): void {
    this.#silent = 0
    this.#levels--
    if (this.#depth === 0) return
    this.#depth--
    const element = this.#open.pop()
    const parent = this.#open.at(-1)
    if (this.#depth === 0) this.#finish(element?.members ?? {})
    else if (element !== undefined && parent !== undefined) addMember((parent.members ??= {}), element)
  }

  #count(characters: number): void {
    this.#characters += characters
    if (this.#characters > RECORD_CHARACTERS_MAX)
      this.#refuse('tooLarge', `it has more than ${RECORD_CHARACTERS_MAX} characters`)
  }

  #refuse(reason: RecordFault, fault: string): void {
    this.#fault ??= { fault, reason }
    this.#open.length = 0
  }

  #finish(record: Members): void {
    const line = ++this.#tally.line
    if (this.#fault !== null) this.#done.push({ line, bytes: 0, ...this.#fault })
    else this.#done.push({ line, bytes: this.#characters, record })
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Adds a field. A repeated element becomes a list. A product_detail becomes the property of its attribute_name. */
function addMember(parent: Members, { name, text, members }: Element): void {
  if (name === 'product_detail' && typeof members?.attribute_name === 'string' && mayHold(parent.properties)) {
    put((parent.properties ??= {}) as Members, members.attribute_name, members.attribute_value ?? '')
    return
  }
  const value = members ?? text.trim()
  const before = Object.hasOwn(parent, name) ? parent[name] : undefined
  if (before === undefined) put(parent, name, value)
  else if (Array.isArray(before)) before.push(value)
  else parent[name] = [before, value]
}

/** Tells whether `properties` can take details: a feed may have an element of that name with any content. */
function mayHold(properties: unknown): boolean {
  return properties === undefined || (typeof properties === 'object' && !Array.isArray(properties))
}

/** Sets a member, except one that would reach the prototype. */
function put(members: Members, name: string, value: unknown): void {
  if (name !== '__proto__') members[name] = value
}
