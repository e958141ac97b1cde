import { SaxesParser } from 'saxes'
import { JSON_DEPTH_MAX, JSON_VALUES_MAX } from '../../../platform/contract/json.ts'
import type { LineTally } from '../../../platform/lines/line-tally.ts'
import { CommandFailed } from '../failure.ts'
import type { FeedRecord } from './feed.ts'
import { textOf } from './text.ts'

const RECORD_CHARACTERS_MAX = 2 * 1_024 * 1_024
/** Of elements within elements. */
const LEVELS_MAX = 1_000
/** Of one text, comment or tag, all of which the parser keeps until they end. */
const SILENT_CHARACTERS_MAX = 8 * RECORD_CHARACTERS_MAX

type Members = Record<string, unknown>

interface Element {
  readonly name: string
  text: string
  /** Null until an element within it has ended. */
  members: Members | null
}

/**
 * A Google Merchant feed: the items of RSS 2.0 or the entries of Atom, whose elements become fields by their names
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
  /** The elements open within the item that is read, the item first; empty outside of one, and while one is skipped. */
  readonly #open: Element[] = []
  #depth = 0
  /** Of all that is open, also around items; the parser keeps each. */
  #levels = 0
  #characters = 0
  #elements = 0
  /** Why the item cannot be taken; the rest of it is read and not kept. */
  #fault: string | null = null
  #done: FeedRecord[] = []
  readonly #tally: LineTally
  /** Characters the parser has taken without telling of anything. */
  #silent = 0

  constructor(tally: LineTally) {
    this.#tally = tally
    this.#parser.on('opentag', ({ name, attributes }) => this.#opened(localName(name), attributes))
    this.#parser.on('text', (text) => this.#said(text))
    this.#parser.on('cdata', (text) => this.#said(text))
    this.#parser.on('closetag', () => this.#closed())
    this.#parser.on('error', (error) => {
      throw new CommandFailed(`The file is not sound XML: ${error.message}`)
    })
  }

  /** @throws CommandFailed when something in it is so long that the parser, which keeps it whole, would fill the memory */
  add(text: string): FeedRecord[] {
    this.#silent += text.length
    this.#parser.write(text)
    if (this.#silent > SILENT_CHARACTERS_MAX)
      throw new CommandFailed(`The file has more than ${SILENT_CHARACTERS_MAX} characters between two tags`)
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
    if (++this.#levels > LEVELS_MAX) throw new CommandFailed(`The file has more than ${LEVELS_MAX} levels`)
    if (this.#depth === 0) {
      if (name !== 'item' && name !== 'entry') return
      this.#characters = 0
      this.#elements = 0
      this.#fault = null
    }
    this.#depth++
    this.#elements++
    // Atom has the address of a product in an attribute.
    const text = name === 'link' ? (attributes.href ?? '') : ''
    this.#count(name.length + text.length)
    if (this.#depth > JSON_DEPTH_MAX) this.#refuse(`it has more than ${JSON_DEPTH_MAX} levels`)
    if (this.#elements > JSON_VALUES_MAX) this.#refuse(`it has more than ${JSON_VALUES_MAX} elements`)
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
    if (this.#characters > RECORD_CHARACTERS_MAX) this.#refuse(`it has more than ${RECORD_CHARACTERS_MAX} characters`)
  }

  #refuse(fault: string): void {
    this.#fault ??= fault
    this.#open.length = 0
  }

  #finish(record: Members): void {
    const line = ++this.#tally.line
    if (this.#fault !== null) this.#done.push({ line, bytes: 0, fault: this.#fault })
    else this.#done.push({ line, bytes: this.#characters, record })
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** What stands there several times becomes a list; a detail is a property under the name it gives itself. */
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

/** Whether details can be added there: a feed may have an element of that name, with whatever in it. */
function mayHold(properties: unknown): boolean {
  return properties === undefined || (typeof properties === 'object' && !Array.isArray(properties))
}

/** A name that would reach the prototype says nothing of a product. */
function put(members: Members, name: string, value: unknown): void {
  if (name !== '__proto__') members[name] = value
}
