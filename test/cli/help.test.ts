import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { DATABASES } from '../support/databases.ts'
import { spawned } from './program.ts'

test('the command reference has the help text that each command prints', async () => {
  const page = readFileSync('docs/reference/commands.md', 'utf8')
  const place = await DATABASES[0].create()
  for (const words of [['import'], ['key', 'issue'], ['tenant', 'set'], ['doctor', 'oauth']]) {
    const { code, stdout } = await spawned(place, [...words, '--help'], { env: { KNOWLEDGE_CALLED_AS: 'knowledge' } })
    assert.equal(code, 0)
    assert.ok(stdout.startsWith(`Usage: knowledge ${words.join(' ')}`), stdout)
    assert.ok(page.includes(`\`\`\`\n${stdout}\`\`\``), stdout)
  }
  await place.remove()
})
