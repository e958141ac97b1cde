import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseSync } from 'oxc-parser'
import { DEFINITION } from '../../../test/support/search/documents.ts'
import { PASSING_NUMBER, processIdentity } from './process-identity.ts'

/**
 * The files that say what a search and its answer are, and how they are written. If the test fails and processes would
 * read a message otherwise than before, raise `PASSING_NUMBER`; then note the hash here.
 */
const FILES = ['../engine.ts', '../memory/host/protocol.ts', './frames.ts']
const KNOWN = { number: 2, hash: '528b449e7edb3bb6' }

/** Returns the code of a file without comments and white space. */
function codeOf(file: string): string {
  const path = join(import.meta.dirname, file)
  let text = readFileSync(path, 'utf8')
  for (const { start, end } of parseSync(path, text).comments.toReversed())
    text = text.slice(0, start) + text.slice(end)
  return text.replaceAll(/\s+/g, '')
}

test('what processes say to each other has not changed without the number of their messages', () => {
  const hash = createHash('sha256').update(FILES.map(codeOf).join('\n')).digest('hex').slice(0, 16)
  assert.deepEqual({ number: PASSING_NUMBER, hash }, KNOWN)
})

test('processes of programs with the same messages and indexes know each other as such', () => {
  const [one, other] = [processIdentity([DEFINITION]), processIdentity([DEFINITION])]
  assert.equal(one.form, other.form)
  assert.notEqual(one.instance, other.instance)
  assert.notEqual(processIdentity([{ ...DEFINITION, documentNumber: 2 }]).form, one.form)
})
