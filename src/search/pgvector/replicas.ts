/** What others may do with replicas, beside searching them. */
export { type KnownReplica, listReplicas, noteErasures } from './erasures-store.ts'
export { dropReplica, dropReplicas, listReplicated } from './replica-store.ts'
