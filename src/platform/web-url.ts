/** Tells whether an address has a user name or a password in front of its host. */
export function hasUser({ username, password }: URL): boolean {
  return username !== '' || password !== ''
}
