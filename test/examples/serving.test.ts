import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { SURROUNDINGS } from '../support/program.ts'

async function examples(...args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, ['scripts/examples.ts', ...args], { env: SURROUNDINGS })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    // It serves until it is stopped.
    if (text.includes('/examples/intranet/')) child.kill()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout, stderr }
}

test('npm run examples says how it is called, and names what is wrong with a call', async () => {
  const help = await examples('--help')
  assert.deepEqual([help.code, help.stderr], [0, ''])
  for (const option of ['--key', '--url', '--site', '--port']) assert.ok(help.stdout.includes(option), option)
  const unknown = await examples('--adress', 'x')
  assert.equal(unknown.code, 2)
  assert.match(unknown.stderr, /'--adress'[^]*Usage: npm run examples/)
  assert.doesNotMatch(unknown.stderr, /\n {4}at /)
  const keyless = await examples('--port', '3100')
  assert.equal(keyless.code, 2)
  assert.match(keyless.stderr, /--key is missing.*--origin http:\/\/localhost:3100\n$/)
  assert.equal((await examples('--key', 'pk_1', '--port', 'many')).code, 2)
})

test('npm run examples serves both pages on the port that it is given, or says that the port is taken', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const taken = await examples('--key', 'pk_1', '--port', String(port))
  assert.deepEqual([taken.code, taken.stderr.includes(`Port ${port} is taken`)], [2, true])
  other.close()
  await once(other, 'close')
  const { stdout } = await examples('--key', 'pk_1', '--port', String(port))
  const origin = `http://localhost:${port}/examples`
  assert.equal(stdout, `${origin}/storefront/\n${origin}/intranet/\n`)
})
