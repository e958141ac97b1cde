import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientNameFault, demandPlainName } from './client-name.ts'

const INVISIBLE = [
  [0x00, 0x0a, 0x0d, 0x7f, 0x85, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x180b, 0x180e, 0x200b, 0x200d, 0x200e],
  [0x200f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2060, 0x2061, 0x2066, 0x2069, 0x206a, 0x2800, 0x3164, 0xe000, 0xfe00],
  [
    0xfe0f, 0xfeff, 0xffa0, 0xfff9, 0xfffc, 0xffff, 0xd800, 0x16fe4, 0x1d159, 0x1d173, 0xe0001, 0xe0041, 0xe0100,
    0x10fffe,
  ],
].flat()
/** Spaces are allowed in a name, but a name needs more than spaces. */
const SPACES = [0x20, 0xa0, 0x1680, 0x2000, 0x2003, 0x2009, 0x200a, 0x202f, 0x205f, 0x3000]

test('a name with an invisible character, or one that changes the writing direction, is refused as client_name', () => {
  for (const code of INVISIBLE) {
    const sign = String.fromCodePoint(code)
    for (const name of [`Cl${sign}aude`, `Claude${sign}`, sign, sign.repeat(9), ` ${sign} `]) {
      assert.throws(
        () => demandPlainName(name),
        { status: 400, code: 'invalid_client_metadata', description: /^client_name: / },
        `${code.toString(16)} in ${JSON.stringify(name)}`,
      )
    }
  }
})

test('a name made of spaces alone is refused, whichever spaces it has', () => {
  for (const name of ['', ...SPACES.map((code) => String.fromCodePoint(code)), String.fromCodePoint(...SPACES)]) {
    assert.match(clientNameFault(name)!, /^client_name: must hold a letter/, JSON.stringify(name))
  }
  // Combining marks without a letter.
  assert.match(clientNameFault(' \u0301\u20dd')!, /^client_name: must hold a letter/)
})

test('a name is at most 200 characters', () => {
  assert.equal(clientNameFault('x'.repeat(200)), null)
  assert.match(clientNameFault('x'.repeat(201))!, /^client_name: must have at most 200/)
})

test('names in any script, with spaces, signs and emoji, are plain', () => {
  const names = [
    'Claude Code (1.2)',
    'Zürich – Büro',
    'Cafe\u0301',
    'عميل',
    'לקוח',
    'クライアント\u3000二',
    '도우미',
    'སྒྲ',
    '#1',
  ]
  for (const name of [...names, 'App 🚀', '\u2764\ufe0f Notes', '\u00a9\ufe0e', 'App\u202f!', '7', '+', '🤖']) {
    assert.equal(clientNameFault(name), null, name)
  }
})
