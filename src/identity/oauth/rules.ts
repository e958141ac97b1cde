/** What other domains may ask of this one. */

export { deleteExpired, deleteTokensOfKey } from './store.ts'
