/**
 * Schema of search replicas on PostgreSQL. Its content is made from the other tables and can be made again, so backups
 * and copies leave it out.
 */
export const REPLICA_SCHEMA = 'search_replicas'
