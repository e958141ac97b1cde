/**
 * A call of the command line as it works when typed where this process was called: by `npm run knowledge --` in the
 * clone unless `bin/knowledge.mjs` says how it was called itself.
 * @param words what follows `knowledge`, such as `key list`
 */
export function calledAs(words: string, env: Readonly<Record<string, string | undefined>> = process.env): string {
  return `${env.KNOWLEDGE_CALLED_AS ?? 'npm run knowledge --'} ${words}`
}
