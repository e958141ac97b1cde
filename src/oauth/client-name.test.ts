import assert from 'node:assert/strict'
import { test } from 'node:test'
import { demandPlainName, plainName } from './client-name.ts'

test('a name with what nobody sees, or what turns its direction, is not plain', () => {
  for (const code of [
    0x00, 0x0a, 0x0d, 0x7f, 0x85, 0xad, 0x200b, 0x200e, 0x2028, 0x2029, 0x202e, 0x2066, 0xfeff, 0xe0041,
  ]) {
    const name = `Cl${String.fromCodePoint(code)}aude`
    assert.throws(() => demandPlainName(name), { status: 400, code: 'invalid_client_metadata' }, code.toString(16))
    assert.equal(plainName(name), 'Claude', code.toString(16))
  }
})

test('names in any script, with spaces and signs, are plain and stay as they are', () => {
  for (const name of ['Claude Code (1.2)', 'Zürich – Büro', 'عميل', 'クライアント', 'App 🚀', '']) {
    demandPlainName(name)
    assert.equal(plainName(name), name)
  }
})
