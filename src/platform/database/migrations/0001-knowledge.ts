import { type Kysely, sql } from 'kysely'
import type { DialectName } from '../portable.ts'

/**
 * Tenants, users, keys, categories, projects, workspaces, entries and their vectors. Both databases compare keys byte
 * by byte, so that keyset pages have the same order in both.
 */
export function knowledgeMigration(dialect: DialectName) {
  const key = dialect === 'postgres' ? sql`text collate "C"` : sql`text`
  const bytes = dialect === 'postgres' ? sql`bytea` : sql`blob`

  async function up(db: Kysely<unknown>): Promise<void> {
    const { schema } = db
    await schema
      .createTable('tenants')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('host', key)
      .addColumn('settings', 'text', (c) => c.notNull())
      .addColumn('embedding_model', 'text')
      .addColumn('model_chosen_at', 'bigint', (c) => c.notNull().defaultTo(0))
      .addColumn('watermark', 'bigint', (c) => c.notNull().defaultTo(0))
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('tenants_pk', ['tenant_id'])
      .execute()
    await schema.createIndex('tenants_by_host').on('tenants').columns(['host']).execute()

    await schema
      .createTable('users')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('id', key, (c) => c.notNull())
      .addColumn('email', key, (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('role', 'text', (c) => c.notNull())
      .addColumn('disabled_at', 'bigint')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('users_pk', ['tenant_id', 'id'])
      .addUniqueConstraint('users_email', ['tenant_id', 'email'])
      .addForeignKeyConstraint('users_tenant', ['tenant_id'], 'tenants', ['tenant_id'])
      .execute()

    await schema
      .createTable('api_keys')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('id', key, (c) => c.notNull())
      .addColumn('user_id', key)
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('hash', key, (c) => c.notNull())
      .addColumn('hint', 'text', (c) => c.notNull())
      .addColumn('scopes', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('revoked_at', 'bigint')
      .addColumn('last_used_at', 'bigint')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('api_keys_pk', ['tenant_id', 'id'])
      .addUniqueConstraint('api_keys_hash', ['tenant_id', 'hash'])
      .addForeignKeyConstraint('api_keys_tenant', ['tenant_id'], 'tenants', ['tenant_id'])
      .addForeignKeyConstraint('api_keys_user', ['tenant_id', 'user_id'], 'users', ['tenant_id', 'id'])
      .execute()
    await schema.createIndex('api_keys_by_hash').on('api_keys').columns(['hash']).execute()

    await schema
      .createTable('audit_log')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('id', key, (c) => c.notNull())
      .addColumn('at', 'bigint', (c) => c.notNull())
      .addColumn('action', 'text', (c) => c.notNull())
      .addColumn('resource_type', 'text', (c) => c.notNull())
      .addColumn('resource_id', key, (c) => c.notNull())
      .addColumn('user_id', key)
      .addColumn('credential_id', key)
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('client_id', 'text')
      .addPrimaryKeyConstraint('audit_log_pk', ['tenant_id', 'id'])
      .addForeignKeyConstraint('audit_log_tenant', ['tenant_id'], 'tenants', ['tenant_id'])
      .execute()

    await schema
      .createTable('categories')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('id', key, (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('description', 'text')
      .addColumn('parent_id', key)
      .addColumn('sort_order', 'bigint', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('categories_pk', ['tenant_id', 'id'])
      .addForeignKeyConstraint('categories_tenant', ['tenant_id'], 'tenants', ['tenant_id'])
      .addForeignKeyConstraint('categories_parent', ['tenant_id', 'parent_id'], 'categories', ['tenant_id', 'id'])
      .execute()
    await schema.createIndex('categories_by_parent').on('categories').columns(['tenant_id', 'parent_id']).execute()

    for (const table of ['workspaces', 'projects']) {
      await schema
        .createTable(table)
        .addColumn('tenant_id', key, (c) => c.notNull())
        .addColumn('id', key, (c) => c.notNull())
        .addColumn('name', 'text', (c) => c.notNull())
        .addColumn('description', 'text')
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('updated_at', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint(`${table}_pk`, ['tenant_id', 'id'])
        .addForeignKeyConstraint(`${table}_tenant`, ['tenant_id'], 'tenants', ['tenant_id'])
        .execute()
    }

    await schema
      .createTable('workspace_members')
      .addColumn('tenant_id', key, (c) => c.notNull())
      .addColumn('workspace_id', key, (c) => c.notNull())
      .addColumn('user_id', key, (c) => c.notNull())
      .addPrimaryKeyConstraint('workspace_members_pk', ['tenant_id', 'workspace_id', 'user_id'])
      .addForeignKeyConstraint(
        'workspace_members_workspace',
        ['tenant_id', 'workspace_id'],
        'workspaces',
        ['tenant_id', 'id'],
        (f) => f.onDelete('cascade'),
      )
      .addForeignKeyConstraint('workspace_members_user', ['tenant_id', 'user_id'], 'users', ['tenant_id', 'id'])
      .execute()
    await schema
      .createIndex('workspace_members_by_user')
      .on('workspace_members')
      .columns(['tenant_id', 'user_id'])
      .execute()

    await createEntryTables()

    async function createEntryTables(): Promise<void> {
      await schema
        .createTable('entries')
        .addColumn('tenant_id', key, (c) => c.notNull())
        .addColumn('id', key, (c) => c.notNull())
        .addColumn('type', 'text', (c) => c.notNull())
        .addColumn('title', 'text', (c) => c.notNull())
        .addColumn('content', 'text', (c) => c.notNull())
        .addColumn('summary', 'text')
        .addColumn('category_id', key, (c) => c.notNull())
        .addColumn('visibility', 'text', (c) => c.notNull())
        .addColumn('layer', 'text')
        .addColumn('language', 'text', (c) => c.notNull())
        .addColumn('tags', 'text', (c) => c.notNull())
        .addColumn('search_keywords', 'text', (c) => c.notNull())
        .addColumn('metadata', 'text', (c) => c.notNull())
        .addColumn('related_themes', 'text')
        .addColumn('translation_group_id', key, (c) => c.notNull())
        .addColumn('workspace_id', key)
        .addColumn('source', 'text', (c) => c.notNull())
        .addColumn('source_reference', key)
        .addColumn('created_by_user_id', key)
        .addColumn('version', 'bigint', (c) => c.notNull())
        .addColumn('embedding_model', 'text')
        .addColumn('expires_at', 'bigint')
        .addColumn('created_at', 'bigint', (c) => c.notNull())
        .addColumn('updated_at', 'bigint', (c) => c.notNull())
        .addColumn('seq', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint('entries_pk', ['tenant_id', 'id'])
        .addForeignKeyConstraint('entries_tenant', ['tenant_id'], 'tenants', ['tenant_id'])
        .addForeignKeyConstraint('entries_category', ['tenant_id', 'category_id'], 'categories', ['tenant_id', 'id'])
        .addForeignKeyConstraint('entries_workspace', ['tenant_id', 'workspace_id'], 'workspaces', ['tenant_id', 'id'])
        .addForeignKeyConstraint('entries_owner', ['tenant_id', 'created_by_user_id'], 'users', ['tenant_id', 'id'])
        .execute()
      await schema.createIndex('entries_newest').on('entries').columns(['tenant_id', 'created_at', 'id']).execute()
      await schema.createIndex('entries_by_seq').on('entries').columns(['tenant_id', 'seq']).execute()
      await schema
        .createIndex('entries_by_category')
        .on('entries')
        .columns(['tenant_id', 'category_id', 'created_at', 'id'])
        .execute()
      // A reference may exceed the largest row of PostgreSQL's B-tree (2,704 bytes); its hash never does.
      const bySource = schema.createIndex('entries_by_source').on('entries')
      await (
        dialect === 'postgres'
          ? bySource.using('hash').column('source_reference')
          : bySource.columns(['tenant_id', 'source_reference'])
      ).execute()
      await schema
        .createIndex('entries_by_group')
        .on('entries')
        .columns(['tenant_id', 'translation_group_id'])
        .execute()
      await schema.createIndex('entries_by_workspace').on('entries').columns(['tenant_id', 'workspace_id']).execute()

      await schema
        .createTable('project_entries')
        .addColumn('tenant_id', key, (c) => c.notNull())
        .addColumn('project_id', key, (c) => c.notNull())
        .addColumn('entry_id', key, (c) => c.notNull())
        .addPrimaryKeyConstraint('project_entries_pk', ['tenant_id', 'project_id', 'entry_id'])
        .addForeignKeyConstraint(
          'project_entries_project',
          ['tenant_id', 'project_id'],
          'projects',
          ['tenant_id', 'id'],
          (f) => f.onDelete('cascade'),
        )
        .addForeignKeyConstraint(
          'project_entries_entry',
          ['tenant_id', 'entry_id'],
          'entries',
          ['tenant_id', 'id'],
          (f) => f.onDelete('cascade'),
        )
        .execute()
      await schema
        .createIndex('project_entries_by_entry')
        .on('project_entries')
        .columns(['tenant_id', 'entry_id'])
        .execute()

      await schema
        .createTable('entry_versions')
        .addColumn('tenant_id', key, (c) => c.notNull())
        .addColumn('entry_id', key, (c) => c.notNull())
        .addColumn('version', 'bigint', (c) => c.notNull())
        .addColumn('visibility', 'text', (c) => c.notNull())
        .addColumn('workspace_id', key)
        .addColumn('snapshot', 'text', (c) => c.notNull())
        .addColumn('updated_at', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint('entry_versions_pk', ['tenant_id', 'entry_id', 'version'])
        .addForeignKeyConstraint(
          'entry_versions_entry',
          ['tenant_id', 'entry_id'],
          'entries',
          ['tenant_id', 'id'],
          (f) => f.onDelete('cascade'),
        )
        .execute()

      await schema
        .createTable('entry_tombstones')
        .addColumn('tenant_id', key, (c) => c.notNull())
        .addColumn('entry_id', key, (c) => c.notNull())
        .addColumn('seq', 'bigint', (c) => c.notNull())
        .addPrimaryKeyConstraint('entry_tombstones_pk', ['tenant_id', 'entry_id'])
        .addForeignKeyConstraint('entry_tombstones_tenant', ['tenant_id'], 'tenants', ['tenant_id'])
        .execute()
      await schema.createIndex('entry_tombstones_by_seq').on('entry_tombstones').columns(['tenant_id', 'seq']).execute()

      await schema
        .createTable('entry_vectors')
        .addColumn('tenant_id', key, (c) => c.notNull())
        .addColumn('entry_id', key, (c) => c.notNull())
        .addColumn('model', key, (c) => c.notNull())
        .addColumn('offsets', bytes, (c) => c.notNull())
        .addColumn('vectors', bytes, (c) => c.notNull())
        .addColumn('related', bytes)
        .addPrimaryKeyConstraint('entry_vectors_pk', ['tenant_id', 'entry_id', 'model'])
        .addForeignKeyConstraint(
          'entry_vectors_entry',
          ['tenant_id', 'entry_id'],
          'entries',
          ['tenant_id', 'id'],
          (f) => f.onDelete('cascade'),
        )
        .execute()

      await schema
        .createTable('embedding_jobs')
        .addColumn('tenant_id', key, (c) => c.notNull())
        .addColumn('kind', key, (c) => c.notNull())
        .addColumn('item_id', key, (c) => c.notNull())
        .addColumn('model', key, (c) => c.notNull())
        .addColumn('attempts', 'bigint', (c) => c.notNull())
        .addColumn('run_after', 'bigint', (c) => c.notNull())
        .addColumn('claimed_until', 'bigint', (c) => c.notNull())
        .addColumn('refused', 'bigint', (c) => c.notNull())
        .addColumn('last_error', 'text')
        .addPrimaryKeyConstraint('embedding_jobs_pk', ['tenant_id', 'kind', 'item_id', 'model'])
        .addForeignKeyConstraint('embedding_jobs_tenant', ['tenant_id'], 'tenants', ['tenant_id'])
        .execute()
      await schema
        .createIndex('entry_vectors_by_model')
        .on('entry_vectors')
        .columns(['tenant_id', 'model', 'entry_id'])
        .execute()
      await schema
        .createIndex('embedding_jobs_due')
        .on('embedding_jobs')
        .columns(['model', 'tenant_id', 'run_after'])
        .execute()
    }
  }

  return { up }
}
