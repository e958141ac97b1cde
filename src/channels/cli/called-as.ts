/**
 * Returns a command in the form in which the operator called this process: `bin/knowledge.mjs` puts the form into the
 * environment; without it the call was `npm run knowledge --`, in the clone.
 * @param words the words after `knowledge`, such as `key list`
 * @param env by default that of the process, for texts that are made once, such as help
 */
export function calledAs(words: string, env: Readonly<Record<string, string | undefined>> = process.env): string {
  return `${env.KNOWLEDGE_CALLED_AS ?? 'npm run knowledge --'} ${words}`
}

/** Returns a command with the setting by which it finds this service's database from another shell. */
export function calledHere(words: string, env: Readonly<Record<string, string | undefined>> = process.env): string {
  // An address has a password, so it is not printed.
  const { DATABASE_URL, DATA_DIR } = env
  const place = DATABASE_URL ? 'DATABASE_URL=… ' : DATA_DIR ? `DATA_DIR=${quoted(DATA_DIR)} ` : ''
  return place + calledAs(words, env)
}

/** Quotes a path or another word for a shell, where it needs that. */
export function quoted(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}
