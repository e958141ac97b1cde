// Writes docs/api.md and pages of docs/reference/ from what the code declares, and the pages of benchmarks from the
// figures of their last runs. With --check it writes nothing and fails when a page is stale.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { benchmarkPages } from '../bench/support/document.ts'
import { renderApiMarkdown } from '../src/platform/reference/api-markdown.ts'
import { renderMcpFieldsPage } from './reference-pages/mcp-fields.ts'
import { renderMetadataPage } from './reference-pages/metadata.ts'
import { renderScopesPage } from './reference-pages/scopes.ts'
import { withTiers } from './testing/tiers.ts'

// The pages call the command by its name, however this script was called; commands read this when they are loaded.
process.env.KNOWLEDGE_CALLED_AS = 'knowledge'
const { documentOf } = await import('../src/app.ts')
const { renderCommandsPage } = await import('./reference-pages/commands.ts')
const { renderSettingsPage } = await import('./reference-pages/settings.ts')

const document = documentOf()
const TESTS = 'docs/maintainers/tests.md'
const PAGES: Readonly<Record<string, string>> = {
  'docs/api.md': renderApiMarkdown(document),
  [TESTS]: withTiers(contentOf(TESTS) ?? ''),
  'docs/reference/commands.md': await renderCommandsPage(),
  'docs/reference/mcp-fields.md': renderMcpFieldsPage(),
  'docs/reference/metadata.md': renderMetadataPage(),
  'docs/reference/scopes.md': renderScopesPage(document),
  'docs/reference/settings.md': renderSettingsPage(),
  ...benchmarkPages(),
}

for (const [path, page] of Object.entries(PAGES)) {
  const file = join(import.meta.dirname, '..', path)
  if (!process.argv.includes('--check')) {
    writeFileSync(file, page)
  } else if (page !== contentOf(file)) {
    process.stderr.write(`${path} is stale: run npm run docs\n`)
    process.exitCode = 1
  }
}

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
