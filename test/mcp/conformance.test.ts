import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { DATABASES } from '../support/databases.ts'
import type { TestService } from '../support/service.ts'
import { HANG_MS } from '../support/patience.ts'
import { joinService } from '../support/shared-service.ts'

const TOOL = new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url).pathname

/** Scenarios that need named tools, resources and prompts of the reference server. */
const FIXTURE = 'needs a fixture of the reference server'
const NOT_OFFERED = 'asks for a capability that is not offered'

/** Scenarios that do not apply, with the reason; docs/maintainers/conformance.md lists them for readers. */
const DOES_NOT_APPLY: Readonly<Record<string, string>> = {
  'logging-set-level': NOT_OFFERED,
  'completion-complete': NOT_OFFERED,
  'resources-subscribe': NOT_OFFERED,
  'resources-unsubscribe': NOT_OFFERED,
  'tools-call-simple-text': FIXTURE,
  'tools-call-image': FIXTURE,
  'tools-call-audio': FIXTURE,
  'tools-call-embedded-resource': FIXTURE,
  'tools-call-mixed-content': FIXTURE,
  'tools-call-with-logging': FIXTURE,
  'tools-call-error': FIXTURE,
  'tools-call-with-progress': FIXTURE,
  'tools-call-sampling': FIXTURE,
  'tools-call-elicitation': FIXTURE,
  'json-schema-2020-12': FIXTURE,
  'elicitation-sep1034-defaults': FIXTURE,
  'elicitation-sep1330-enums': FIXTURE,
  'resources-read-text': FIXTURE,
  'resources-read-binary': FIXTURE,
  'resources-templates-read': FIXTURE,
  'prompts-get-simple': FIXTURE,
  'prompts-get-with-args': FIXTURE,
  'prompts-get-embedded-resource': FIXTURE,
  'prompts-get-with-image': FIXTURE,
}
const PASSES = [
  'dns-rebinding-protection',
  'ping',
  'prompts-list',
  'resources-list',
  'server-initialize',
  'server-sse-multiple-streams',
  'server-sse-polling',
  'tools-list',
]

describe('the official conformance scenarios', () => {
  let service: TestService
  let proxy: Server
  let output: string

  before(async () => {
    service = await joinService(DATABASES[0])
    const category_id = await service.category()
    const skill = { title: 'Skill', content: 'x', category_id, type: 'skill', metadata: { steps: ['x'] } }
    await service.call('POST', '/api/knowledge/knowledge-entries', { body: skill })
    proxy = withCredential(service)
    await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
    output = mkdtempSync(join(tmpdir(), 'conformance-'))
  })
  after(async () => {
    proxy.close()
    await service.stop()
    rmSync(output, { recursive: true, force: true })
  })

  test('all pass except the listed ones', async () => {
    const { port } = proxy.address() as AddressInfo
    const url = `http://127.0.0.1:${port}/mcp`
    const summary = await run(['server', '--url', url, '--suite', 'all', '--output-dir', output])
    const passed = [...summary.matchAll(/^✓ (\S+):/gm)].map(([, name]) => name)
    const failed = [...summary.matchAll(/^✗ (\S+):/gm)].map(([, name]) => name)
    assert.deepEqual(failed.toSorted(), Object.keys(DOES_NOT_APPLY).toSorted(), summary)
    assert.deepEqual(passed.toSorted(), PASSES)
  })

  test('the documentation lists the scenarios that pass, and those that do not apply with the reason', async () => {
    const page = await readFile(new URL('../../docs/maintainers/conformance.md', import.meta.url), 'utf8')
    const [, passing, others] = /^These pass:(.*?)^These do not apply:(.*)/ms.exec(page)!
    const namesIn = (text: string) => [...text.matchAll(/`([a-z\d-]+)`/g)].map(([, name]) => name).toSorted()
    assert.deepEqual(namesIn(passing), PASSES)
    const rows = [...others.matchAll(/^\| (`.*?) \| (.+) \|$/gm)]
    assert.deepEqual(namesIn(rows.map(([, names]) => names).join()), Object.keys(DOES_NOT_APPLY).toSorted())
    for (const [, names, why] of rows) assert.ok(why.length > 20, names)
  })
})

/** Makes a proxy that adds a credential, since the tool sends none. */
function withCredential({ service, adminKey }: TestService): Server {
  const { hostname, port } = new URL(service.url)
  return createServer((incoming, outgoing) => {
    const { method, url: path } = incoming
    const headers = { ...incoming.headers, authorization: `Bearer ${adminKey}` }
    const onward = request({ hostname, port, path, method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  })
}

/** Runs the tool, which exits with an error when a scenario fails. */
async function run(parameters: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [TOOL, ...parameters], { timeout: HANG_MS })
    return stdout
  } catch (error) {
    const { stdout } = error as { stdout?: string }
    if (stdout === undefined || !stdout.includes('=== SUMMARY ===')) throw error
    return stdout
  }
}
