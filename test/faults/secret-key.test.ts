import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { startService } from '../../src/server.ts'
import { DATABASES } from '../support/databases.ts'
import { testConfig } from '../support/service.ts'

const SECRET_KEY = 'a secret of more than 32 characters'

for (const kind of DATABASES) {
  const isShared = kind.name === 'PostgreSQL'
  test(`a start on ${kind.name} without SECRET_KEY ${isShared ? 'warns, and one with it does not' : 'is fine'}`, async () => {
    const place = await kind.create()
    const warningsWith = async (settings: Record<string, string>): Promise<string[]> => {
      const lines: string[] = []
      const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
      const service = await startService(testConfig(place, settings), logger)
      await service.stop()
      return lines.filter((line) => line.includes('SECRET_KEY')).map((line) => JSON.parse(line).msg as string)
    }
    const warnings = await warningsWith({})
    if (isShared) {
      assert.equal(warnings.length, 1)
      assert.match(warnings[0], /Set the same SECRET_KEY for all of them/)
      assert.deepEqual(await warningsWith({ SECRET_KEY }), [])
    } else {
      assert.deepEqual(warnings, [])
    }
    await place.remove()
  })
}
