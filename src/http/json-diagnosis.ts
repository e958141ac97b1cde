/** What a second document on one line is. */
export const TEXT_AFTER_VALUE = 'unexpected text after the value'

/** Thrown inside the diagnosis only. */
class Found extends Error {
  constructor(what: string, index: number) {
    super(`${what} at character ${index + 1}`)
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const SPACE = /[ \t\n\r]*/y
// oxlint-disable-next-line no-control-regex -- they are what must not stand in a string
const PLAIN_TEXT = /[^"\\\u0000-\u001f]*/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const WORD = /true|false|null/y

/**
 * Says what is wrong with text that is to be JSON, and at which character (counted from 1), without
 * repeating any of it; null when nothing is. A full reading by the grammar of RFC 8259, with the
 * refusals of `parseJson`. Slow beside JSON.parse and only used once that has failed.
 */
export function diagnoseJson(text: string, depthMax: number): string | null {
  try {
    new Reader(text, depthMax).read()
    return null
  } catch (error) {
    if (error instanceof Found) return error.message
    throw error
  }
}

class Reader {
  private at = 0
  private readonly text: string
  private readonly depthMax: number

  constructor(text: string, depthMax: number) {
    this.text = text
    this.depthMax = depthMax
  }

  read(): void {
    if (this.text.charCodeAt(0) === 0xfeff) throw new Found('byte order mark', 0)
    this.skip(SPACE)
    if (this.at === this.text.length) throw new Found('no value', this.at)
    this.value(0, null)
    if (this.at < this.text.length) throw new Found(TEXT_AFTER_VALUE, this.at)
  }

  /** Reads a value and the space around it. */
  private value(depth: number, key: string | null): void {
    this.skip(SPACE)
    const first = this.text[this.at]
    if (first === '{' || first === '[') {
      if (depth === this.depthMax) throw new Found(`nesting deeper than ${this.depthMax} levels`, this.at)
      if (first === '{') this.object(depth + 1, key)
      else this.list(depth + 1)
    } else if (first === '"') this.string()
    else if (first === '-' || (first >= '0' && first <= '9')) this.number()
    else if (!this.skip(WORD)) throw this.unexpected('a value')
    this.skip(SPACE)
  }

  private object(depth: number, outerKey: string | null): void {
    const keys = new Set<string>()
    this.at++
    this.skip(SPACE)
    if (this.take('}')) return
    do {
      this.skip(SPACE)
      const start = this.at
      if (this.text[start] !== '"') throw this.unexpected('a key')
      const key = this.string()
      if (key === '__proto__') throw new Found('key __proto__ is not allowed', start)
      if (key === 'prototype' && outerKey === 'constructor') throw new Found('key prototype is not allowed', start)
      if (keys.has(key)) throw new Found('duplicate key', start)
      keys.add(key)
      this.skip(SPACE)
      if (!this.take(':')) throw this.unexpected('a colon')
      this.value(depth, key)
    } while (this.take(','))
    if (!this.take('}')) throw this.unexpected('a comma or closing brace')
  }

  private list(depth: number): void {
    this.at++
    this.skip(SPACE)
    if (this.take(']')) return
    do this.value(depth, null)
    while (this.take(','))
    if (!this.take(']')) throw this.unexpected('a comma or closing bracket')
  }

  private string(): string {
    const start = this.at++
    for (;;) {
      this.skip(PLAIN_TEXT)
      const next = this.text[this.at]
      if (next === '"') {
        this.at++
        return JSON.parse(this.text.slice(start, this.at)) as string
      }
      if (next === undefined) throw new Found('unterminated string', start)
      if (next !== '\\') throw new Found('control character in a string', this.at)
      if (!this.skip(ESCAPE)) throw new Found('invalid escape', this.at)
    }
  }

  private number(): void {
    const start = this.at
    if (!this.skip(NUMBER)) throw new Found('invalid number', start)
    if (!Number.isFinite(Number(this.text.slice(start, this.at)))) throw new Found('number out of range', start)
  }

  private unexpected(wanted: string): Found {
    const what = this.at === this.text.length ? 'unexpected end, expecting' : 'expecting'
    return new Found(`${what} ${wanted}`, this.at)
  }

  /** Moves over a match at the current place; whether it had any length. */
  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at
    if (!pattern.test(this.text)) return false
    const moved = pattern.lastIndex > this.at
    this.at = pattern.lastIndex
    return moved
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false
    this.at++
    return true
  }
}
