/** Returns the command of a first search by a shell. */
export const curlLine = (base: string, key: string, question: string): string =>
  [
    `curl -s ${base}/api/knowledge/knowledge-entries/search \\`,
    `  -H "Authorization: Bearer ${key}" \\`,
    `  -H "Content-Type: application/json" \\`,
    `  -d '${JSON.stringify({ query: question, mode: 'hybrid', limit: 3 })}'`,
  ].join('\n')

/**
 * Returns the code of the same search by the client, on a web page. It has a publishable key, since every visitor can
 * read a key there.
 */
export const clientLine = (base: string, question: string): string =>
  [
    "import { createClient } from './dist/index.js'",
    '',
    `const client = createClient({ url: '${base}', key: 'pk_…' })`,
    `const { hits } = await client.searchEntries({ query: '${question}', limit: 3 })`,
  ].join('\n')

/** Returns the configuration of an assistant, or of an agent of one's own, that sends a key. */
export const mcpLine = (address: string, key: string): string =>
  JSON.stringify(
    { mcpServers: { knowledge: { type: 'http', url: address, headers: { Authorization: `Bearer ${key}` } } } },
    null,
    2,
  )
