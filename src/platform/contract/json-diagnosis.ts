/** The message for a second document on one line. */
export const TEXT_AFTER_VALUE = 'unexpected text after the value'

/** Thrown at the first fault, which ends the diagnosis. Never leaves this file. */
class JsonFault extends Error {
  constructor(what: string, index: number) {
    super(`${what} at character ${index + 1}`)
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const SPACE = /[ \t\n\r]*/y
const WORD = /true|false|null/y
const QUOTE = 0x22
const BACKSLASH = 0x5c
const LETTER_U = 0x75
const FIRST_PRINTABLE = 0x20
/** Characters allowed after a backslash, except `u` with its four digits. */
const ESCAPABLE = new Set(Array.from('"\\/bfnrt', (character) => character.charCodeAt(0)))

/**
 * Finds the first fault of a JSON text and its character, counted from 1, without quoting the text; null when there is
 * none. Reads the full grammar of RFC 8259 with the extra refusals of `parseJson`. Runs only after JSON.parse has
 * failed, and must not be slower, or bad input would cost more than good input. So the reader works on single
 * characters and keeps only keys.
 */
export function diagnoseJson(text: string, depthMax: number): string | null {
  try {
    new Reader(text, depthMax).read()
    return null
  } catch (error) {
    if (error instanceof JsonFault) return error.message
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
    if (this.text.charCodeAt(0) === 0xfeff) throw new JsonFault('byte order mark', 0)
    this.skip(SPACE)
    if (this.at === this.text.length) throw new JsonFault('no value', this.at)
    this.value(0, null)
    if (this.at < this.text.length) throw new JsonFault(TEXT_AFTER_VALUE, this.at)
  }

  /** Reads a value and the whitespace around it. */
  private value(depth: number, key: string | null): void {
    this.skip(SPACE)
    const first = this.text[this.at]
    if (first === '{' || first === '[') {
      if (depth === this.depthMax) throw new JsonFault(`nesting deeper than ${this.depthMax} levels`, this.at)
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
      const key = this.key()
      if (key === '__proto__') throw new JsonFault('key __proto__ is not allowed', start)
      if (key === 'prototype' && outerKey === 'constructor') throw new JsonFault('key prototype is not allowed', start)
      if (keys.has(key)) throw new JsonFault('duplicate key', start)
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

  private key(): string {
    const start = this.at
    this.string()
    const written = this.text.slice(start, this.at)
    return written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1)
  }

  private string(): void {
    const { text, at: start } = this
    for (let i = start + 1; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code === QUOTE) {
        this.at = i + 1
        return
      }
      if (code < FIRST_PRINTABLE) throw new JsonFault('control character in a string', i)
      if (code !== BACKSLASH) continue
      const next = text.charCodeAt(i + 1)
      if (next === LETTER_U && this.areHexDigits(i + 2)) i += 5
      else if (ESCAPABLE.has(next)) i++
      else throw new JsonFault('invalid escape', i)
    }
    throw new JsonFault('unterminated string', start)
  }

  /** Tells whether the four characters from `from` on are hexadecimal digits. */
  private areHexDigits(from: number): boolean {
    for (let i = from; i < from + 4; i++) {
      const code = this.text.charCodeAt(i)
      const isDigit = code >= 0x30 && code <= 0x39
      // Setting this bit turns a capital letter into a small one.
      const isLetter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x66
      if (!isDigit && !isLetter) return false
    }
    return true
  }

  private number(): void {
    const start = this.at
    if (!this.skip(NUMBER)) throw new JsonFault('invalid number', start)
    if (!Number.isFinite(Number(this.text.slice(start, this.at)))) throw new JsonFault('number out of range', start)
  }

  private unexpected(expected: string): JsonFault {
    const start = this.at === this.text.length ? 'unexpected end, expecting' : 'expecting'
    return new JsonFault(`${start} ${expected}`, this.at)
  }

  /** Skips a match at the current position. @returns whether any character matched */
  private skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.at
    if (!pattern.test(this.text)) return false
    const hasMoved = pattern.lastIndex > this.at
    this.at = pattern.lastIndex
    return hasMoved
  }

  /** Skips a character if it comes next. @returns whether it does */
  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false
    this.at++
    return true
  }
}
