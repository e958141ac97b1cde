import { SaxesParser } from 'saxes'
import { CommandFailed } from '../failure.ts'
import type { FeedRecord } from './feed.ts'
import { textOf } from './text.ts'

const RECORD_CHARACTERS_MAX = 2 * 1_024 * 1_024

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
export async function* googleRecords(chunks: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<FeedRecord> {
  const items = new ItemReader()
  for await (const text of textOf(chunks, encoding)) yield* items.add(text)
  yield* items.end()
}

class ItemReader {
  readonly #parser = new SaxesParser()
  /** The elements open within the item that is read, the item first; empty outside of one. */
  readonly #open: Element[] = []
  #characters = 0
  #done: FeedRecord[] = []
  #items = 0

  constructor() {
    this.#parser.on('opentag', ({ name, attributes }) => this.#opened(localName(name), attributes))
    this.#parser.on('text', (text) => this.#said(text))
    this.#parser.on('cdata', (text) => this.#said(text))
    this.#parser.on('closetag', () => this.#closed())
    this.#parser.on('error', (error) => {
      throw new CommandFailed(`The file is not sound XML: ${error.message}`)
    })
  }

  add(text: string): FeedRecord[] {
    this.#parser.write(text)
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
    if (this.#open.length === 0) {
      if (name !== 'item' && name !== 'entry') return
      this.#characters = 0
    }
    // Atom has the address of a product in an attribute.
    this.#open.push({ name, text: name === 'link' ? (attributes.href ?? '') : '', members: null })
  }

  #said(text: string): void {
    const element = this.#open.at(-1)
    if (element === undefined) return
    this.#characters += text.length
    if (this.#characters <= RECORD_CHARACTERS_MAX) element.text += text
  }

  #closed(): void {
    const element = this.#open.pop()
    if (element === undefined) return
    const parent = this.#open.at(-1)
    if (parent === undefined) this.#finish(element)
    else addMember((parent.members ??= {}), element)
  }

  #finish({ members }: Element): void {
    const name = `item ${++this.#items}`
    const bytes = this.#characters
    if (bytes > RECORD_CHARACTERS_MAX)
      this.#done.push({ name, bytes: 0, fault: `it has more than ${RECORD_CHARACTERS_MAX} characters` })
    else this.#done.push({ name, bytes, record: members ?? {} })
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** What stands there several times becomes a list; a detail is a property under the name it gives itself. */
function addMember(parent: Members, { name, text, members }: Element): void {
  if (name === 'product_detail' && typeof members?.attribute_name === 'string') {
    const properties = (parent.properties ??= {}) as Members
    properties[members.attribute_name] = members.attribute_value ?? ''
    return
  }
  const value = members ?? text.trim()
  const before = Object.hasOwn(parent, name) ? parent[name] : undefined
  if (before === undefined) parent[name] = value
  else if (Array.isArray(before)) before.push(value)
  else parent[name] = [before, value]
}
