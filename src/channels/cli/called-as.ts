/**
 * A command as the operator can type it where this process was called. `bin/knowledge.mjs` says how it was called;
 * otherwise it is `npm run knowledge --`, in the clone. Texts that are made once, such as help, take the environment of the
 * process.
 * @param words what follows `knowledge`, such as `key list`
 */
export function calledAs(words: string, env: Readonly<Record<string, string | undefined>> = process.env): string {
  return `${env.KNOWLEDGE_CALLED_AS ?? 'npm run knowledge --'} ${words}`
}
