/** What others may do with replicas, beside searching them. */
export { dropReplica, listReplicas, noteSearched, type ListedReplica } from './replica-store.ts'
