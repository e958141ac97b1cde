import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { calledAs } from '../../src/channels/cli/called-as.ts'
import { DATABASES } from '../support/databases.ts'
import { knowledge, spawned } from './program.ts'

test('the command reference has the help text that each command prints', async (t) => {
  const page = readFileSync('docs/reference/commands.md', 'utf8')
  const place = await DATABASES[0].create()
  t.after(place.remove)
  const isOnPage = (words: readonly string[], { code, stdout }: { code: number | null; stdout: string }): void => {
    assert.equal(code, 0)
    assert.ok(stdout.startsWith(`Usage: knowledge ${words.join(' ')}`), stdout)
    assert.ok(page.includes(`\`\`\`\n${stdout}\`\`\``), stdout)
  }
  const program = ['key', 'issue']
  isOnPage(program, await spawned(place, [...program, '--help'], { env: { KNOWLEDGE_CALLED_AS: 'knowledge' } }))
  for (const words of [['import'], ['tenant', 'set'], ['doctor', 'oauth']]) {
    const { code, stdout } = await knowledge(place, [...words, '--help'])
    // In this process commands are called as npm calls them.
    isOnPage(words, { code, stdout: stdout.replaceAll(calledAs(''), 'knowledge ') })
  }
})
