import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { readSecretFile, SecretFileError } from './secret-file.ts'
import { SecretBox } from './secrets.ts'
import { faultOf } from './storage-faults.ts'

const SECRET = 'a secret that has more than thirty-two characters'

describe('SecretBox', () => {
  const box = new SecretBox(() => SECRET)

  it('opens what it sealed, and seals the same text differently each time', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, purpose) => {
        const sealed = box.seal(purpose, text)
        assert.match(sealed, /^[\w.-]+$/)
        assert.notEqual(box.seal(purpose, text), sealed)
        assert.equal(new SecretBox(() => SECRET).open(purpose, sealed), text)
      }),
    )
  })

  it('opens nothing sealed for another purpose or with another secret', () => {
    const sealed = box.seal('one', 'text')
    assert.equal(box.open('other', sealed), null)
    assert.equal(new SecretBox(() => `${SECRET}!`).open('one', sealed), null)
    assert.notDeepEqual(box.derive('one'), box.derive('other'))
  })

  it('opens nothing that was changed, truncated or made up', () => {
    const sealed = box.seal('one', 'a text of some length')
    const bytes = Buffer.from(sealed.slice(3), 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed[at] ^= 1
      assert.equal(box.open('one', `v1.${changed.toString('base64url')}`), null, `byte ${at}`)
      assert.equal(box.open('one', `v1.${bytes.subarray(0, at).toString('base64url')}`), null, `first ${at} bytes`)
    }
    for (const text of ['', 'v1', 'v1.', `v2${sealed.slice(2)}`, 'a.b']) assert.equal(box.open('one', text), null)
  })

  it('asks for its secret at the first use only', () => {
    let calls = 0
    const lazy = new SecretBox(() => {
      calls++
      return SECRET
    })
    assert.equal(calls, 0)
    lazy.seal('one', lazy.seal('one', 'text'))
    assert.equal(calls, 1)
  })
})

describe('The file of the secret key', () => {
  const place = mkdtempSync(join(tmpdir(), 'knowledge-secret-'))
  after(() => rmSync(place, { recursive: true, force: true }))

  it('is made once, readable by its owner only, without leftover files', () => {
    const dataDir = join(place, 'not', 'there', 'yet')
    const secret = readSecretFile(dataDir)
    assert.match(secret, /^[\w-]{43}$/)
    assert.equal(readSecretFile(dataDir), secret)
    assert.equal(statSync(join(dataDir, 'secret.key')).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(dataDir), ['secret.key'])
    const again = SecretBox.of({ secretKey: null, dataDir }).seal('one', 'text')
    assert.equal(new SecretBox(() => secret).open('one', again), 'text')
  })

  it('is the same for processes that start together', async () => {
    const dataDir = join(place, 'together')
    const call = `import { readSecretFile } from ${JSON.stringify(new URL('./secret-file.ts', import.meta.url).href)}
      console.log(readSecretFile(${JSON.stringify(dataDir)}))`
    const runs = Array.from({ length: 4 }, () =>
      promisify(execFile)(process.execPath, ['--input-type=module', '--eval', call]),
    )
    const secrets = (await Promise.all(runs)).map(({ stdout }) => stdout.trim())
    assert.deepEqual(new Set(secrets), new Set([readSecretFile(dataDir)]))
  })

  it('is refused unchanged when it has no key', () => {
    const dataDir = mkdtempSync(join(place, 'broken-'))
    const path = join(dataDir, 'secret.key')
    writeFileSync(path, 'short\n')
    assert.throws(() => readSecretFile(dataDir), { name: 'SecretFileError', message: /does not hold a key/ })
    assert.equal(readFileSync(path, 'utf8'), 'short\n')
  })

  it('tells the operator what to do when it cannot be made', () => {
    const file = join(place, 'a-file')
    writeFileSync(file, '')
    chmodSync(file, 0o600)
    assert.throws(() => readSecretFile(join(file, 'data')), { name: 'SecretFileError', message: /Set SECRET_KEY/ })
  })

  it('tells a disk that fails from a fault of the service', () => {
    const errorOf = (code: string): SecretFileError => {
      const cause = Object.assign(new Error('x'), { code })
      return new SecretFileError('x', { cause })
    }
    assert.deepEqual(
      ['EIO', 'ENOSPC', 'EACCES'].map((code) => faultOf(errorOf(code))?.kind),
      ['unavailable', 'storage_full', undefined],
    )
    const file = join(place, 'another-file')
    writeFileSync(file, '')
    assert.throws(
      () => readSecretFile(join(file, 'data')),
      ({ cause }: Error) => {
        assert.equal((cause as NodeJS.ErrnoException).code, 'ENOTDIR')
        return true
      },
    )
  })
})
