/**
 * Returns a command in the form in which the operator called this process: `bin/knowledge.mjs` puts the form into the
 * environment; without it the call was `npm run knowledge --`, in the clone.
 * @param words the words after `knowledge`, such as `key list`
 * @param env by default that of the process, for texts that are made once, such as help
 */
export function calledAs(words: string, env: Readonly<Record<string, string | undefined>> = process.env): string {
  return `${env.KNOWLEDGE_CALLED_AS ?? 'npm run knowledge --'} ${words}`
}
