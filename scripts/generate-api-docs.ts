// Writes the pages that are generated from the code, such as docs/api.md. With --check it writes nothing, and fails
// when a page is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { renderApiMarkdown } from '../src/platform/reference/api-markdown.ts'
import type { OpenApiDocument } from '../src/platform/reference/openapi.ts'
import { renderMetadataPage } from './reference-pages/metadata.ts'
import { renderScopesPage } from './reference-pages/scopes.ts'

const SERVER = new URL('../src/server.ts', import.meta.url)

interface ServerModule {
  /** Describes every route of the service without starting it. */
  readonly documentOf: () => OpenApiDocument | Promise<OpenApiDocument>
}

const { documentOf } = (await import(SERVER.href)) as ServerModule
const document = await documentOf()
const pages = {
  'docs/api.md': renderApiMarkdown(document),
  'docs/reference/scopes.md': renderScopesPage(document),
  'docs/reference/metadata.md': renderMetadataPage(),
}
for (const [name, text] of Object.entries(pages)) {
  const place = new URL(`../${name}`, import.meta.url)
  if (!process.argv.includes('--check')) {
    writeFileSync(place, text)
  } else if (text !== current(place)) {
    process.stderr.write(`${name} is stale: run npm run docs\n`)
    process.exitCode = 1
  }
}

function current(place: URL): string | null {
  try {
    return readFileSync(place, 'utf8')
  } catch {
    return null
  }
}
