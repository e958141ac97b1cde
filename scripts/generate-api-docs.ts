// Writes docs/api.md from the contracts. With --check it writes nothing and fails when the page is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { renderApiMarkdown } from '../src/platform/reference/api-markdown.ts'
import type { OpenApiDocument } from '../src/platform/reference/openapi.ts'

const PAGE = new URL('../docs/api.md', import.meta.url)
const SERVER = new URL('../src/server.ts', import.meta.url)

interface ServerModule {
  /** Describes every route of the service without starting it. */
  readonly documentOf: () => OpenApiDocument | Promise<OpenApiDocument>
}

const { documentOf } = (await import(SERVER.href)) as ServerModule
const page = renderApiMarkdown(await documentOf())
if (!process.argv.includes('--check')) {
  writeFileSync(PAGE, page)
} else if (page !== current()) {
  process.stderr.write('docs/api.md is stale: run scripts/generate-api-docs.ts\n')
  process.exitCode = 1
}

function current(): string | null {
  try {
    return readFileSync(PAGE, 'utf8')
  } catch {
    return null
  }
}
