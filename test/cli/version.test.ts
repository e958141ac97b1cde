import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { DATABASES } from '../support/databases.ts'
import { knowledge, spawned } from './program.ts'

test('the program prints its version without opening anything', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
  const place = await DATABASES[0].create()
  for (const told of [await spawned(place, ['--version']), await knowledge(place, ['-v'])])
    assert.deepEqual(told, { code: 0, stdout: `${version}\n`, stderr: '' })
  await place.remove()
})
