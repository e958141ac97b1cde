/** What others may do with replicas, beside searching them. */
export { type KnownReplica, listKnownReplicas, noteErasures } from './erasures-store.ts'
export { dropReplica, dropReplicaWithMark, listReplicas, noteSearched, type ListedReplica } from './replica-store.ts'
