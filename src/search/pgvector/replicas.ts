/** What others may do with replicas, beside searching them. */
export { dropReplicas, listReplicated } from './replica-store.ts'
