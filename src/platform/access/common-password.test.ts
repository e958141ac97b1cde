import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { commonPasswords } from '../../../scripts/common-passwords.ts'
import { isCommonPassword } from './common-password-list.ts'

test('the most used passwords that are long enough are common, in any case and spelling, and others are not', () => {
  for (const password of ['123456789012', 'qwertyuiop123', 'PassWordPassWord', 'ｐａｓｓｗｏｒｄpassword'])
    assert.ok(isCommonPassword(password), password)
  for (const password of ['correct horse battery', 'password', '', 'a sentence that nobody else has'])
    assert.ok(!isCommonPassword(password), password)
})

test('the list is what its package has', () => {
  assert.equal(readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8'), commonPasswords())
})
