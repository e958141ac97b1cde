/** What other domains may use of this one. */

export { deleteExpired, deleteTokensOfKey } from './store.ts'
