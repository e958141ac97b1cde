import { sql } from 'kysely'
import { columnTypes } from '../../columns.ts'
import { onlyOn, type Statements } from './statements.ts'

/** Entries, the rows that belong to them, and the jobs of embedding. */
export const entryTables: Statements = (dialect) => {
  const { key, bytes } = columnTypes(dialect)
  return [
    sql`
      create table entries (
        tenant_id ${key} not null,
        id ${key} not null,
        type text not null,
        title text not null,
        content text not null,
        summary text,
        category_id ${key} not null,
        visibility text not null,
        layer text,
        language text not null,
        tags text not null,
        search_keywords text not null,
        metadata text not null,
        related_themes text,
        translation_group_id ${key} not null,
        workspace_id ${key},
        source text not null,
        source_reference ${key},
        created_by_user_id ${key},
        version bigint not null,
        embedding_model text,
        expires_at bigint,
        created_at bigint not null,
        updated_at bigint not null,
        seq bigint not null,
        url text,
        constraint entries_pk primary key (tenant_id, id),
        constraint entries_tenant foreign key (tenant_id) references tenants (tenant_id),
        constraint entries_category foreign key (tenant_id, category_id) references categories (tenant_id, id),
        constraint entries_workspace foreign key (tenant_id, workspace_id) references workspaces (tenant_id, id),
        constraint entries_owner foreign key (tenant_id, created_by_user_id) references users (tenant_id, id)
      )`,
    ...entryIndexes(dialect),

    // Tags have no foreign key: to be deleted with its entry, a tag would need a second index as large as the table.
    // `knowledge doctor` checks that tags and entries agree.
    sql`
      create table entry_tags (
        tenant_id ${key} not null,
        tag ${key} not null,
        created_at bigint not null,
        entry_id ${key} not null,
        constraint entry_tags_pk primary key (tenant_id, tag, created_at, entry_id)
      ) ${dialect === 'sqlite' ? sql`without rowid` : sql``}`,

    sql`
      create table project_entries (
        tenant_id ${key} not null,
        project_id ${key} not null,
        entry_id ${key} not null,
        constraint project_entries_pk primary key (tenant_id, project_id, entry_id),
        constraint project_entries_project foreign key (tenant_id, project_id) references projects (tenant_id, id)
          on delete cascade,
        constraint project_entries_entry foreign key (tenant_id, entry_id) references entries (tenant_id, id)
          on delete cascade
      )`,
    // The index contains the whole answer; otherwise SQLite prefers the primary key, and reads all memberships of the
    // tenant.
    sql`create index project_entries_by_entry on project_entries (tenant_id, entry_id, project_id)`,

    // The title has a column of its own, so that it can be read without the snapshot.
    sql`
      create table entry_versions (
        tenant_id ${key} not null,
        entry_id ${key} not null,
        version bigint not null,
        visibility text not null,
        workspace_id ${key},
        snapshot text not null,
        updated_at bigint not null,
        title text not null default '',
        constraint entry_versions_pk primary key (tenant_id, entry_id, version),
        constraint entry_versions_entry foreign key (tenant_id, entry_id) references entries (tenant_id, id)
          on delete cascade
      )`,
    // For the same reason as `entries_guard`.
    ...onlyOn('sqlite', dialect, [
      sql`
        create index entry_versions_guard
        on entry_versions (tenant_id, entry_id, version, visibility, workspace_id, updated_at, title)`,
    ]),
    sql`create index entry_versions_personal on entry_versions (tenant_id, entry_id) where visibility = 'personal'`,

    sql`
      create table entry_tombstones (
        tenant_id ${key} not null,
        entry_id ${key} not null,
        seq bigint not null,
        constraint entry_tombstones_pk primary key (tenant_id, entry_id),
        constraint entry_tombstones_tenant foreign key (tenant_id) references tenants (tenant_id)
      )`,
    sql`create index entry_tombstones_by_seq on entry_tombstones (tenant_id, seq, entry_id)`,

    sql`
      create table entry_vectors (
        tenant_id ${key} not null,
        entry_id ${key} not null,
        model ${key} not null,
        offsets ${bytes} not null,
        vectors ${bytes} not null,
        related ${bytes},
        constraint entry_vectors_pk primary key (tenant_id, entry_id, model),
        constraint entry_vectors_entry foreign key (tenant_id, entry_id) references entries (tenant_id, id)
          on delete cascade
      )`,
    sql`create index entry_vectors_by_model on entry_vectors (tenant_id, model, entry_id)`,

    sql`
      create table embedding_jobs (
        tenant_id ${key} not null,
        kind ${key} not null,
        item_id ${key} not null,
        model ${key} not null,
        attempts bigint not null,
        run_after bigint not null,
        claimed_until bigint not null,
        refused bigint not null,
        last_error text,
        constraint embedding_jobs_pk primary key (tenant_id, kind, item_id, model),
        constraint embedding_jobs_tenant foreign key (tenant_id) references tenants (tenant_id)
      )`,
    sql`create index embedding_jobs_due on embedding_jobs (model, tenant_id, run_after)`,
  ]
}

/**
 * Indexes of entries. The database decides who sees an entry without reading its text, so that the time of a refusal
 * reveals nothing about the size of a hidden entry. PostgreSQL stores long texts outside of their rows. SQLite stores
 * them within, so there the indexes contain the columns that decide who sees an entry, and the index of all entries
 * also those that a list filters by.
 */
const entryIndexes: Statements = (dialect) => {
  const guard = sql`visibility, workspace_id, created_by_user_id`
  const filtered = sql`expires_at, type, layer, language, category_id, source`
  return [
    ...onlyOn('postgres', dialect, [sql`create index entries_newest on entries (tenant_id, created_at, id)`]),
    sql`create index entries_by_category on entries (tenant_id, category_id, created_at, id)`,
    // A reference may exceed the largest row of PostgreSQL's B-tree (2,704 bytes); its hash never does.
    ...onlyOn('postgres', dialect, [sql`create index entries_by_source on entries using hash (source_reference)`]),
    sql`create index entries_by_workspace on entries (tenant_id, workspace_id)`,
    ...onlyOn('sqlite', dialect, [
      sql`create index entries_by_source on entries (tenant_id, source_reference, created_at, id, ${guard})`,
    ]),
    sql`create index entries_by_group on entries (tenant_id, translation_group_id, created_at, id)`,
    ...onlyOn('sqlite', dialect, [sql`create index entries_guard on entries (tenant_id, id, ${guard}, created_at)`]),
    // Without the id, the database would read and sort all rows with the same number, and PostgreSQL all later changes
    // where it expects few.
    sql`create index entries_by_seq on entries (tenant_id, seq, id)`,
    ...onlyOn('sqlite', dialect, [
      sql`create index entries_newest on entries (tenant_id, created_at, id, ${guard}, ${filtered})`,
    ]),
    sql`create index entries_personal on entries (tenant_id, created_by_user_id) where visibility = 'personal'`,
  ]
}
